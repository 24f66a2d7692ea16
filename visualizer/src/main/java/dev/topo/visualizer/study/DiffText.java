package dev.topo.visualizer.study;

import dev.topo.inspect.difference.Difference;
import dev.topo.inspect.difference.Fleet;
import dev.topo.model.Alike;
import dev.topo.model.MachineFormat;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.variant.DiffResult;
import dev.topo.simulator.variant.DiffResult.DiffSettings;
import dev.topo.simulator.variant.DiffResult.Tried;
import dev.topo.simulator.variant.FleetResult;
import dev.topo.simulator.variant.FleetResult.Odd;
import dev.topo.simulator.variant.FleetResult.Reference;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.BasisFooter;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the differences of two machines or of a fleet as text. */
public final class DiffText {
  /** Number of files of a group that are named; the others are counted. */
  private static final int NAMED_FILES = 3;

  /** Number of places of a difference that are named. */
  private static final int NAMED_PLACES = 2;

  /** Up to this many differences are shown in full. */
  private static final int MAX_IN_FULL = 2;

  /** Number of kinds of differences listed unless the user asks for all. */
  private static final int MAX_LISTED = 5;

  private DiffText() {}

  /**
   * Compares two machines: each difference with its own effect, then all together.
   *
   * @param isVerbose whether to show all changes caused by each difference instead of the most
   *     important one
   */
  public static Answer of(DiffResult result, boolean isVerbose) {
    TextWriter out = new TextWriter();
    side(out, "A", result.a());
    side(out, "B", result.b());
    DiffSettings settings = result.settings();
    int n = result.differences().size();
    if (n == 0) {
      out.line("\nequal machines");
      if (!result.together().isNone()) {
        out.line(
            "but NCCL takes the order of the file where it has no other reason: B instead of A in %s",
            job(settings));
        out.text(ChangeText.of(result.together(), settings.shownBytes()));
      }
      return Answer.of(out);
    }
    out.line(
        n == 1
            ? "\n%d difference, tried on A in %s"
            : "\n%d differences, each by itself on A in %s",
        n,
        job(settings));
    failure(out, settings);
    if (!isVerbose && n > MAX_IN_FULL) {
      brief(out, result);
      return Answer.of(out);
    }
    for (Tried tried : result.differences()) {
      out.line("\n%s\n  at %s", tried.difference(), places(tried.difference()));
      out.text(ChangeText.of(tried.change(), settings.shownBytes()));
    }
    if (n > 1) {
      out.line("\nall of them, B instead of A");
      out.text(ChangeText.of(result.together(), settings.shownBytes()));
    }
    source(out, settings);
    return Answer.of(out);
  }

  /** Groups the differences that have the same effect; the most important group comes first. */
  private static void brief(TextWriter out, DiffResult result) {
    List<Long> bytes = result.settings().shownBytes();
    Map<String, List<Tried>> byChange =
        Alike.by(
            result.differences().stream()
                .sorted(
                    Comparator.comparingDouble(tried -> -ChangeWords.weight(tried.change(), bytes)))
                .toList(),
            tried -> ChangeWords.listed(tried.change(), bytes));
    byChange.entrySet().stream()
        .limit(MAX_LISTED)
        .forEach(
            entry -> {
              Tried first = entry.getValue().get(0);
              out.paragraph(
                  "  %s%s".formatted(brief(first.difference()), places(entry.getValue())), "    ");
              out.paragraph("    → " + entry.getKey(), "      ");
            });
    int more = byChange.size() - MAX_LISTED;
    out.line(
        "  %s%s",
        more > 0
            ? "%s more%s: ".formatted(QuantityFormat.count(more, "kind"), unknown(byChange, bytes))
            : "",
        Hint.LISTS_ALL);
    out.line("\nall of them, B instead of A");
    out.paragraph("    → " + ChangeWords.listed(result.together(), bytes), "      ");
    source(out, result.settings());
  }

  /** Counts the differences whose effect is unknown; they come last. */
  private static String unknown(Map<String, List<Tried>> byChange, List<Long> bytes) {
    long unknown =
        byChange.values().stream()
            .skip(MAX_LISTED)
            .flatMap(List::stream)
            .filter(tried -> ChangeWords.isUnknown(tried.change(), bytes))
            .count();
    return unknown == 0
        ? ""
        : ", with %s of unknown effect".formatted(QuantityFormat.count(unknown, "difference"));
  }

  private static String places(List<Tried> alike) {
    int more = alike.size() - 1;
    return " (%s)%s"
        .formatted(
            places(alike.get(0).difference()),
            more == 0 ? "" : " and %s like it".formatted(QuantityFormat.count(more, "difference")));
  }

