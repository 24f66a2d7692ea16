package dev.topo.simulator.upgrade;

import java.util.ArrayList;
import java.util.List;

/** What the comparison of two releases does not show, a sentence each. */
public final class UpgradeNotes {
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
    List<String> notes = new ArrayList<>();
    notes.add(
        "only decisions differ by release here: how fast the kernels of a release run is not known,"
            + " both times use one calibration");
    if (results.stream().anyMatch(UpgradeResult::hasNcclTimes)) {
      notes.add(
          "times of calls without calibration (several nodes, or these GPUs) are not compared: they would be those"
              + " of each release's own model, which ranks algorithms");
    }
    return notes;
  }
}
