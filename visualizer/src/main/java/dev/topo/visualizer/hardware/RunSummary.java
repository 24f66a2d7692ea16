package dev.topo.visualizer.hardware;

import dev.topo.hw.run.CallResult;
import dev.topo.hw.run.Row;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The summary of a run.
 *
 * @param wrongMeasurements the number of measurements with wrong elements
 * @param averageBusbwGBps the mean busbw over all sizes, in place and out of place
 * @param expectedBusbwGBps the expected mean, if one is given
 */
public record RunSummary(
    long wrongMeasurements, double averageBusbwGBps, OptionalDouble expectedBusbwGBps) {
  /** The fraction of the expected busbw that still passes ({@code NCCL_TESTS_MIN_BW}). */
  private static final double TOLERANCE = 0.9;

  /** Summarises all rows. */
  public static RunSummary of(List<Row> rows, OptionalDouble expectedBusbwGBps) {
    List<CallResult> results =
        rows.stream().flatMap(row -> Stream.of(row.outOfPlace(), row.inPlace())).toList();
    return new RunSummary(
        results.stream().filter(result -> result.wrong().orElse(0) > 0).count(),
        results.stream().mapToDouble(CallResult::busbwGBps).average().orElse(0),
        expectedBusbwGBps);
  }

  /** True if the busbw is below the expected one; empty if none is given. */
  public Optional<Boolean> belowExpected() {
    return expectedBusbwGBps.isEmpty()
        ? Optional.empty()
        : Optional.of(averageBusbwGBps < expectedBusbwGBps.getAsDouble() * TOLERANCE);
  }

  /** True if the run passes. */
  public boolean isGood() {
    return wrongMeasurements == 0 && !belowExpected().orElse(false);
  }
}