  /**
   * A difference in one line; if an attribute differs in many devices, the first is named and the
   * others are counted.
   */
  static String brief(Difference difference) {
    int more = difference.places().size() - 1;
    return difference.kind() == Difference.Kind.ATTRIBUTE && more > 0
        ? "%s and %s more: %s %s → %s"
            .formatted(
                difference.places().get(0).name(),
                more,
                difference.property(),
                difference.before(),
                difference.after() + unit(difference))
        : difference + unit(difference);
  }

  /** The device that differs, without the devices below one that only one machine has. */
  static String subject(Difference difference) {
    return switch (difference.kind()) {
      case MISSING -> difference.places().get(0).name() + " is missing";
      case ADDED -> difference.places().get(0).name() + " is only in the second";
      default -> brief(difference);
    };
  }

  private static String unit(Difference difference) {
    return difference.property().equals("speed") ? " Mb/s" : "";
  }

  /** Describes a fleet: the reference, then the odd nodes, then the files that cannot be read. */
  public static Answer of(FleetResult result) {
    TextWriter out = new TextWriter();
    Reference reference = result.reference().orElseThrow();
    Optional<Path> folder = result.folder();
    out.line(
        "%s%s: %d equal, %d odd, %d not readable",
        QuantityFormat.count(result.nFiles(), "file"),
        folder.map(f -> " in " + f).orElse(""),
        reference.files().size(),
        result.odd().stream().mapToInt(odd -> odd.files().size()).sum(),
        result.unreadable().size());
    side(out.line(""), "reference", reference.machine());
    out.line("  %s", files(reference.files(), folder));
    DiffSettings settings = reference.settings();
    failure(out, settings);
    for (Odd odd : result.odd()) {
      out.line("\nodd: %s", files(odd.files(), folder)).lines("  ", odd.differences());
      out.line("  in %s%s", job(settings), settings.nodes() > 1 ? ", one of them this:" : ":");
      out.lines("  ", ChangeText.of(odd.change(), settings.shownBytes()).lines().toList());
    }
    unreadable(out, result.unreadable());
    if (!result.odd().isEmpty()) {
      source(out, settings);
    }
    return Answer.of(out);
  }

  /** Lists the files of a fleet that cannot be read. */
  static void unreadable(TextWriter out, List<Fleet.Unreadable> files) {
    if (!files.isEmpty()) {
      out.line("\nnot readable:").lines("  ", files.stream().map(Fleet.Unreadable::line).toList());
    }
  }

  private static void side(TextWriter out, String label, DiffResult.Side side) {
    out.line("%s %s: %s", label, side.name(), MachineFormat.summary(side.topology()));
  }

  private static String job(DiffSettings settings) {
    return TextWriter.format(
        "%s (%s)", settings.job(), QuantityFormat.count(settings.nRanks(), "rank"));
  }

  private static void failure(TextWriter out, DiffSettings settings) {
    settings.failure().ifPresent(why -> out.line("on the job of A %s", why.sentence()));
  }

  private static void source(TextWriter out, DiffSettings settings) {
    if (!settings.sources().isEmpty()) {
      BasisFooter.write(out, List.of("busbw " + basis(settings)), true);
    }
  }

  private static String basis(DiffSettings settings) {
    List<String> parts = new ArrayList<>();
    if (settings.sources().stream().anyMatch(Source::judges)) {
      parts.add("by calibration " + String.join(" and ", settings.calibrations()));
    }
    if (settings.sources().contains(Source.PUBLISHED)) {
      parts.add("of NVLS by published measurements");
    }
    if (settings.sources().contains(Source.NETWORK)) {
      parts.add("by the model of the network, with constants from published measurements");
    }
    if (settings.sources().contains(Source.UNMEASURED)) {
      parts.add(
          "by the model of the network for algorithms that were never measured between nodes");
    }
    if (settings.sources().contains(Source.NCCL_MODEL)) {
      parts.add(
          "from NCCL's own model where no calibration covers the call (several nodes, or these GPUs): it ranks"
              + " choices, real busbw differs");
    }
    return String.join(", ", parts);
  }

  private static String files(List<Path> files, Optional<Path> folder) {
    return QuantityFormat.firstOf(
        files.stream()
            .map(file -> folder.map(f -> f.relativize(file)).orElse(file).toString())
            .toList(),
        NAMED_FILES);
  }

  private static String places(Difference difference) {
    int more = difference.places().size() - NAMED_PLACES;
    String named =
        difference.places().stream()
            .limit(NAMED_PLACES)
            .map(
                place ->
                    Stream.concat(
                            place.inA().map(a -> "A " + line(a)).stream(),
                            place.inB().map(b -> "B " + line(b)).stream())
                        .collect(Collectors.joining(", ")))
            .collect(Collectors.joining("; "));
    return more > 0 ? named + " and " + QuantityFormat.count(more, "place") + " more" : named;
  }

  private static String line(SourceLocation location) {
    return "line " + location.line();
  }
}
