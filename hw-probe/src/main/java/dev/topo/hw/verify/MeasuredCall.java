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
 * A size of a collective as it was measured.
 *
 * @param forced whether algorithm and protocol were forced; else NCCL chose them
 * @param rounds the results of each round, at least one
 * @param predictedUs what is predicted out of place, where the machine has a calibration
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

  /** The median of the rounds, out of place or in place, whichever is shorter. */
  public double timeUs() {
    return median(MeasuredCall::shorterUs);
  }

  /** The longest less the shortest time of a round. */
  public double spreadUs() {
    DoubleSummaryStatistics times =
        rounds.stream().mapToDouble(MeasuredCall::shorterUs).summaryStatistics();
    return times.getMax() - times.getMin();
  }

  /** Medians of the rounds. */
  public CallResult outOfPlace() {
    return medians(Row::outOfPlace);
  }

  /** Medians of the rounds. */
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
