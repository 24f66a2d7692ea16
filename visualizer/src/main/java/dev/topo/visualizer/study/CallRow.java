package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.visualizer.times.BusbwWords;
import java.util.List;
import java.util.Optional;

/**
 * A call before and after edits in words, as {@code topo whatif} words them. The page of {@code
 * topo serve} reads the components by their names.
 *
 * @param operation {@code AllReduce}
 * @param bytes its size
 * @param size the same with a unit
 * @param before busbw in GB/s with its range; empty where NCCL refuses the call
 * @param after the same after the edits
 * @param change in percent; {@code =} where it is none to people
 * @param ranBefore algorithm, protocol and channels
 * @param runsAfter the same after the edits
 */
public record CallRow(
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
   * @param after one of its outcomes; that as it is for calls without edits
   */
  public static List<CallRow> of(WhatIfReport report, WhatIfOutcome after) {
    return CallShift.of(report, after).stream().map(CallRow::of).toList();
  }

  private static CallRow of(CallShift shift) {
    return new CallRow(
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
