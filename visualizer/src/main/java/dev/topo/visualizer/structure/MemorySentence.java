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

/** NCCL's memory in one sentence: the GPU and the part with the most, and whether it fits. */
public final class MemorySentence {
  private MemorySentence() {}

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
            .map(MemorySentence::most)
            .orElse("");
    boolean isLowerBound = !answer.omissions().isEmpty();
    String begin =
        "NCCL takes %s%s of the fullest GPU on %s"
            .formatted(
                qualifier(answer.isMeasuredBuild(), answer.omissions()),
                QuantityFormat.size(gpu),
                title);
    String of = " (rank %s)".formatted(rank);
    String calls = calls(answer.ofRank(rank));
    List<String> subjects =
        List.of(
            begin + of + " for " + calls,
            begin + " for " + calls,
            "%s (%s)".formatted(begin, calls.replace(" and ", ", ")));
    List<String> ends =
        limit.isPresent()
            ? fit(gpu, limit.getAsLong(), isLowerBound, savings)
            : List.of(
                "%s, and %s of shared host memory"
                    .formatted(
                        most, QuantityFormat.size(answer.total(rank, MemoryPlace.HOST_SHARED))),
                most);
    return Sentence.of(
        ends.stream()
            .flatMap(end -> subjects.stream().map(subject -> subject + end + "."))
            .toList());
  }

  /** How many communicators, collectives and operations of sends the sum is of. */
  private static String calls(List<StepMemory> steps) {
    int communicators = 0;
    Set<Operation> collectives = new HashSet<>();
    Set<Operation> sends = new HashSet<>();
    for (StepMemory memory : steps) {
      MemoryStep step =
          memory.step() instanceof MemoryStep.OfGroup group ? group.step() : memory.step();
      if (step instanceof MemoryStep.Init || step instanceof MemoryStep.Split) {
        communicators++;
      } else if (step instanceof MemoryStep.CollectiveStep call) {
        collectives.add(call.call().collective());
      } else if (step instanceof MemoryStep.PeerStep call) {
        sends.add(call.operation());
      }
    }
    String made = QuantityFormat.count(communicators, "communicator");
    String called = QuantityFormat.count(collectives.size(), "collective");
    return sends.isEmpty()
        ? made + " and " + called
        : "%s, %s and %s of sends"
            .formatted(made, called, QuantityFormat.count(sends.size(), "operation"));
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
                          String most =
                              "%s saves most (%s"
                                  .formatted(
                                      saving.setting(), QuantityFormat.size(saving.savedBytes()));
                          String alone = ": no setting alone is enough, " + most;
                          return List.of(
                              alone + ", " + cost(saving) + ")", alone + ")", ": " + most + ")");
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
