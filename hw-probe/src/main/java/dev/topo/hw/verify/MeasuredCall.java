package dev.topo.hw.verify;

import dev.topo.hw.run.CallResult;
import dev.topo.hw.run.IterationTimes;
import dev.topo.hw.run.Row;
import dev.topo.model.Quantiles;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Measurements of a collective at one size.
 *
 * @param forced whether algorithm and protocol were forced; otherwise NCCL chose them
 * @param rounds results of each round, at least one
 * @param predictedUs predicted time out of place, if the machine has a calibration
 */
public record MeasuredCall(
    Collective collective,
    Algorithm algorithm,
    Protocol protocol,
    int channels,
    boolean forced,
    List<Row> rounds,
    double modelUs,
    OptionalDouble predictedUs) {
  public MeasuredCall {
    rounds = List.copyOf(rounds);
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("a measured call: expected a round");
    }
  }

  public long sizeBytes() {
    return rounds.get(0).sizeBytes();
  }

  /** Median over the rounds of the shorter of the times out of place and in place, in µs. */
  public double timeUs() {
    return median(MeasuredCall::shorterUs);
  }

  /** Difference between the longest and the shortest time of the rounds, in µs. */
  public double spreadUs() {
    DoubleSummaryStatistics times =
        rounds.stream().mapToDouble(MeasuredCall::shorterUs).summaryStatistics();
    return times.getMax() - times.getMin();
  }

  /** Medians of the rounds, out of place. */
  public CallResult outOfPlace() {
    return medians(Row::outOfPlace);
  }

  /** Medians of the rounds, in place. */
  public CallResult inPlace() {
    return medians(Row::inPlace);
  }

  private static double shorterUs(Row row) {
    return Math.min(row.outOfPlace().timeUs(), row.inPlace().timeUs());
  }

  private CallResult medians(Function<Row, CallResult> side) {
    CallResult first = side.apply(rounds.get(0));
    boolean isChecked = first.wrong().isPresent();
    long wrong = rounds.stream().mapToLong(row -> side.apply(row).wrong().orElse(0)).sum();
    return new CallResult(
        median(row -> side.apply(row).timeUs()),
        median(row -> side.apply(row).cpuTimeUs()),
        median(row -> side.apply(row).algbwGBps()),
        median(row -> side.apply(row).busbwGBps()),
        isChecked ? OptionalLong.of(wrong) : OptionalLong.empty(),
        first.estimateUs(),
        rounds.stream().flatMap(row -> side.apply(row).firstWrong().stream()).findFirst(),
        IterationTimes.NONE);
  }

  private double median(ToDoubleFunction<Row> value) {
    return Quantiles.median(rounds.stream().mapToDouble(value).toArray());
  }
}
