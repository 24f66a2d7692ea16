package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.model.Alike;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.verdict.MeasurementVerdict.Outcome;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The verdict on the calls of an operation in a band of sizes, which are judged together: a single
 * healthy time is off by chance more often than most of a band.
 *
 * @param middle the call in the middle of the band by speed, or the fastest for a stated floor
 * @param tolerance allowed excess relative to the predicted time; empty if no range is known
 * @param reason reason of a failure or an open verdict, or how many times of a passing band fail by
 *     themselves; may be empty
 */
record BandVerdict(Verdict middle, OptionalDouble tolerance, Outcome outcome, String reason)
    implements Verdict {
  /** Smallest sizes in bytes of the bands but the first: those of known ranges, and large calls. */
  private static final List<Long> BANDS = List.of(256L << 10, 1L << 20, 16L << 20, 256L << 20);

  /**
   * Multiple of the tolerance beyond which a band of one size fails: no other size confirms it (of
   * five healthy runs of AlltoAll on two H200 four exceeded the tolerance at 16 MiB alone).
   */
  private static final double SINGLE = 2;

  /** Tolerance from which on a band that is not slow is not judged: hardly any fault exceeds it. */
  private static final double WIDEST = 1.5;

  @Override
  public Prediction prediction() {
    return middle.prediction();
  }

  @Override
  public Prediction inPlace() {
    return middle.inPlace();
  }

  @Override
  public MeasuredOperation measurement() {
    return middle.measurement();
  }

  /**
   * Judges bands by the tolerance of their calls. A band fails if most of its sizes do, by the
   * median of their repeats and the better of both columns: noise slows one column, a fault both.
   *
   * @param leastGBps the busbw that the fastest size of each operation must reach instead
   */
  static List<Verdict> of(List<Verdict> calls, OptionalDouble leastGBps) {
    return Alike.by(
            calls,
            call ->
                List.of(
                    call.measurement().operation(),
                    BANDS.stream()
                        .filter(from -> leastGBps.isEmpty() && from <= bytes(call))
                        .count()))
        .values()
        .stream()
        .<Verdict>map(band -> leastGBps.isEmpty() ? of(band) : of(band, leastGBps.getAsDouble()))
        .toList();
  }

  private static BandVerdict of(List<Verdict> same, double leastGBps) {
    Verdict fastest = sizes(same).max(Comparator.comparingDouble(BandVerdict::gbps)).orElseThrow();
    boolean isSlow = gbps(fastest) < leastGBps;
    return new BandVerdict(
        fastest,
        OptionalDouble.of(fastest.prediction().busbwGBps() / leastGBps - 1),
        isSlow ? Outcome.FAIL : Outcome.PASS,
        isSlow ? "below the stated floor" : "");
  }

  private static BandVerdict of(List<Verdict> band) {
    List<Verdict> sizes = sizes(band).toList();
    Verdict middle = middle(sizes);
    long failing = count(band, Outcome.FAIL);
    double allowed = middle.tolerance().orElse(0);
    Outcome outcome =
        part(middle) > (sizes.size() == 1 ? SINGLE : 1)
            ? Outcome.FAIL
            : count(band, Outcome.INCONCLUSIVE) < band.size() && allowed < WIDEST
                ? Outcome.PASS
                : Outcome.INCONCLUSIVE;
    return new BandVerdict(
        middle,
        middle.tolerance(),
        outcome,
        switch (outcome) {
          case FAIL -> "most sizes are slow";
          case PASS ->
              failing > 0
                  ? "%s of %s times fail by themselves".formatted(failing, band.size())
                  : "";
          case INCONCLUSIVE ->
              allowed < WIDEST
                  ? middle.reason()
                  : TextWriter.format("the range allows %.1f times", 1 + allowed);
        });
  }

  /** The middle of the repeats of each size. */
  private static Stream<Verdict> sizes(List<Verdict> calls) {
    return Alike.by(calls, BandVerdict::bytes).values().stream().map(BandVerdict::middle);
  }

  /** The call in the middle; of an even number the faster one. */
  private static Verdict middle(Collection<Verdict> some) {
    List<Verdict> sorted =
        some.stream().sorted(Comparator.comparingDouble(BandVerdict::part)).toList();
    return sorted.get((sorted.size() - 1) / 2);
  }

  static long count(List<Verdict> verdicts, Outcome outcome) {
    return verdicts.stream().filter(verdict -> verdict.outcome() == outcome).count();
  }

  private static long bytes(Verdict call) {
    return call.measurement().sizeBytes();
  }

  private static double gbps(Verdict call) {
    return Math.max(call.measurement().busbwGBps(false), call.measurement().busbwGBps(true));
  }

  /**
   * The smaller excess as a part of the tolerance. Without one, a call that fails by the share that
   * every healthy run exceeds is beyond it at half of the predicted speed.
   */
  private static double part(Verdict call) {
    double excess = Math.min(call.excess(), call.excessInPlace());
    return call.tolerance().isPresent()
        ? excess / Math.max(call.tolerance().getAsDouble(), Double.MIN_NORMAL)
        : call.outcome() == Outcome.FAIL ? excess : 0;
  }
}
