package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.visualizer.times.BusbwWords;
import java.util.List;
import java.util.Optional;

/**
 * A call before and after edits, worded as by {@code topo whatif}. The page of {@code topo serve}
 * reads the components by name.
 *
 * @param operation the operation: {@code AllReduce}
 * @param bytes the size in bytes
 * @param size the size with a unit
 * @param before busbw in GB/s with its range; empty if NCCL refuses the call
 * @param after the same after the edits
 * @param change the change in percent; {@code =} if it is negligible
 * @param ranBefore the algorithm, protocol and channels
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
   * Returns a row for each call of a report.
   *
   * @param after one of the outcomes of the report; the outcome without edits for unchanged calls
   */
  public static List<EditedCallRow> of(WhatIfReport report, WhatIfOutcome after) {
    return EditedCall.of(report, after).stream().map(EditedCallRow::of).toList();
  }

  private static EditedCallRow of(EditedCall call) {
    return new EditedCallRow(
        call.call().operation().label(),
        call.call().sizeBytes(),
        QuantityFormat.size(call.call().sizeBytes()),
        call.was().map(BusbwWords::text),
        call.is().map(BusbwWords::text),
        call.percent(),
        runs(call.was()),
        runs(call.is()));
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
