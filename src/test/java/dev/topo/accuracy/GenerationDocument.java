package dev.topo.accuracy;

import dev.topo.accuracy.GenerationRow.Band;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The files of docs/accuracy on generations of GPUs: all predictions, and their errors. */
final class GenerationDocument {
  /** Rows of one call by two releases that differ by more are listed. */
  private static final double RELEASES_DIFFER = 1.2;

  private static final String FROM_256_KIB = "from 256 KiB";

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

    boolean isFrom256KiB() {
      return row.band() != Band.SMALL;
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

  /** Errors by what the fits have not seen: a size, a number of GPUs, an operation. */
  AccuracyFile errors() {
    AccuracyFile file =
        new AccuracyFile(
            "left_out,system,gpus,operation,sizes,times,median_percent,p90_percent,in_range_percent,nccl_median_percent,nccl_p90_percent");
    String other = "all,all,";
    add(file, "size", all, one -> other + one.row().band().label(), one -> true);
    add(file, "size", all, one -> other + FROM_256_KIB, Unseen::isFrom256KiB);
    add(
        file,
        "size",
        all,
        one -> "%d,%s,%s".formatted(one.row().gpus(), one.row().operation().label(), FROM_256_KIB),
        Unseen::isFrom256KiB);
    List<Unseen> four = unseen(GenerationTest::fourGpusLeftOut);
    add(file, "number of GPUs", four, one -> "4,all," + one.row().band().label(), one -> true);
    add(file, "number of GPUs", four, one -> "4,all," + FROM_256_KIB, Unseen::isFrom256KiB);
    List<Unseen> operations = unseen(GenerationTest::operationsLeftOut);
    add(file, "operation", operations, one -> other + FROM_256_KIB, Unseen::isFrom256KiB);
    add(
        file,
        "operation",
        operations,
        one -> "all,%s,%s".formatted(one.row().operation().label(), FROM_256_KIB),
        Unseen::isFrom256KiB);
    return file;
  }

  /** A row for each system and group of its times. */
  private static void add(
      AccuracyFile file,
      String left,
      List<Unseen> times,
      Function<Unseen, String> group,
      Predicate<Unseen> wanted) {
    groups(times, one -> one.row().system() + "," + group.apply(one), wanted)
        .forEach(
            (key, rows) -> {
              String[] of = key.split(",", -1);
              Errors ours = Errors.of(rows.stream().mapToDouble(Unseen::error).toArray());
              Errors nccl =
                  Errors.of(
                      rows.stream()
                          .filter(one -> one.row().ncclUs().isPresent())
                          .mapToDouble(
                              one -> one.row().ncclUs().getAsDouble() / one.row().timeUs() - 1)
                          .toArray());
              long inside = rows.stream().filter(Unseen::isInRange).count();
              file.add(
                  left,
                  of[0],
                  of[1],
                  of[2],
                  of[3],
                  ours.count(),
                  AccuracyFile.median(ours),
                  AccuracyFile.percentile90(ours),
                  AccuracyFile.percent((double) inside / rows.size()),
                  AccuracyFile.median(nccl),
                  AccuracyFile.percentile90(nccl));
            });
  }

  private static Map<String, List<Unseen>> groups(
      List<Unseen> times, Function<Unseen, String> group, Predicate<Unseen> wanted) {
    return times.stream()
        .filter(wanted)
        .collect(Collectors.groupingBy(group, LinkedHashMap::new, Collectors.toList()));
  }

  /** Calls whose times differ between releases, with what NCCL chooses under each. */
  AccuracyFile releases() {
    Map<String, Map<String, Unseen>> calls = new TreeMap<>();
    for (Unseen one : all) {
      GenerationRow row = one.row();
      String call =
          "%s,%d,%s,%s,%012d"
              .formatted(
                  row.system(),
                  row.gpus(),
                  row.operation().label(),
                  row.type().label(),
                  row.bytes());
      calls.computeIfAbsent(call, key -> new TreeMap<>()).put(row.nccl(), one);
    }
    AccuracyFile file =
        new AccuracyFile(
            "system,gpus,operation,type,bytes,nccl,time_us,predicted_us,choice,reason");
    calls.values().forEach(byRelease -> addDifference(file, byRelease.values()));
    return file;
  }

  private static void addDifference(AccuracyFile file, Collection<Unseen> byRelease) {
    List<Unseen> sorted =
        byRelease.stream().sorted(Comparator.comparingDouble(one -> one.row().timeUs())).toList();
    GenerationRow fastest = sorted.get(0).row();
    GenerationRow slowest = sorted.get(sorted.size() - 1).row();
    if (slowest.timeUs() < RELEASES_DIFFER * fastest.timeUs()) {
      return;
    }
    String reason = by(fastest).equals(by(slowest)) ? "none known" : "the choice";
    for (Unseen one : byRelease) {
      GenerationRow row = one.row();
      file.add(
          row.system(),
          row.gpus(),
          row.operation().label(),
          row.type().label(),
          row.bytes(),
          row.nccl(),
          String.format(Locale.ROOT, "%.1f", row.timeUs()),
          String.format(Locale.ROOT, "%.1f", one.us()),
          by(row),
          reason);
    }
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
