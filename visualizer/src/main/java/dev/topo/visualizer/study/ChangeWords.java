package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.variant.JobChange;
import dev.topo.simulator.variant.JobChange.BusbwChange;
import dev.topo.simulator.variant.JobChange.ChoiceChange;
import dev.topo.simulator.variant.JobChange.GraphChange;
import dev.topo.simulator.variant.JobFailure;
import dev.topo.visualizer.times.BusbwWords;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Words the most important change of a job as part of a sentence. */
final class ChangeWords {
  private ChangeWords() {}

  /**
   * Returns the most important change: a job that starts or fails, then busbw (losses first), then
   * choices and graphs.
   *
   * @param bytes the sizes whose busbw has priority
   */
  static String of(JobChange change, List<Long> bytes) {
    return of(change, main(change, bytes));
  }

  /**
   * Like {@link #of(JobChange, List)}, but also reports changes within the ranges, for readers who
   * see the ranges next to each other.
   */
  static String listed(JobChange change, List<Long> bytes) {
    return of(change, main(change, bytes).or(() -> largest(change, bytes, busbw -> true)));
  }

  private static String of(JobChange change, Optional<BusbwChange> main) {
    return change
        .failure()
        .map(JobFailure::sentence)
        .or(() -> main.map(ChangeWords::busbw))
        .or(
            () ->
                change.choices().stream()
                    .findFirst()
                    .map(choiceChange -> choice(choiceChange) + "; " + busbw(change)))
        .or(
            () ->
                change.graphs().stream()
                    .findFirst()
                    .map(
                        graphChange ->
                            graph(graphChange) + "; no choice changes, " + busbw(change)))
        .orElseGet(
            () ->
                change.busbw().isEmpty()
                    ? "no graph, choice or busbw changes"
                    : "no graph or choice changes, " + busbw(change));
  }

  /**
   * The largest change in the opposite direction to the main one, to follow it in the sentence;
   * empty if there is none.
   */
  static String opposite(JobChange change, List<Long> bytes) {
    return main(change, bytes)
        .flatMap(
            main ->
                largest(
                    change,
                    bytes,
                    busbw -> busbw.isCertain() && busbw.relative() > 0 != main.relative() > 0))
        .map(other -> "; " + other.call().label() + " " + BusbwWords.percent(other.relative()))
        .orElse("");
  }

  /** What to say if no change of busbw is certain. */
  private static String busbw(JobChange change) {
    return change.busbw().isEmpty()
        ? "busbw does not change"
        : change.busbw().stream().allMatch(BusbwChange::isOfTwoModels)
            ? "busbw cannot be compared, as two models give it"
            : "busbw stays within its ranges";
  }

  /**
   * The weight by which changes are ordered. A failure outweighs any change of busbw; a difference
   * that cannot be tried alone weighs nothing.
   */
  static double weight(JobChange change, List<Long> bytes) {
    if (change.failure().isPresent()) {
      return change.failure().get().kind() == JobFailure.Kind.JOB ? 0 : Double.MAX_VALUE;
    }
    double tieBreaker = change.choices().isEmpty() ? change.graphs().isEmpty() ? 0 : 1e-9 : 1e-6;
    return largest(change, bytes, busbw -> true).map(BusbwChange::size).orElse(tieBreaker);
  }

  /** True if busbw before and after cannot be compared, or if the change cannot be tried. */
  static boolean isUnknown(JobChange change, List<Long> bytes) {
    return change.failure().isPresent()
        ? change.failure().get().kind() == JobFailure.Kind.JOB
        : !change.busbw().isEmpty() && change.busbw().stream().allMatch(BusbwChange::isOfTwoModels);
  }

  /**
   * Returns the effect of a change, to be put in brackets after its cause: {@code AllReduce of 1
   * GiB -64 %}; empty if there is none or it is not known.
   *
   * @param reported a change that was reported before; its call is not named again
   */
  static Optional<String> amount(JobChange change, JobChange reported, List<Long> bytes) {
    if (change.isNone() || isUnknown(change, bytes)) {
      return Optional.empty();
    }
    return change
        .failure()
        .map(JobFailure::sentence)
        .or(
            () ->
                largest(change, bytes)
                    .map(
                        busbwChange ->
                            (main(reported, bytes)
                                        .filter(other -> other.call().equals(busbwChange.call()))
                                        .isPresent()
                                    ? ""
                                    : busbwChange.call().label() + " ")
                                + BusbwWords.percent(busbwChange.relative())))
        .or(() -> change.choices().stream().findFirst().map(ChangeWords::choice))
        .or(() -> change.graphs().stream().findFirst().map(ChangeWords::graph));
  }

  /** The largest loss at the sizes with priority; if there is none, the largest change. */
  private static Optional<BusbwChange> main(JobChange change, List<Long> bytes) {
    return largest(
            change,
            bytes,
            busbw ->
                busbw.isCertain()
                    && busbw.relative() < 0
                    && (bytes.isEmpty() || bytes.contains(busbw.call().sizeBytes())))
        .or(() -> largest(change, bytes));
  }

  private static Optional<BusbwChange> largest(JobChange change, List<Long> bytes) {
    return largest(change, bytes, BusbwChange::isCertain);
  }

  private static Optional<BusbwChange> largest(
      JobChange change, List<Long> bytes, Predicate<BusbwChange> filter) {
    return change.busbw().stream()
        .filter(busbw -> !busbw.isOfTwoModels())
        .filter(filter)
        .max(
            Comparator.comparing(
                    (BusbwChange busbwChange) -> bytes.contains(busbwChange.call().sizeBytes()))
                .thenComparing(BusbwChange::size));
  }

  /** Like {@link #of(JobChange, List)}, but without the ranges of busbw. */
  static String brief(JobChange change, List<Long> bytes) {
    return change.failure().isPresent()
        ? of(change, bytes)
        : main(change, bytes)
            .map(busbwChange -> busbwChange.call().label() + " " + BusbwWords.cell(busbwChange))
            .orElseGet(() -> of(change, bytes));
  }

  private static String busbw(BusbwChange busbw) {
    return busbw.call().label() + " " + BusbwWords.sentence(busbw);
  }

  private static String choice(ChoiceChange choice) {
    return "NCCL runs %s of %s by %s instead of %s"
        .formatted(
            choice.collective().label(),
            QuantityFormat.sizes(choice.firstBytes(), choice.lastBytes()),
            choice.after(),
            choice.before());
  }

  private static String graph(GraphChange graph) {
    return graph.before().isEmpty() && graph.after().isEmpty()
        ? "the channels of the %s graph visit GPUs or NICs in another order"
            .formatted(graph.kind().label())
        : "%s of the %s graph is %s%s instead of %s"
            .formatted(
                graph.property(),
                graph.kind().label(),
                graph.after(),
                graph.property().startsWith("bw") ? " GB/s" : "",
                graph.before());
  }

  static String arrow(Object before, Object after) {
    return before.equals(after) ? after.toString() : before + " → " + after;
  }
}
