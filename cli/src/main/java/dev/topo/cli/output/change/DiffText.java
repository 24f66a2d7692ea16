package dev.topo.cli.output.change;

import dev.topo.inspect.compare.Difference;
import dev.topo.inspect.fleet.Fleet;
import dev.topo.model.MachineFormat;
import dev.topo.model.QuantityFormat;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.simulator.Prediction.Source;
import dev.topo.simulator.compare.DiffResult;
import dev.topo.simulator.compare.DiffResult.DiffSettings;
import dev.topo.simulator.compare.FleetResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Differences of machines and of a fleet as people read them. */
public final class DiffText {
  /** Files of a group that are named; the others are counted. */
  private static final int NAMED_FILES = 3;

  /** Places of a difference that are named. */
  private static final int NAMED_PLACES = 2;

  private DiffText() {}

  /** Two machines: each difference with what it changes by itself, then all together. */
  public static String of(DiffResult result) {
    StringBuilder out = new StringBuilder();
    side(out, "A", result.a());
    side(out, "B", result.b());
    DiffSettings settings = result.settings();
    int n = result.differences().size();
    if (n == 0) {
      out.append("\nequal machines\n");
      if (!result.together().isNone()) {
        out.append("but NCCL takes the order of the file where it has no other reason: ")
            .append("B instead of A in ")
            .append(job(settings))
            .append('\n');
        ChangeText.append(out, result.together(), settings.shownBytes());
      }
      return out.toString();
    }
    out.append('\n')
        .append(n)
        .append(n == 1 ? " difference, tried on A in " : " differences, each by itself on A in ")
        .append(job(settings))
        .append('\n');
    failure(out, settings);
    for (DiffResult.Tried tried : result.differences()) {
      out.append('\n').append(tried.difference()).append('\n');
      out.append("  at ").append(places(tried.difference())).append('\n');
      ChangeText.append(out, tried.change(), settings.shownBytes());
    }
    if (n > 1) {
      out.append("\nall of them, B instead of A\n");
      ChangeText.append(out, result.together(), settings.shownBytes());
    }
    source(out, settings);
    return out.toString();
  }

  /** A fleet: the reference, then the odd nodes, then what cannot be read. */
  public static String of(FleetResult result) {
    StringBuilder out = new StringBuilder();
    FleetResult.Reference reference = result.reference().orElseThrow();
    int nOdd = result.odd().stream().mapToInt(odd -> odd.files().size()).sum();
    Optional<Path> folder = result.folder();
    out.append(QuantityFormat.count(result.nFiles(), "file"));
    folder.ifPresent(f -> out.append(" in ").append(f));
    out.append(": ");
    out.append(reference.files().size()).append(" equal, ").append(nOdd).append(" odd, ");
    out.append(result.unreadable().size()).append(" not readable\n");
    side(out, "\nreference", reference.machine());
    out.append("  ").append(files(reference.files(), folder)).append('\n');
    DiffSettings settings = reference.settings();
    failure(out, settings);
    for (FleetResult.Odd odd : result.odd()) {
      out.append("\nodd: ").append(files(odd.files(), folder)).append('\n');
      odd.differences().forEach(difference -> out.append("  ").append(difference).append('\n'));
      out.append("  in ")
          .append(job(settings))
          .append(settings.nodes() > 1 ? ", one of them this:" : ":")
          .append('\n');
      StringBuilder change = new StringBuilder();
      ChangeText.append(change, odd.change(), settings.shownBytes());
      change.toString().lines().forEach(line -> out.append("  ").append(line).append('\n'));
    }
    if (!result.unreadable().isEmpty()) {
      out.append("\nnot readable:\n");
    }
    for (Fleet.Unreadable one : result.unreadable()) {
      String file = one.file().toString();
      String message = one.message();
      out.append("  ")
          .append(message.startsWith(file) ? message : file + ": " + message)
          .append('\n');
    }
    if (!result.odd().isEmpty()) {
      source(out, settings);
    }
    return out.toString();
  }

  private static void side(StringBuilder out, String label, DiffResult.Side side) {
    out.append(label).append(' ').append(side.name()).append(": ");
    out.append(MachineFormat.summary(side.topology())).append('\n');
  }

  private static String job(DiffSettings settings) {
    return "a job of "
        + QuantityFormat.count(settings.nodes(), "node")
        + " ("
        + QuantityFormat.count(settings.nRanks(), "rank")
        + ")";
  }

  private static void failure(StringBuilder out, DiffSettings settings) {
    settings
        .failure()
        .ifPresent(
            reason -> out.append("NCCL fails on the job of A: ").append(reason).append('\n'));
  }

  private static void source(StringBuilder out, DiffSettings settings) {
    if (!settings.sources().isEmpty()) {
      out.append("\nbusbw ").append(basis(settings)).append('\n');
    }
  }

  private static String basis(DiffSettings settings) {
    List<String> parts = new ArrayList<>();
    if (settings.sources().stream().anyMatch(Source::predictsTimes)) {
      parts.add("by calibration " + String.join(" and ", settings.calibrations()));
    }
    if (settings.sources().contains(Source.PUBLISHED)) {
      parts.add("of NVLS by published measurements");
    }
    if (settings.sources().contains(Source.NCCL_MODEL)) {
      parts.add(
          "from NCCL's own model where no calibration covers the call (several nodes, or these GPUs): it ranks"
              + " choices, real busbw differs");
    }
    return String.join(", ", parts);
  }

  private static String files(List<Path> files, Optional<Path> folder) {
    String named =
        files.stream()
            .limit(NAMED_FILES)
            .map(file -> folder.map(f -> f.relativize(file)).orElse(file).toString())
            .collect(Collectors.joining(", "));
    int more = files.size() - NAMED_FILES;
    return more > 0 ? named + " and " + more + " more" : named;
  }

  private static String places(Difference difference) {
    List<String> texts = new ArrayList<>();
    for (Difference.Place place : difference.places()) {
      texts.add(
          place.inA().map(a -> "A " + line(a)).orElse("")
              + (place.inA().isPresent() && place.inB().isPresent() ? ", " : "")
              + place.inB().map(b -> "B " + line(b)).orElse(""));
    }
    int more = texts.size() - NAMED_PLACES;
    String named = texts.stream().limit(NAMED_PLACES).collect(Collectors.joining("; "));
    return more > 0 ? named + " and " + QuantityFormat.count(more, "place") + " more" : named;
  }

  private static String line(SourceLocation location) {
    return "line " + location.line();
  }
}
