package dev.topo.simulator.compare;

import dev.topo.model.Topology;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.timing.Calibration;

/** Which of the calibrations that come with topo suits a machine best. */
public final class SuitedCalibration {
  private static final int AMPERE_SM = 80;
  private static final int HOPPER_SM = 90;
  private static final int BLACKWELL_SM = 100;

  private SuitedCalibration() {}

  /** The calibration of the GPU generation, or the one for PCI where there is no NVSwitch. */
  public static Calibration of(Topology topology) {
    String name = name(topology);
    return CalibrationFile.shipped(name)
        .orElseThrow(() -> new IllegalStateException("no calibration " + name));
  }

  private static String name(Topology topology) {
    if (!topology.hasNvSwitch()) {
      return "pcie";
    }
    int sm = topology.minSm().orElse(HOPPER_SM);
    if (sm >= BLACKWELL_SM) {
      return "b200-nvswitch";
    }
    return sm >= AMPERE_SM && sm < HOPPER_SM ? "a100-nvswitch" : "h200-nvswitch";
  }
}
