package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryPart;
import dev.topo.simulator.memory.MemoryPlace;
import dev.topo.simulator.memory.MemorySaving;
import dev.topo.simulator.memory.MemoryStep;
import dev.topo.simulator.memory.StepMemory;
import dev.topo.visualizer.view.Answer.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Summarises in one sentence the memory that NCCL takes on the GPU where it takes most, what takes
 * most of it, and whether it fits a limit.
 */
public final class MemorySentence {
  private MemorySentence() {}

  /**
   * Returns the sentence without a limit.
   *
   * @param title what to call the machines of the job
   */
  public static String of(String title, MemoryAnswer answer) {
    return of(title, answer, OptionalLong.empty(), List.of());
  }

  /**
   * Returns the sentence. If the limit is exceeded, it names the setting to change.
   *
   * @param title what to call the machines of the job
   * @param limit the maximum number of bytes that NCCL may take on a GPU
   * @param savings settings that reduce the memory; empty if they are not known
   */
  public static String of(
      String title, MemoryAnswer answer, OptionalLong limit, List<MemorySaving> savings) {
    int rank = answer.fullestRank();
    long gpu = answer.total(rank, MemoryPlace.GPU);
    String largestPart =
        answer.parts(rank).stream()
            .filter(part -> part.place() == MemoryPlace.GPU)
            .findFirst()
            .map(MemorySentence::largestPart)
            .orElse("");
    boolean isLowerBound = !answer.omissions().isEmpty();
    String subject =
        "NCCL takes %s%s of the fullest GPU on %s"
            .formatted(
                qualifier(answer.isMeasuredBuild(), answer.omissions()),
                QuantityFormat.size(gpu),
                title);
    String rankText = " (rank %s)".formatted(rank);
    String calls = calls(answer.ofRank(rank));
    List<String> subjects =
        List.of(
            subject + rankText + " for " + calls,
            subject + " for " + calls,
            "%s (%s)".formatted(subject, calls.replace(" and ", ", ")));
    List<String> ends =
        limit.isPresent()
            ? fit(gpu, limit.getAsLong(), isLowerBound, savings)
            : List.of(
                "%s, and %s of shared host memory"
                    .formatted(
                        largestPart,
                        QuantityFormat.size(answer.total(rank, MemoryPlace.HOST_SHARED))),
                largestPart);
    return Sentence.of(
        ends.stream()
            .flatMap(end -> subjects.stream().map(wording -> wording + end + "."))
            .toList());
  }

  /** Counts the distinct communicators, collectives and kinds of sends that the total covers. */
  private static String calls(List<StepMemory> steps) {
    int communicators = 0;
    Set<Operation> collectives = new HashSet<>();
    Set<Operation> sendOperations = new HashSet<>();
    for (StepMemory memory : steps) {
      MemoryStep step =
          memory.step() instanceof MemoryStep.OfGroup group ? group.step() : memory.step();
      if (step instanceof MemoryStep.Init || step instanceof MemoryStep.Split) {
        communicators++;
      } else if (step instanceof MemoryStep.CollectiveStep call) {
        collectives.add(call.call().collective());
      } else if (step instanceof MemoryStep.PeerStep call) {
        sendOperations.add(call.operation());
      }
    }
    String communicatorCount = QuantityFormat.count(communicators, "communicator");
    String collectiveCount = QuantityFormat.count(collectives.size(), "collective");
    return sendOperations.isEmpty()
        ? communicatorCount + " and " + collectiveCount
        : "%s, %s and %s of sends"
            .formatted(
                communicatorCount,
                collectiveCount,
                QuantityFormat.count(sendOperations.size(), "operation"));
  }

  /** The word before a total that is a lower bound or an estimate; empty if it is exact. */
  public static String qualifier(boolean isMeasuredBuild, List<String> omissions) {
    return omissions.isEmpty() ? isMeasuredBuild ? "" : "about " : "at least ";
  }

  private static String largestPart(MemoryPart part) {
    return ", most (%s) for %s".formatted(QuantityFormat.size(part.bytes()), part.what());
  }

  /**
   * Says whether the memory fits the limit and, if not, which setting helps; longest wording first.
   */
  private static List<String> fit(
      long gpu, long limit, boolean isLowerBound, List<MemorySaving> savings) {
    if (gpu <= limit) {
      return List.of(
          ", which fits into "
              + QuantityFormat.size(limit)
              + (isLowerBound ? " without what is not in the figures" : ""));
    }
    String excess =
        ", %s more than the limit of %s"
            .formatted(QuantityFormat.size(gpu - limit), QuantityFormat.size(limit));
    List<String> wordings = new ArrayList<>();
    savingAdvice(gpu - limit, savings).forEach(advice -> wordings.add(excess + advice));
    wordings.add(excess);
    return wordings;
  }

  /**
   * Recommends, among the settings that suffice alone, the one that costs the least busbw; if none
   * suffices, the one that saves most.
   */
  private static List<String> savingAdvice(long excess, List<MemorySaving> savings) {
    Comparator<MemorySaving> byCost =
        Comparator.comparingDouble(saving -> saving.slowestChange().orElse(-1));
    return savings.stream()
        .filter(saving -> saving.savedBytes() >= excess)
        .max(byCost.thenComparingLong(MemorySaving::savedBytes))
        .map(
            saving ->
                List.of(
                    ": with %s it fits, %s".formatted(saving.setting(), cost(saving)),
                    ": with %s it fits".formatted(saving.setting())))
        .or(
            () ->
                savings.stream()
                    .max(Comparator.comparingLong(MemorySaving::savedBytes))
                    .map(
                        saving -> {
                          String largest =
                              "%s saves most (%s"
                                  .formatted(
                                      saving.setting(), QuantityFormat.size(saving.savedBytes()));
                          String noneSuffices = ": no setting alone is enough, " + largest;
                          return List.of(
                              noneSuffices + ", " + cost(saving) + ")",
                              noneSuffices + ")",
                              ": " + largest + ")");
                        }))
        .orElse(List.of());
  }

  private static String cost(MemorySaving saving) {
    if (saving.slowestChange().isEmpty()) {
      return "at an unknown cost in busbw";
    }
    double loss = -saving.slowestChange().getAsDouble();
    return loss <= 0 || TimeChange.isNone(loss)
        ? "without loss of busbw"
        : "with up to %s less busbw of a call".formatted(QuantityFormat.percent(loss, 0));
  }
}
