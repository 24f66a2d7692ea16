package dev.topo.hw.verify;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * NCCL's choice for a size beside the forced algorithms and protocols that were measured in turns
 * with it.
 *
 * @param chosen NCCL's choice
 * @param fastest the fastest of the other algorithms and protocols
 * @param noiseUs the largest of these: the spread of the rounds of either, and the difference
 *     between NCCL's choice and the same algorithm and protocol when forced
 */
public record MeasuredChoice(MeasuredCall chosen, Optional<MeasuredCall> fastest, double noiseUs) {
  /** Results of NCCL's choice. */
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

  /** Each size of NCCL's choice, in the order of measurement. */
  static List<MeasuredChoice> of(List<MeasuredCall> measured) {
    return measured.stream()
        .filter(one -> !one.forced())
        .map(one -> of(one, measured.stream().filter(other -> isRival(one, other)).toList()))
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
            .filter(one -> !isSame(chosen, one))
            .min(Comparator.comparingDouble(MeasuredCall::timeUs));
    double noiseUs = chosen.spreadUs();
    if (fastest.isPresent()) {
      noiseUs = Math.max(noiseUs, fastest.get().spreadUs());
    }
    for (MeasuredCall one : forced) {
      if (isSame(chosen, one)) {
        noiseUs = Math.max(noiseUs, Math.abs(chosen.timeUs() - one.timeUs()));
      }
    }
    return new MeasuredChoice(chosen, fastest, noiseUs);
  }

  private static boolean isSame(MeasuredCall one, MeasuredCall other) {
    return one.algorithm() == other.algorithm() && one.protocol() == other.protocol();
  }

  public Result result() {
    double lostUs = fastest.map(one -> chosen.timeUs() - one.timeUs()).orElse(0.0);
    if (lostUs <= 0) {
      return Result.FASTEST;
    }
    return lostUs <= noiseUs ? Result.NOT_DISTINGUISHABLE : Result.SLOWER;
  }

  /** The other algorithm and protocol whose median is shorter, if there is one. */
  public Optional<MeasuredCall> faster() {
    return result() == Result.FASTEST ? Optional.empty() : fastest;
  }

  /** The time that NCCL's choice takes beyond the fastest, where it can be distinguished. */
  public Optional<Double> lostPercent() {
    return result() == Result.SLOWER
        ? fastest.map(one -> (chosen.timeUs() / one.timeUs() - 1) * 100)
        : Optional.empty();
  }
}
