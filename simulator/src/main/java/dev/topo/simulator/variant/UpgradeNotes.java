package dev.topo.simulator.variant;

import java.util.List;

/** Notes on the limits of a comparison of two releases, one sentence each. */
public final class UpgradeNotes {
  /** All notes. */
  public static final List<String> ALL =
      List.of(
          "whether the kernels of one release are faster than those of the other: both use one calibration",
          "times without calibration for these GPUs are those of each release's own model, which ranks algorithms:"
              + " a change may be one of the model alone");

  private UpgradeNotes() {}

  /** The notes for a job. */
  public static List<String> of(UpgradeResult result) {
    return of(List.of(result));
  }

  /** The notes for a fleet. */
  public static List<String> of(FleetUpgrade fleet) {
    return of(fleet.groups().stream().map(FleetUpgrade.Group::result).toList());
  }

  private static List<String> of(List<UpgradeResult> results) {
    return results.stream().anyMatch(UpgradeResult::hasNcclTimes) ? ALL : ALL.subList(0, 1);
  }
}
