package dev.topo.simulator.evaluate;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * NCCL's choice for a call beside every pair that NCCL can use. Times are only compared with times
 * of the same source, and times with a known bias only with such: whether other pairs have it is
 * not known. NCCL's own model made the choice and cannot judge it.
 *
 * @param chosen by NCCL's choice; empty if it refuses the call
 * @param each by every algorithm and protocol that NCCL can use
 */
public record ChoiceComparison(
    Optional<CollectivePrediction> chosen, List<CollectivePrediction> each) {
  /**
   * How much better than NCCL's choice another must be to be recommended: below this the model
   * cannot tell them apart, and single measurements cannot either.
   */
  public static final double WORTH_CHANGING = 0.03;

  public ChoiceComparison {
    each = List.copyOf(each);
  }

  /**
   * What to run: the fastest of the comparable pairs, or NCCL's choice where none of them is faster
   * by more than the model can tell.
   */
  public Optional<CollectivePrediction> best() {
    return chosen.map(
        choice ->
            each.stream()
                .filter(other -> choice.source().judges() && isAlike(choice, other))
                .min(Comparator.comparingDouble(CollectivePrediction::timeUs))
                .filter(fastest -> isFaster(fastest, choice))
                .orElse(choice));
  }

  /** What to run instead of NCCL's choice; empty if that stays. */
  public Optional<CollectivePrediction> better() {
    return best().filter(best -> !best.pair().equals(chosen.orElseThrow().pair()));
  }

  /**
   * Pairs whose times cannot be compared with that of NCCL's choice and are below the best, in
   * ascending order: whether they are faster is not known.
   */
  public List<CollectivePrediction> notComparable() {
    return best().stream()
        .flatMap(
            best -> each.stream().filter(other -> !isAlike(best, other) && isFaster(other, best)))
        .sorted(Comparator.comparingDouble(CollectivePrediction::timeUs))
        .toList();
  }

  /**
   * Whether it is known how NCCL's choice compares: not where a pair of another source may be
   * faster, and not where the times are those of NCCL's own model.
   */
  public boolean isComparable() {
    return chosen.isPresent() && chosen.get().source().judges() && notComparable().isEmpty();
  }

  /** How much longer NCCL's choice takes than the best, as a part of it; empty if not known. */
  public OptionalDouble regret() {
    return isComparable()
        ? OptionalDouble.of(chosen.orElseThrow().timeUs() / best().orElseThrow().timeUs() - 1)
        : OptionalDouble.empty();
  }

  private static boolean isAlike(CollectivePrediction one, CollectivePrediction other) {
    return one.source() == other.source();
  }

  private static boolean isFaster(CollectivePrediction one, CollectivePrediction than) {
    return one.timeUs() * (1 + WORTH_CHANGING) < than.timeUs();
  }
}
