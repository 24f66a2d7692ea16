package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Finds sizes that do not fit the others, whatever the cause: a lasting fall of busbw from one size
 * on, and single sizes that take several times as long as their neighbours let expect.
 */
final class UnevenSizes {
  /** Fraction of the busbw of smaller sizes below which all larger sizes count as fallen. */
  private static final double FALLEN = 0.7;

  /** Factor above which an outlier is none of those of healthy runs, which reach 2.1. */
  private static final double FAR = 3;

  /** Largest factor by which healthy nodes differ, as in {@link FitDecision}. */
  private static final double SLOWEST = 1.3;

  /** Least number of sizes that are no single outlier. */
  private static final int SEVERAL = 2;

  /** Below this size in bytes, busbw is that of launches. */
  private static final long SMALL = 1 << 20;

  private final List<MeasuredOperation> calls;
  private final double[] expectedUs;

  private UnevenSizes(List<MeasuredOperation> calls, double[] expectedUs) {
    this.calls = List.copyOf(calls);
    this.expectedUs = expectedUs;
  }

  /**
   * The diagnosis with what is uneven; of a run that is slow anyway, it is evidence.
   *
   * @param healthy fit of the healthy job to the same calls; empty if no times are known
   */
  static Diagnosis with(List<MeasuredOperation> calls, Optional<Fit> healthy, Diagnosis other) {
    List<Cause> uneven = new ArrayList<>();
    List<Integer> all = IntStream.range(0, calls.size()).boxed().toList();
    double[] expected =
        healthy
            .map(Fit::timesUs)
            .orElseGet(
                () ->
                    calls.stream().mapToDouble(call -> call.busbwGBps() * call.timeUs()).toArray());
    UnevenSizes sizes = new UnevenSizes(calls, expected);
    Alike.by(all, at -> calls.get(at).operation())
        .values()
        .forEach(
            at -> {
              List<Integer> bySize =
                  at.stream().sorted(Comparator.comparing(i -> calls.get(i).sizeBytes())).toList();
              sizes.fall(bySize).ifPresent(uneven::add);
              if (healthy.isPresent()) {
                sizes.single(bySize, healthy.get()).ifPresent(uneven::add);
              }
            });
    Optional<Cause> fault =
        uneven.stream().filter(cause -> cause.certainty() == Certainty.STATED).findFirst();
    if (other.verdict().isBad() || uneven.isEmpty()) {
      List<Cause> causes = new ArrayList<>(other.causes());
      if (fault.isPresent() && !causes.isEmpty()) {
        causes.set(0, causes.get(0).with(new Evidence("sizes", fault.get().detail())));
      }
      return new Diagnosis(
          other.verdict(), other.summary(), other.basis(), causes, other.reached());
    }
    return fault
        .map(
            first ->
                new Diagnosis(Health.FAULT, first.detail(), other.basis(), uneven, other.reached()))
        .orElseGet(
            () ->
                new Diagnosis(
                    other.verdict(),
                    uneven.get(0).detail() + "; " + other.summary(),
                    other.basis(),
                    other.causes()));
  }

  private Optional<Cause> fall(List<Integer> bySize) {
    for (int k = 1; k + SEVERAL <= bySize.size(); k++) {
      Optional<Integer> best =
          bySize.subList(0, k).stream()
              .filter(at -> calls.get(at).sizeBytes() >= SMALL)
              .max(Comparator.comparingDouble(this::busbw));
      int next = bySize.get(k);
      if (best.isPresent()
          && calls.get(next).sizeBytes() > calls.get(best.get()).sizeBytes()
          && bySize.subList(k, bySize.size()).stream()
              .allMatch(at -> busbw(at) < FALLEN * busbw(best.get()) * expected(best.get(), at))) {
        int last = bySize.get(k - 1);
        int from = busbw(last) > FALLEN * busbw(best.get()) ? last : best.get();
        return Optional.of(
            cause(
                next,
                Certainty.STATED,
                TextWriter.format(
                    "busbw of %s falls from %s GB/s at %s to %s GB/s at %s and stays below",
                    calls.get(next).operation().label(),
                    QuantityFormat.bandwidth(busbw(from)),
                    QuantityFormat.size(calls.get(from).sizeBytes()),
                    QuantityFormat.bandwidth(busbw(next)),
                    QuantityFormat.size(calls.get(next).sizeBytes()))));
      }
    }
    return Optional.empty();
  }

  /** The higher busbw of out of place and in place: an interruption lowers one of the two. */
  private double busbw(int at) {
    return Math.max(calls.get(at).busbwGBps(false), calls.get(at).busbwGBps(true));
  }

  /** Ratio of the expected busbw of a call to that of another one, at most 1. */
  private double expected(int from, int to) {
    return Math.min(
        1, calls.get(to).busbwGBps(expectedUs[to]) / calls.get(from).busbwGBps(expectedUs[from]));
  }

  /** The slowest size that is beyond twice its range, or far slower than its neighbours. */
  private Optional<Cause> single(List<Integer> bySize, Fit healthy) {
    return IntStream.range(0, bySize.size())
        .filter(
            k -> {
              double slow = healthy.longestResidual(bySize.get(k));
              double range = healthy.range(bySize.get(k));
              return slow > Math.max(2 * range, Math.log(SLOWEST))
                  || slow > range && isAlone(bySize, k, healthy);
            })
        .boxed()
        .max(
            Comparator.comparing((Integer k) -> isAlone(bySize, k, healthy))
                .thenComparing(k -> healthy.longestResidual(bySize.get(k))))
        .map(
            k -> {
              int at = bySize.get(k);
              boolean isAlone = isAlone(bySize, k, healthy);
              return cause(
                  at,
                  isAlone ? Certainty.STATED : Certainty.POSSIBLE,
                  TextWriter.format(
                      "%s of %s takes %.1f times as long as expected (%s, %s expected)%s",
                      calls.get(at).operation().label(),
                      QuantityFormat.size(calls.get(at).sizeBytes()),
                      Math.exp(healthy.longestResidual(at)),
                      QuantityFormat.time(
                          Math.max(calls.get(at).timeUs(), calls.get(at).inPlaceTimeUs())),
                      QuantityFormat.time(healthy.timesUs()[at]),
                      isAlone ? ", the sizes beside it do not" : ""));
            });
  }

  private boolean isAlone(List<Integer> bySize, int k, Fit healthy) {
    double beside =
        IntStream.of(k - 1, k + 1)
            .filter(i -> i >= 0 && i < bySize.size())
            .mapToDouble(i -> healthy.lastingResidual(bySize.get(i)))
            .max()
            .orElse(0);
    return calls.get(bySize.get(k)).sizeBytes() >= SMALL
        && healthy.longestResidual(bySize.get(k)) - Math.max(0, beside) > Math.log(FAR);
  }

  private Cause cause(int at, Certainty certainty, String detail) {
    MeasuredOperation call = calls.get(at);
    return new Cause(
        CauseKind.UNEVEN_SIZES,
        certainty,
        detail,
        OptionalDouble.empty(),
        List.of(
            new Evidence(
                call.operation().ncclTestsName() + " " + QuantityFormat.size(call.sizeBytes()),
                TextWriter.format(
                    "%s GB/s busbw out of place, %s in place",
                    QuantityFormat.bandwidth(call.busbwGBps(false)),
                    QuantityFormat.bandwidth(call.busbwGBps(true))))),
        Confirmation.of(CauseKind.UNEVEN_SIZES));
  }
}
