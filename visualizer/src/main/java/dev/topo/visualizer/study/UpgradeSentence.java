package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.variant.FleetUpgrade;
import dev.topo.simulator.variant.FleetUpgrade.Group;
import dev.topo.simulator.variant.UpgradePoint;
import dev.topo.simulator.variant.UpgradePoint.Topic;
import dev.topo.simulator.variant.UpgradeResult;
import dev.topo.visualizer.report.UpgradeWords;
import dev.topo.visualizer.view.Answer.Sentence;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * States in one sentence the first change that another NCCL release makes, or that there is none.
 */
public final class UpgradeSentence {
  /** The file, line and element at the start of a reason; the table has them. */
  private static final Pattern PLACE = Pattern.compile("^.+?:\\d+:\\d+: (<\\w+>: )?");

  private UpgradeSentence() {}

  /** Returns the sentence about a job. */
  public static String of(UpgradeResult result) {
    String releases = releases(result.from(), result.to());
    if (result.isUnknown()) {
      return "What changes for %s %s is not known: %s."
          .formatted(result.name(), releases, result.unknown().orElse(""));
    }
    if (result.isEqual() && !result.readOnly().isEmpty()) {
      return "For %s no change is known %s: the same channels, graphs, choices and busbw by the rules of both; those of %s were read and not compared."
          .formatted(result.name(), releases, String.join(" and ", result.readOnly()));
    }
    return result.isEqual()
        ? "For %s nothing changes %s: the same channels, graphs, choices and busbw; the speed of kernels is not modelled."
            .formatted(result.name(), releases)
        : Sentence.of(
            wordings(result)
                .map(changes -> "%s %s: %s.".formatted(result.name(), releases, changes))
                .toList());
  }

  private static String releases(ReleaseRules from, ReleaseRules to) {
    return "from NCCL %s to %s".formatted(from.release(), to.release());
  }

  /** The changes; longest wording first. */
  private static Stream<String> wordings(UpgradeResult result) {
    return Stream.concat(Stream.of(changes(result, true), changes(result, false)), first(result));
  }

  /** The first change, and its effect on busbw if known. */
  private static String changes(UpgradeResult result, boolean countsOthers) {
    if (result.points().isEmpty()) {
      return ChangeWords.of(result.change(), List.of());
    }
    UpgradePoint first = result.points().get(0);
    Optional<UpgradePoint> busbw =
        result.points().stream()
            .filter(point -> point.topic() == Topic.BUSBW && !point.equals(first))
            .findFirst();
    int more = result.points().size() - 1 - (busbw.isPresent() ? 1 : 0);
    boolean isOfTimes = first.topic() == Topic.BUSBW || busbw.isPresent();
    String effect =
        isOfTimes || first.topic() == Topic.START
            ? ""
            : result.change().busbw().isEmpty()
                ? "; predicted busbw stays as it is"
                : "; predicted busbw stays within its ranges";
    String changes =
        text(result, first)
            + busbw.map(point -> "; " + text(result, point)).orElse("")
            + others(result)
            + effect;
    return countsOthers && more > 0 ? changes + "; %s more below".formatted(more) : changes;
  }

  /** The first change alone; longest wording first. */
  private static Stream<String> first(UpgradeResult result) {
    if (result.points().isEmpty()) {
      return Stream.of(changes(result, false));
    }
    if (result.points().get(0).topic() != Topic.START) {
      return Stream.of(text(result, result.points().get(0)));
    }
    boolean fails = result.after().failure().isPresent();
    String reason =
        PLACE
            .matcher((fails ? result.after() : result.before()).failure().orElseThrow().reason())
            .replaceFirst("");
    String what = fails ? "it fails" : "it starts, before it fails";
    return Stream.of(
        what + ", as " + reason,
        what + ", as " + reason.split("(, because|; )", 2)[0],
        what + "; the reason is below");
  }

  /** The number of changed choices besides the one reported first. */
  private static String others(UpgradeResult result) {
    int choices = result.change().choices().size() - 1;
    return choices > 0
        ? ", and %s %s"
            .formatted(
                QuantityFormat.count(choices, "more choice"), choices == 1 ? "changes" : "change")
        : "";
  }

  private static String text(UpgradeResult result, UpgradePoint point) {
    return switch (point.topic()) {
      case START -> "it %s, before it %s".formatted(point.after(), point.before());
      case CHANNELS, NVLS, PEERS ->
          "%s use %s channels instead of %s"
              .formatted(point.subject(), point.after(), point.before());
      case BUSBW -> "%s %s".formatted(point.subject(), UpgradeWords.busbw(result));
      case CHOICE ->
          "NCCL runs %s by %s instead of %s"
              .formatted(point.subject(), point.after(), point.before());
      case GRAPH ->
          "the %s graph becomes %s instead of %s"
              .formatted(point.subject(), point.after(), point.before());
    };
  }

  /** Returns the sentence about a fleet. */
  public static String of(FleetUpgrade result) {
    int nodes = result.nFiles() - result.unreadable().size();
    String releases = releases(result.from(), result.to());
    String unread = DiffSentence.unread(result.unreadable());
    if (result.nChanged() == 0) {
      return result.nUnknown() == 0
          ? "Nothing changes on any of %s %s%s."
              .formatted(QuantityFormat.count(nodes, "node"), releases, unread)
          : "Of %s of %s it is not known what changes %s%s."
              .formatted(result.nUnknown(), QuantityFormat.count(nodes, "node"), releases, unread);
    }
    Group first = result.changed().get(0);
    String subject =
        "%s of %s %s %s; %s of them in a job of %s: "
            .formatted(
                result.nChanged(),
                QuantityFormat.count(nodes, "node"),
                result.nChanged() == 1 ? "changes" : "change",
                releases,
                first.files().size() == result.nChanged() ? "all" : first.files().size(),
                QuantityFormat.count(first.result().nodes(), "equal node"));
    String unknown =
        result.nUnknown() > 0 ? "; of %s it is not known".formatted(result.nUnknown()) : "";
    return Sentence.of(
        wordings(first.result())
            .map(changes -> subject + changes + unknown + unread + ".")
            .toList());
  }
}
