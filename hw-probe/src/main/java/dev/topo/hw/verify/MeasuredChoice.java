package dev.topo.hw.verify;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * NCCL's choice for a size, compared with the forced algorithms and protocols that were measured
 * alternately with it.
 *
 * @param chosen measurement of NCCL's choice
 * @param fastest fastest of the other algorithms and protocols
 * @param noiseUs in µs, the largest of: the spread of the rounds of either, and the difference
 *     between NCCL's choice and the same algorithm and protocol when forced
 */
public record MeasuredChoice(MeasuredCall chosen, Optional<MeasuredCall> fastest, double noiseUs) {
  /** Results for NCCL's choice. */
  public enum Result {
    /** No other median is shorter. */
    FASTEST("fastest"),
    /** Another median is shorter, by no more than the noise. */
    NOT_DISTINGUISHABLE("not distinguishable"),
    /** Another median is shorter by more than the noise. */
    SLOWER("slower");

    private final String label;

    Result(String label) {
      this.label = label;
    }

    @Override
    public String toString() {
      return label;
    }
  }

  /** Results for each size of NCCL's choice, in the order of measurement. */
  static List<MeasuredChoice> of(List<MeasuredCall> measured) {
    return measured.stream()
        .filter(call -> !call.forced())
        .map(call -> of(call, measured.stream().filter(other -> isRival(call, other)).toList()))
        .toList();
  }

  private static boolean isRival(MeasuredCall chosen, MeasuredCall other) {
    return other.forced()
        && other.collective() == chosen.collective()
        && other.sizeBytes() == chosen.sizeBytes();
  }

  private static MeasuredChoice of(MeasuredCall chosen, List<MeasuredCall> forced) {
    Optional<MeasuredCall> fastest =
        forced.stream()
            .filter(call -> !isSamePair(chosen, call))
            .min(Comparator.comparingDouble(MeasuredCall::timeUs));
    double noiseUs = chosen.spreadUs();
    if (fastest.isPresent()) {
      noiseUs = Math.max(noiseUs, fastest.get().spreadUs());
    }
    for (MeasuredCall call : forced) {
      if (isSamePair(chosen, call)) {
        noiseUs = Math.max(noiseUs, Math.abs(chosen.timeUs() - call.timeUs()));
      }
    }
    return new MeasuredChoice(chosen, fastest, noiseUs);
  }

  private static boolean isSamePair(MeasuredCall call, MeasuredCall other) {
    return call.algorithm() == other.algorithm() && call.protocol() == other.protocol();
  }

  public Result result() {
    double lostUs = fastest.map(call -> chosen.timeUs() - call.timeUs()).orElse(0.0);
    if (lostUs <= 0) {
      return Result.FASTEST;
    }
    return lostUs <= noiseUs ? Result.NOT_DISTINGUISHABLE : Result.SLOWER;
  }

  /** Fastest other algorithm and protocol, if its median is shorter. */
  public Optional<MeasuredCall> faster() {
    return result() == Result.FASTEST ? Optional.empty() : fastest;
  }

  /** Extra time of NCCL's choice over the fastest in percent, if it can be distinguished. */
  public Optional<Double> lostPercent() {
    return result() == Result.SLOWER
        ? fastest.map(call -> (chosen.timeUs() / call.timeUs() - 1) * 100)
        : Optional.empty();
  }
}
