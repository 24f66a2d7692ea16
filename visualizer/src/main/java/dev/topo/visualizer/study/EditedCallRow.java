package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.visualizer.times.BusbwWords;
import dev.topo.visualizer.times.LimitWords;
import dev.topo.visualizer.view.RangedNumber;
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
 * @param was busbw in GB/s before the edits, as a number with its range
 * @param is the same after the edits
 * @param limit what limits the call after the edits; empty if it is not known
 * @param isOfLinks whether that is a link or a port
 */
public record EditedCallRow(
    String operation,
    long bytes,
    String size,
    Optional<String> before,
    Optional<String> after,
    String change,
    String ranBefore,
    String runsAfter,
    Optional<RangedNumber> was,
    Optional<RangedNumber> is,
    Optional<String> limit,
    boolean isOfLinks) {
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
        runs(call.is()),
        call.was().map(BusbwWords::range),
        call.is().map(BusbwWords::range),
        call.is().flatMap(is -> LimitWords.of(call.after().result(), is)),
        call.is().filter(is -> is.estimate().bottleneck() == Bottleneck.LINKS).isPresent());
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
