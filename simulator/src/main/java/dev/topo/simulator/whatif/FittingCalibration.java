package dev.topo.simulator.whatif;

import dev.topo.model.Link;
import dev.topo.model.LinkType;
import dev.topo.model.Topology;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NodeType;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.timing.Calibration;
import java.util.Optional;

/**
 * Which of the calibrations that come with topo is for machines like a given one. They were fitted
 * on GPUs of one generation behind NVSwitches, whatever the CPU, or on PCIe alone; meshes of
 * NVLinks, GPUs on C2C alone and other generations are like none of them.
 */
public final class FittingCalibration {
  private static final int AMPERE_SM = 80;
  private static final int HOPPER_SM = 90;
  private static final int BLACKWELL_SM = 100;
  private static final int AFTER_BLACKWELL_SM = 110;

  private FittingCalibration() {}

  /** The calibration for machines like this one; empty if none is. */
  public static Optional<Calibration> of(Topology topology) {
    return name(topology).flatMap(CalibrationFile::shipped);
  }

  private static Optional<String> name(Topology topology) {
    if (topology.gpus().size() < 2) {
      return Optional.empty();
    }
    if (topology.hasNvSwitch()) {
      int min = topology.gpus().stream().mapToInt(GpuNode::sm).min().orElse(0);
      int max = topology.gpus().stream().mapToInt(GpuNode::sm).max().orElse(0);
      if (min == AMPERE_SM && max == AMPERE_SM) {
        return Optional.of("a100-nvswitch");
      }
      if (min == HOPPER_SM && max == HOPPER_SM) {
        return Optional.of("h200-nvswitch");
      }
      boolean isBlackwell = min >= BLACKWELL_SM && max < AFTER_BLACKWELL_SM;
      return isBlackwell ? Optional.of("b200-nvswitch") : Optional.empty();
    }
    for (int gpu : topology.indexes(NodeType.GPU)) {
      for (Link link : topology.links(gpu)) {
        if (link.type() == LinkType.NVL || link.type() == LinkType.C2C) {
          return Optional.empty();
        }
      }
    }
    return Optional.of("pcie");
  }
}
