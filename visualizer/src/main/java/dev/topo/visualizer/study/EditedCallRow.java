package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.visualizer.times.BusbwWords;
import java.util.List;
import java.util.Optional;

/**
 * A call before and after edits, as {@code topo whatif} shows it. The page of {@code topo serve}
 * reads the components by name.
 *
 * @param operation {@code AllReduce}
 * @param bytes its size
 * @param size the size with a unit
 * @param before busbw in GB/s with its range; empty if NCCL refuses the call
 * @param after the same after the edits
 * @param change in percent; {@code =} if it is negligible
 * @param ranBefore algorithm, protocol and channels
 * @param runsAfter the same after the edits
 */
public record EditedCallRow(
    String operation,
    long bytes,
    String size,
    Optional<String> before,
    Optional<String> after,
    String change,
    String ranBefore,
    String runsAfter) {
  /**
   * The calls of a report.
   *
   * @param after one of its outcomes; the unedited one for calls without edits
   */
  public static List<EditedCallRow> of(WhatIfReport report, WhatIfOutcome after) {
    return EditedCall.of(report, after).stream().map(EditedCallRow::of).toList();
  }

  private static EditedCallRow of(EditedCall shift) {
    return new EditedCallRow(
        shift.call().operation().label(),
        shift.call().sizeBytes(),
        QuantityFormat.size(shift.call().sizeBytes()),
        shift.was().map(BusbwWords::text),
        shift.is().map(BusbwWords::text),
        shift.percent(),
        runs(shift.was()),
        runs(shift.is()));
  }

  private static String runs(Optional<Prediction> prediction) {
    return prediction
        .map(
            predicted ->
                predicted.launchName()
                    + ", "
                    + QuantityFormat.count(predicted.channels(), "channel"))
        .orElse("refused");
  }
}
