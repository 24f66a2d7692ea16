package dev.topo.visualizer.study;

import dev.topo.inspect.difference.Fleet;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.variant.DiffResult;
import dev.topo.simulator.variant.DiffResult.DiffSettings;
import dev.topo.simulator.variant.DiffResult.Tried;
import dev.topo.simulator.variant.FleetResult;
import dev.topo.simulator.variant.FleetResult.Odd;
import dev.topo.simulator.variant.FleetResult.Reference;
import dev.topo.simulator.variant.JobChange;
import dev.topo.visualizer.view.Answer.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** States in one sentence how many differences machines have and which of them matters. */
public final class DiffSentence {
  private DiffSentence() {}

  /** Returns the sentence about two machines. */
  public static String of(DiffResult result) {
    String pair = result.a().name() + " and " + result.b().name();
    int n = result.differences().size();
    if (n == 0) {
      return result.together().isNone()
          ? pair + " are equal machines."
          : "%s are equal but for the order of the file, which NCCL follows in %s: %s."
              .formatted(pair, result.settings().job(), text(result.together(), result.settings()));
    }
    Tried first =
        result.differences().stream()
            .max(
                Comparator.comparingDouble(
                    tried -> ChangeWords.weight(tried.change(), result.settings().shownBytes())))
            .orElseThrow();
    String count = "%s differ in %s".formatted(pair, QuantityFormat.count(n, "thing"));
    if (result.settings().failure().isPresent()) {
      return "%s; what they change is not known, as %s."
          .formatted(count, result.settings().failure().get().sentence());
    }
    if (n == 1) {
      return first.change().isNone()
          ? "%s, which changes nothing in %s: %s."
              .formatted(count, result.settings().job(), first.difference())
          : Sentence.of(
              effects(first.change(), result.settings()).stream()
                  .map(
                      effect ->
                          "%s: %s; in %s %s."
                              .formatted(
                                  count, first.difference(), result.settings().job(), effect))
                  .toList());
    }
    String subject =
        "%s instead of %s on %s: "
            .formatted(result.b().name(), result.a().name(), result.settings().nodesOrJob());
    List<String> wordings = new ArrayList<>();
    for (String effects : effects(result.together(), result.settings())) {
      String all = subject + effects;
      alone(result, first).forEach(effect -> wordings.add("%s; %s.".formatted(all, effect)));
      wordings.add(all + ".");
    }
    return Sentence.of(wordings);
  }

  /** Effects of the differences tried alone; longest wording first. */
  private static List<String> alone(DiffResult result, Tried first) {
    List<Long> bytes = result.settings().shownBytes();
    int n = result.differences().size();
    Optional<String> amount = ChangeWords.amount(first.change(), result.together(), bytes);
    if (amount.isPresent()) {
      return Stream.of(DiffText.brief(first.difference()), DiffText.subject(first.difference()))
          .map(what -> "the largest effect alone: %s (%s)".formatted(what, amount.get()))
          .toList();
    }
    long unknown =
        result.differences().stream()
            .filter(tried -> ChangeWords.isUnknown(tried.change(), bytes))
            .count();
    return List.of(
        unknown == 0
            ? "none of their %s differences alone changes anything".formatted(n)
            : "what %s of their %s differences change alone is not known".formatted(unknown, n));
  }

  /** Returns the sentence about a fleet, which must have a reference. */
  public static String of(FleetResult result) {
    Reference reference = result.reference().orElseThrow();
    int nodes = result.nFiles() - result.unreadable().size();
    int odd = result.odd().stream().mapToInt(machine -> machine.files().size()).sum();
    String unread = unread(result.unreadable());
    if (odd == 0) {
      return nodes == 1
          ? "Only one file can be read, so that nothing is compared" + unread + "."
          : "All %s nodes are equal%s.".formatted(nodes, unread);
    }
    Odd worst =
        result.odd().stream()
            .max(
                Comparator.comparingDouble(
                    machine ->
                        ChangeWords.weight(machine.change(), reference.settings().shownBytes())))
            .orElseThrow();
    int others = worst.differences().size() - 1;
    DiffSettings settings = reference.settings();
    String count =
        "%s of %s %s from the reference %s (%s); %s"
            .formatted(
                odd,
                QuantityFormat.count(nodes, "node"),
                odd == 1 ? "differs" : "differ",
                reference.machine().name(),
                QuantityFormat.count(reference.files().size(), "node"),
                (odd == 1 ? "" : "first ") + worst.files().get(0).getFileName());
    String difference =
        ": “%s”%s"
            .formatted(
                DiffText.brief(worst.differences().get(0)),
                others > 0 ? " and %s more".formatted(others) : "");
    String number = " in " + QuantityFormat.count(worst.differences().size(), "thing");
    String effect = " with it " + text(worst.change(), settings);
    String brief = " with it " + ChangeWords.brief(worst.change(), settings.shownBytes());
    return Sentence.of(
        Stream.of(
                difference + "; in " + settings.job() + effect,
                difference + "; on " + settings.nodesOrJob() + effect,
                difference + "; on " + settings.nodesOrJob() + brief,
                number + "; on " + settings.nodesOrJob() + effect,
                number + "; on " + settings.nodesOrJob() + brief,
                " on " + settings.nodesOrJob() + brief.replace(" with it", ":"))
            .map(end -> count + end + unread + ".")
            .toList());
  }

  /**
   * States how many files of a fleet cannot be read, after a semicolon; empty if all can be read.
   */
  static String unread(List<Fleet.Unreadable> files) {
    return files.isEmpty()
        ? ""
        : "; %s cannot be read".formatted(QuantityFormat.count(files.size(), "file"));
  }

  /** The most important change and the largest in the opposite direction; longest wording first. */
  private static List<String> effects(JobChange change, DiffSettings settings) {
    String opposite = ChangeWords.opposite(change, settings.shownBytes());
    String brief = ChangeWords.brief(change, settings.shownBytes());
    String text = text(change, settings);
    return opposite.isEmpty() ? List.of(text) : List.of(text + opposite, brief + opposite, text);
  }

  private static String text(JobChange change, DiffSettings settings) {
    return ChangeWords.of(change, settings.shownBytes());
  }
}
