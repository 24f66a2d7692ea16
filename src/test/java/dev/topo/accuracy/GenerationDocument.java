package dev.topo.accuracy;

import dev.topo.accuracy.GenerationRow.Band;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.DataType;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.tuning.Decision.Choice;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The tables of docs/accuracy-generations.md, and the file of all its predictions. */
final class GenerationDocument {
  /** Rows of one call by two releases that differ by more are listed. */
  private static final double RELEASES_DIFFER = 1.2;

  /** A time with what is predicted for it by a fit that has not seen its size. */
  private record Unseen(GenerationRow row, double us) {
    double error() {
      return us / row.timeUs() - 1;
    }

    KnownSpread spread() {
      String part =
          row.operation() instanceof PeerOperation
              ? KnownSpread.PEER
              : row.isMulticast() ? KnownSpread.NVLS : "";
      return KnownSpread.of(row.calibration() + part, Launch.EACH, row.operation(), row.bytes())
          .orElseThrow();
    }

    boolean isInRange() {
      return Math.max(us, row.timeUs()) <= Math.min(us, row.timeUs()) * (1 + spread().part());
    }
  }

  private final List<Unseen> all = unseen(GenerationTest::sizesLeftOut);

  /** The times of all calibrations, each by a fit that has not seen some part of them. */
  private static List<Unseen> unseen(Function<String, Map<GenerationRow, Double>> leftOut) {
    List<Unseen> times = new ArrayList<>();
    for (String calibration : GenerationFit.ALL) {
      leftOut.apply(calibration).forEach((row, us) -> times.add(new Unseen(row, us)));
    }
    return times;
  }

  Map<String, String> tables() {
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put("bands", bands());
    tables.put(
        "operations",
        errors(
            "system, GPUs, operation",
            one -> {
              GenerationRow row = one.row();
              return "%s, %d, %s".formatted(row.system(), row.gpus(), row.operation().label());
            },
            one -> one.row().band() != Band.SMALL));
    tables.put(
        "GPUs left out",
        unseenErrors(
            unseen(GenerationTest::fourGpusLeftOut),
            one -> one.row().system() + ", " + one.row().band().label(),
            one -> true));
    tables.put(
        "operations left out",
        unseenErrors(
            unseen(GenerationTest::operationsLeftOut),
            one -> one.row().system() + ", " + one.row().operation().label(),
            one -> one.row().band() != Band.SMALL));
    tables.put("releases", releases());
    return tables;
  }

  /** Errors of times by fits that have not seen a number of GPUs or an operation. */
  private static String unseenErrors(
      List<Unseen> times, Function<Unseen, String> group, Predicate<Unseen> wanted) {
    StringBuilder text =
        new StringBuilder("| left out | times | median | 90th percentile |\n")
            .append("|---|---:|---:|---:|\n");
    groups(times, group, wanted)
        .forEach(
            (label, rows) -> {
              Errors errors = Errors.of(rows.stream().mapToDouble(Unseen::error).toArray());
              text.append(
                  String.format(
                      Locale.ROOT,
                      "| %s | %d | %.1f %% | %.1f %% |\n",
                      label,
                      errors.count(),
                      100 * errors.median(),
                      100 * errors.percentile90()));
            });
    return text.toString();
  }

  private String bands() {
    return errors(
        "system and size",
        one -> one.row().system() + ", " + one.row().band().label(),
        one -> true);
  }

  private String errors(String what, Function<Unseen, String> group, Predicate<Unseen> wanted) {
    StringBuilder text =
        new StringBuilder("| " + what + " | times | median | 90th percentile | in the range |")
            .append(" NCCL's model: median | 90th percentile |\n")
            .append("|---|---:|---:|---:|---:|---:|---:|\n");
    groups(all, group, wanted).forEach((label, rows) -> text.append(line(label, rows)));
    return text.toString();
  }

  private static Map<String, List<Unseen>> groups(
      List<Unseen> times, Function<Unseen, String> group, Predicate<Unseen> wanted) {
    return times.stream()
        .filter(wanted)
        .collect(Collectors.groupingBy(group, LinkedHashMap::new, Collectors.toList()));
  }

