package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.Alike;
import dev.topo.model.Quantiles;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.verdict.MeasurementVerdict.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Earlier runs on the same machines: a call that was measured often enough is judged by their
 * median and spread, which is narrower than the range of a prediction.
 *
 * @param times the earlier times by call
 */
public record Baseline(Map<Key, List<MeasuredOperation>> times) {
  /** Without earlier runs. */
  public static final Baseline NONE = new Baseline(Map.of());

  /** Number of times of a call from which on their spread is known. */
  public static final int LEAST = 5;

  /** Spread that clocks and rounding have at least. */
  private static final double NOISE = 0.01;

  /** Standard deviation of a normal distribution as a multiple of its mean deviation. */
  private static final double OF_MEAN_DEVIATION = Math.sqrt(Math.PI / 2);

  /** With {@link #FOR_FEW}: bounds Student's quantile of 99.5 % from five times on. */
  private static final double DEVIATIONS = 2.6;

  private static final double FOR_FEW = 10;

  /** Same calls. */
  public record Key(Operation operation, Optional<Pair> forced, long bytes, int ranks) {
    static Key of(MeasuredOperation call) {
      return new Key(call.operation(), call.forced(), call.sizeBytes(), call.nGpus());
    }
  }

  /** A call that is judged by earlier times. */
  record Judged(
      MeasuredOperation measurement,
      Prediction prediction,
      Prediction inPlace,
      OptionalDouble tolerance,
      Outcome outcome,
      String reason)
      implements Verdict {}

  /** The times of runs; those of runs that failed do not count. */
  public static Baseline of(List<MeasuredRun> runs) {
    return new Baseline(
        Alike.by(
            runs.stream()
                .filter(run -> run.failures().isEmpty())
                .flatMap(MeasuredRun::all)
                .toList(),
            Key::of));
  }

  private List<MeasuredOperation> of(Verdict call) {
    return times.getOrDefault(Key.of(call.measurement()), List.of());
  }

  /** Judges a call by its earlier times; if there are too few, it keeps its verdict. */
  Verdict judge(Verdict call) {
    if (of(call).size() < LEAST) {
      return call;
    }
    double out = allowed(call, false);
    double in = allowed(call, true);
    Prediction prediction = call.prediction().measured(medianUs(call, false), out);
    Prediction inPlace = call.inPlace().measured(medianUs(call, true), in);
    double allowed = Math.max(out, in);
    Optional<String> fault =
        Verdict.slowerThanPredicted(call.measurement(), prediction, inPlace, allowed);
    return new Judged(
        call.measurement(),
        prediction,
        inPlace,
        OptionalDouble.of(allowed),
        fault.isPresent() ? Outcome.FAIL : Outcome.PASS,
        fault.map(why -> "slower than in earlier runs").orElse(""));
  }

  private double medianUs(Verdict call, boolean inPlace) {
    return Quantiles.median(of(call).stream().map(one -> one.timeUs(inPlace)).toList());
  }

  /** The relative slowdown that 99 of 100 runs like the earlier ones do not exceed. */
  private double allowed(Verdict call, boolean inPlace) {
    List<MeasuredOperation> same = of(call);
    double middle = Math.log(medianUs(call, inPlace));
    double mean =
        same.stream()
            .mapToDouble(one -> Math.abs(Math.log(one.timeUs(inPlace)) - middle))
            .average()
            .orElseThrow();
    double deviation = Math.max(NOISE, OF_MEAN_DEVIATION * mean);
    return Math.expm1((DEVIATIONS + FOR_FEW / same.size()) * deviation);
  }
}
