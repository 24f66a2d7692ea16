package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryModel;
import dev.topo.simulator.memory.MemoryPart;
import dev.topo.simulator.memory.MemoryPlace;
import dev.topo.simulator.memory.MemorySaving;
import dev.topo.simulator.memory.StepMemory;
import dev.topo.visualizer.view.Answer.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * The memory that NCCL takes, in one sentence: of which GPU most, of what most, and whether it
 * fits.
 */
public final class MemoryHeadline {
  /** Less is 0 % to people. */
  private static final double LEAST_LOSS = 0.005;

  private static final String ALL_CALLS = " for every kind of call";

  private MemoryHeadline() {}

  /**
   * The sentence.
   *
   * @param title what to call the machines of the job
   * @param limit most bytes of a GPU that NCCL may take
   */
  public static String of(String title, MemoryAnswer answer, OptionalLong limit) {
    return of(title, answer, limit, List.of());
  }

  /**
   * The sentence; above a limit with the setting to change.
   *
   * @param title what to call the machines of the job
   * @param savings settings by which NCCL takes less, where they are known
   */
  public static String of(
      String title, MemoryAnswer answer, OptionalLong limit, List<MemorySaving> savings) {
    int rank = answer.fullestRank();
    long gpu = answer.total(rank, MemoryPlace.GPU);
    String most =
        answer.parts(rank).stream()
            .filter(part -> part.place() == MemoryPlace.GPU)
            .findFirst()
            .map(MemoryHeadline::most)
            .orElse("");
    boolean isLowerBound = !answer.omissions().isEmpty();
    String begin =
        "NCCL takes %s%s of the fullest GPU on %s"
            .formatted(
                qualifier(answer.isMeasuredBuild(), answer.omissions()),
                QuantityFormat.size(gpu),
                title);
    String of = " (rank %d)".formatted(rank);
    List<String> subjects =
        isOfAllCalls(answer, rank)
            ? List.of(begin + of + ALL_CALLS, begin + ALL_CALLS, begin)
            : List.of(begin + of, begin);
    List<String> ends =
        limit.isPresent()
            ? fit(gpu, limit.getAsLong(), isLowerBound, savings)
            : List.of(
                "%s, and %s of shared host memory"
                    .formatted(
                        most, QuantityFormat.size(answer.total(rank, MemoryPlace.HOST_SHARED))));
    return Sentence.of(
        ends.stream()
            .flatMap(end -> subjects.stream().map(subject -> subject + end + "."))
            .toList());
  }

  /** True if the user named no steps, so that the sum is that of more than most programs call. */
  private static boolean isOfAllCalls(MemoryAnswer answer, int rank) {
    return answer.steps().stream()
        .filter(step -> step.rank() == rank)
        .map(StepMemory::step)
        .toList()
        .equals(MemoryModel.usualSteps());
  }

  /** Word before a sum that is a lower bound or an estimate. */
  public static String qualifier(boolean isMeasuredBuild, List<String> omissions) {
    return omissions.isEmpty() ? isMeasuredBuild ? "" : "about " : "at least ";
  }

  private static String most(MemoryPart part) {
    return ", most (%s) for %s".formatted(QuantityFormat.size(part.bytes()), part.what());
  }

  /** The sentence that says if it fits, with what to change, the fullest wording first. */
  private static List<String> fit(
      long gpu, long limit, boolean isLowerBound, List<MemorySaving> savings) {
    if (gpu <= limit) {
      return List.of(
          ", which fits into "
              + QuantityFormat.size(limit)
              + (isLowerBound ? " without what is not in the figures" : ""));
    }
    String more =
        ", %s more than the limit of %s"
            .formatted(QuantityFormat.size(gpu - limit), QuantityFormat.size(limit));
    List<String> wordings = new ArrayList<>();
    change(gpu - limit, savings).forEach(change -> wordings.add(more + change));
    wordings.add(more);
    return wordings;
  }

  /** Of the settings that are enough alone the one that costs least busbw, else the largest. */
  private static List<String> change(long excess, List<MemorySaving> savings) {
    Comparator<MemorySaving> byCost =
        Comparator.comparingDouble(saving -> saving.slowestChange().orElse(-1));
    return savings.stream()
        .filter(saving -> saving.savedBytes() >= excess)
        .max(byCost.thenComparingLong(MemorySaving::savedBytes))
        .map(saving -> List.of(": with %s it fits, %s".formatted(saving.setting(), cost(saving))))
        .or(
            () ->
                savings.stream()
                    .max(Comparator.comparingLong(MemorySaving::savedBytes))
                    .map(
                        saving ->
                            List.of(
                                ": no setting alone is enough, %s saves most (%s, %s)"
                                    .formatted(
                                        saving.setting(),
                                        QuantityFormat.size(saving.savedBytes()),
                                        cost(saving)),
                                ": no setting alone is enough, %s saves most (%s)"
                                    .formatted(
                                        saving.setting(), QuantityFormat.size(saving.savedBytes())),
                                ": %s saves most (%s)"
                                    .formatted(
                                        saving.setting(),
                                        QuantityFormat.size(saving.savedBytes())))))
        .orElse(List.of());
  }

  private static String cost(MemorySaving saving) {
    if (saving.slowestChange().isEmpty()) {
      return "at an unknown cost in busbw";
    }
    double loss = -saving.slowestChange().getAsDouble();
    return loss < LEAST_LOSS
        ? "without loss of busbw"
        : "with up to %s less busbw of a call".formatted(QuantityFormat.percent(loss, 0));
  }
}