  private static String line(String label, List<Unseen> rows) {
    Errors ours = Errors.of(rows.stream().mapToDouble(Unseen::error).toArray());
    double[] theirs =
        rows.stream()
            .filter(one -> one.row().ncclUs().isPresent())
            .mapToDouble(one -> one.row().ncclUs().getAsDouble() / one.row().timeUs() - 1)
            .toArray();
    Errors nccl = Errors.of(theirs);
    return String.format(
            Locale.ROOT,
            "| %s | %d | %.1f %% | %.1f %% | %.0f %% |",
            label,
            ours.count(),
            100 * ours.median(),
            100 * ours.percentile90(),
            100.0 * rows.stream().filter(Unseen::isInRange).count() / rows.size())
        + (theirs.length == 0
            ? " none | |\n"
            : String.format(
                Locale.ROOT,
                " %.0f %% | %.0f %% |\n",
                100 * nccl.median(),
                100 * nccl.percentile90()));
  }

  /** Calls whose times differ between releases, with what NCCL chooses under each. */
  private String releases() {
    Map<String, Map<String, Unseen>> calls = new TreeMap<>(Comparator.naturalOrder());
    for (Unseen one : all) {
      GenerationRow row = one.row();
      String call =
          "%s, %d GPUs | %s of %s, %12d"
              .formatted(
                  row.system(),
                  row.gpus(),
                  row.operation().label(),
                  row.type().label(),
                  row.bytes());
      calls.computeIfAbsent(call, key -> new TreeMap<>()).put(row.nccl(), one);
    }
    StringBuilder text =
        new StringBuilder("| machine | call | release: time, predicted, by | reason |\n")
            .append("|---|---|---|---|\n");
    calls.forEach((call, byRelease) -> text.append(difference(call, byRelease)));
    return text.toString();
  }

  private static String difference(String call, Map<String, Unseen> byRelease) {
    List<Unseen> sorted =
        byRelease.values().stream()
            .sorted(Comparator.comparingDouble(one -> one.row().timeUs()))
            .toList();
    Unseen fastest = sorted.get(0);
    Unseen slowest = sorted.get(sorted.size() - 1);
    if (slowest.row().timeUs() < RELEASES_DIFFER * fastest.row().timeUs()) {
      return "";
    }
    String times =
        byRelease.values().stream()
            .map(
                one ->
                    String.format(
                        Locale.ROOT,
                        "%s: %.1f us, %.1f us, %s",
                        one.row().nccl(),
                        one.row().timeUs(),
                        one.us(),
                        by(one.row())))
            .collect(Collectors.joining("; "));
    String[] parts = call.split(", +(?=[0-9]+$)");
    return "| %s %s | %s | %s |\n"
        .formatted(
            parts[0],
            QuantityFormat.size(Long.parseLong(parts[1].strip())),
            times,
            by(fastest.row()).equals(by(slowest.row()))
                ? "none known: the choice is the same"
                : "the choice");
  }

  private static String by(GenerationRow row) {
    return row.choice().map(GenerationDocument::by).orElseGet(row::protocol);
  }

  private static String by(Choice choice) {
    return "%s/%s on %d"
        .formatted(choice.algorithm().label(), choice.protocol().label(), choice.channels());
  }

  /** All predictions, in columns named as AI Configurator's; times in milliseconds. */
  String csv() {
    StringBuilder text =
        new StringBuilder(
            "device,version,op_name,nccl_dtype,num_gpus,message_size,latency,predicted,low,high,fitted,nccl_model,choice\n");
    for (Unseen one : all) {
      GenerationRow row = one.row();
      double part = 1 + one.spread().part();
      double fitted =
          GenerationRow.model(CalibrationFile.shipped(row.calibration()).orElseThrow())
              .timeUs(row.shape());
      text.append(
          String.format(
              Locale.ROOT,
              "%s,%s,%s,%s,%d,%d,%.5f,%.5f,%.5f,%.5f,%.5f,%s,%s%n",
              row.system(),
              row.nccl(),
              row.operation().ncclTestsName(),
              row.type() == DataType.FLOAT16 ? "half" : "int8",
              row.gpus(),
              row.bytes() / row.type().sizeBytes(),
              row.timeUs() / 1000,
              one.us() / 1000,
              one.us() / part / 1000,
              one.us() * part / 1000,
              fitted / 1000,
              row.ncclUs().isPresent()
                  ? String.format(Locale.ROOT, "%.5f", row.ncclUs().getAsDouble() / 1000)
                  : "",
              by(row)));
    }
    return text.toString().replace(System.lineSeparator(), "\n");
  }
}
