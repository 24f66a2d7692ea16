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

/** The most important change of a job, as a part of a sentence. */
final class ChangeWords {
  private ChangeWords() {}

  /**
   * The most important change. A failure to start comes first, then losses and gains of busbw,
   * choices and graphs.
   *
   * @param bytes the sizes whose busbw takes precedence
   */
  static String of(JobChange change, List<Long> bytes) {
    return of(change, lead(change, bytes));
  }

  /**
   * The most important change for a list that shows ranges: changes within their range also count.
   */
  static String listed(JobChange change, List<Long> bytes) {
    return of(change, lead(change, bytes).or(() -> most(change, bytes, busbw -> true)));
  }

  private static String of(JobChange change, Optional<BusbwChange> lead) {
    return change
        .failure()
        .map(JobFailure::sentence)
        .or(() -> lead.map(ChangeWords::busbw))
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

  /** The largest gain if the most important change is a loss, or the reverse, to be appended. */
  static String opposite(JobChange change, List<Long> bytes) {
    return lead(change, bytes)
        .flatMap(
            lead ->
                most(
                    change,
                    bytes,
                    busbw -> busbw.isCertain() && busbw.relative() > 0 != lead.relative() > 0))
        .map(other -> "; " + other.call().label() + " " + BusbwWords.percent(other.relative()))
        .orElse("");
  }

  /** The statement on busbw if no change of it is known. */
  private static String busbw(JobChange change) {
    return change.busbw().isEmpty()
        ? "busbw does not change"
        : change.busbw().stream().allMatch(BusbwChange::isOfTwoModels)
            ? "busbw cannot be compared, as two models give it"
            : "busbw stays within its ranges";
  }

  /**
   * The weight of a change for sorting. A failure outweighs any busbw; a change that cannot be
   * tried alone has weight 0.
   */
  static double weight(JobChange change, List<Long> bytes) {
    if (change.failure().isPresent()) {
      return change.failure().get().kind() == JobFailure.Kind.JOB ? 0 : Double.MAX_VALUE;
    }
    double rest = change.choices().isEmpty() ? change.graphs().isEmpty() ? 0 : 1e-9 : 1e-6;
    return most(change, bytes, busbw -> true).map(BusbwChange::size).orElse(rest);
  }

  /** True if busbw before and after cannot be compared, or a change cannot be tried. */
  static boolean isUnknown(JobChange change, List<Long> bytes) {
    return change.failure().isPresent()
        ? change.failure().get().kind() == JobFailure.Kind.JOB
        : !change.busbw().isEmpty() && change.busbw().stream().allMatch(BusbwChange::isOfTwoModels);
  }

  /**
   * The amount of a change, for brackets after its cause: {@code AllReduce of 1 GiB -64 %}; empty
   * if there is none or it is not known.
   *
   * @param told a change mentioned before, whose call is not repeated
   */
  static Optional<String> amount(JobChange change, JobChange told, List<Long> bytes) {
    if (change.isNone() || isUnknown(change, bytes)) {
      return Optional.empty();
    }
    return change
        .failure()
        .map(JobFailure::sentence)
        .or(
            () ->
                most(change, bytes)
                    .map(
                        busbwChange ->
                            (isOfSameCall(busbwChange, lead(told, bytes))
                                    ? ""
                                    : busbwChange.call().label() + " ")
                                + BusbwWords.percent(busbwChange.relative())))
        .or(() -> change.choices().stream().findFirst().map(ChangeWords::choice))
        .or(() -> change.graphs().stream().findFirst().map(ChangeWords::graph));
  }

  private static boolean isOfSameCall(BusbwChange change, Optional<BusbwChange> told) {
    return told.filter(busbwChange -> busbwChange.call().equals(change.call())).isPresent();
  }

  /** The largest loss at the preferred sizes, else the largest change. */
  private static Optional<BusbwChange> lead(JobChange change, List<Long> bytes) {
    return most(
            change,
            bytes,
            busbw ->
                busbw.isCertain()
                    && busbw.relative() < 0
                    && (bytes.isEmpty() || bytes.contains(busbw.call().sizeBytes())))
        .or(() -> most(change, bytes));
  }

  private static Optional<BusbwChange> most(JobChange change, List<Long> bytes) {
    return most(change, bytes, BusbwChange::isCertain);
  }

  private static Optional<BusbwChange> most(
      JobChange change, List<Long> bytes, Predicate<BusbwChange> filter) {
    return change.busbw().stream()
        .filter(busbw -> !busbw.isOfTwoModels())
        .filter(filter)
        .max(
            Comparator.comparing(
                    (BusbwChange busbwChange) -> bytes.contains(busbwChange.call().sizeBytes()))
                .thenComparing(BusbwChange::size));
  }

  /** The most important change, without ranges of busbw. */
  static String brief(JobChange change, List<Long> bytes) {
    return change.failure().isPresent()
        ? of(change, bytes)
        : lead(change, bytes)
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
