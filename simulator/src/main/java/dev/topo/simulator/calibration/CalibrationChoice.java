package dev.topo.simulator.calibration;

import dev.topo.model.LinkType;
import dev.topo.model.Topology;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NodeType;
import dev.topo.simulator.timing.Calibration;
import java.util.Objects;
import java.util.Optional;

/**
 * Which of the calibrations that come with topo goes with a machine, by the generation of its GPUs
 * and by what connects them.
 *
 * @param calibration the calibration; empty if none goes with the machine
 * @param machine what it was chosen by: {@code sm 90, NVSwitch}
 */
public record CalibrationChoice(Optional<Calibration> calibration, String machine) {
  private static final int AMPERE = 80;
  private static final int HOPPER = 90;
  private static final int BLACKWELL = 100;

  /** Checks that both are there. */
  public CalibrationChoice {
    Objects.requireNonNull(calibration, "calibration");
    Objects.requireNonNull(machine, "machine");
  }

  /** The calibration for a machine. */
  public static CalibrationChoice of(Topology topology) {
    int sm = topology.minSm().orElse(0);
    boolean nvlink = hasNvlink(topology);
    String links = nvlink ? "NVLink without NVSwitch" : "PCI";
    if (topology.hasNvSwitch()) {
      links = "NVSwitch";
    }
    Optional<Calibration> calibration =
        name(topology, sm, nvlink).flatMap(CalibrationFile::shipped);
    return new CalibrationChoice(
        calibration, "sm " + sm + ", " + (topology.gpus().size() < 2 ? "one GPU" : links));
  }

  private static Optional<String> name(Topology topology, int sm, boolean nvlink) {
    if (topology.gpus().size() < 2 || sm < AMPERE) {
      return Optional.empty();
    }
    if (topology.hasNvSwitch()) {
      if (sm >= BLACKWELL) {
        return Optional.of("b200-nvswitch");
      }
      return Optional.of(sm >= HOPPER ? "h200-nvswitch" : "a100-nvswitch");
    }
    return nvlink ? Optional.empty() : Optional.of("pcie");
  }

  private static boolean hasNvlink(Topology topology) {
    for (int gpu : topology.indexes(NodeType.GPU)) {
      if (topology.node(gpu) instanceof GpuNode
          && topology.links(gpu).stream().anyMatch(link -> link.type() == LinkType.NVL)) {
        return true;
      }
    }
    return false;
  }
}
