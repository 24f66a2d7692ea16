package dev.topo.accuracy;

import dev.topo.inspect.measured.Measurement;
import dev.topo.model.QuantityFormat;
import dev.topo.model.fixture.DocumentTables;
import dev.topo.model.fixture.NotRun;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.simulator.verdict.CalibrationFit.FitResult;
import dev.topo.simulator.verdict.ChoiceRegret;
import dev.topo.simulator.verdict.ErrorTable;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import dev.topo.simulator.verdict.MeasuredSet;
import dev.topo.simulator.verdict.ModelError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The tables of docs/accuracy.md are what the measured data and the shipped calibration give.
 * {@code -Dgolden.update=true} writes them; the text around them is written by hand.
 */
@Tag("slow")
class AccuracyDocumentTest {

  private static final Calibration CALIBRATION =
      CalibrationFile.shipped("h200-nvswitch").orElseThrow();
  private static final TimingModel MODEL = new TimingModel(CALIBRATION);

  @Test
  void tablesAreUpToDate() throws IOException {
    DocumentTables.check("docs/accuracy.md", Map.of("declared", declared()));
  }

  @Test
  void filesAreUpToDate() throws IOException {
    series().check("h200-series.csv");
    ProcessRuns.file().check("h200-processes.csv");
    ProcessRuns.groupsFile().check("h200-two-groups.csv");
    registered().check("h200-registered.csv");
    channels().check("h200-channels.csv");
    choices().check("h200-choices.csv");
    constants().check("h200-constants.csv");
  }

  /** Each row is a fit: the first ones here, all where {@code Thorough} runs all cases. */
  @Test
  void leftOutIsUpToDate() throws IOException {
    AccuracyFile file =
        new AccuracyFile(
            "left_out,evaluated_on,times,median_percent,p90_percent,fitted_median_percent,fitted_p90_percent");
    addSweeps(file, "2 GPUs on one channel", MeasuredSets.fitToFourGpus());
    addSweeps(file, "all but the 18 series of 4 GPUs", MeasuredSets.fitToSweepAlone());
    addHeldOut(file, "every second size", m -> Long.numberOfTrailingZeros(m.sizeBytes()) % 2 == 1);
    if (Thorough.isOn() || Boolean.getBoolean("golden.update")) {
      for (Collective collective : Collective.values()) {
        addHeldOut(file, collective.label(), m -> m.collective() == collective);
      }
      file.check("h200-left-out.csv");
    } else {
      NotRun.print("fits without one collective" + Thorough.HOW);
      file.checkRows("h200-left-out.csv");
    }
  }

  private static List<ModelError> forced(MeasuredSet set, TimingModel model) {
    return ModelError.of(set, model).stream()
        .filter(c -> c.measurement().forced().isPresent())
        .toList();
  }

  /** Errors by set of measurements, and of the sweeps by collective, algorithm and protocol. */
  private static AccuracyFile series() {
    AccuracyFile file =
        new AccuracyFile(
            "set,series,times,median_percent,p90_percent,largest_percent,nccl_median_percent,nccl_p90_percent");
    sets().forEach(row -> add(file, row.label(), "all", row));
    byPair(file, "4 GPUs", MeasuredSets.x4());
    byPair(file, "2 GPUs, not fitted", MeasuredSets.x2());
    byPair(file, "2 GPUs, a thread for each, not fitted", MeasuredSets.threadsX2());
    byPair(file, "4 GPUs, CUDA graphs, fitted up to 256 KiB", MeasuredSets.graphsX4());
    return file;
  }

  private static void byPair(AccuracyFile file, String name, MeasuredSet set) {
    ErrorTable.of(forced(set, MODEL), ErrorTable::pair).rows().stream()
        .filter(row -> !row.label().equals("all"))
        .forEach(row -> add(file, name, row.label(), row));
  }

  private static void add(AccuracyFile file, String set, String series, ErrorTable.Row row) {
    file.add(
        set,
        series,
        row.model().count(),
        AccuracyFile.median(row.model()),
        AccuracyFile.percentile90(row.model()),
        AccuracyFile.percent(row.model().largest()),
        AccuracyFile.median(row.nccl()),
        AccuracyFile.percentile90(row.nccl()));
  }

  private static List<ErrorTable.Row> sets() {
    List<ErrorTable.Row> rows = new ArrayList<>();
    rows.add(
        ErrorTable.Row.of("4 GPUs, 18 series, 8 B to 4 GiB", forced(MeasuredSets.x4(), MODEL)));
    rows.add(row("4 GPUs, NCCL's choice", MeasuredSets.x4(), m -> m.forced().isEmpty()));
    rows.add(ErrorTable.Row.of("2 GPUs, 18 series, not fitted", forced(MeasuredSets.x2(), MODEL)));
    rows.add(
        row(
            "2 GPUs, without what tells launches apart",
            MeasuredSets.x2(),
            m -> m.forced().isPresent() && !MeasuredSets.isLaunchOnly(m)));
    rows.add(
        ErrorTable.Row.of(
            "2 GPUs, a thread for each, not fitted", forced(MeasuredSets.threadsX2(), MODEL)));
    rows.add(
        ErrorTable.Row.of(
            "4 GPUs, a thread for each, not fitted", forced(MeasuredSets.threadsX4(), MODEL)));
    rows.add(
        row(
            "4 GPUs, CUDA graphs, up to 256 KiB",
            MeasuredSets.graphsX4(),
            m -> m.sizeBytes() <= MeasuredSets.SMALL));
    rows.add(
        row(
            "4 GPUs, CUDA graphs, larger, not fitted",
            MeasuredSets.graphsX4(),
            m -> m.sizeBytes() > MeasuredSets.SMALL));
    rows.add(
        row(
            "2 GPUs, CUDA graphs, not fitted",
            MeasuredSets.graphsX2(),
            m -> !MeasuredSets.isStartOnly(m)));
    rows.add(
        ErrorTable.Row.of(
            "2 GPUs, the same with NCCL_GRAPH_REGISTER=0, Simple, not fitted",
            forced(MeasuredSets.unregisteredX2(), MODEL)));
    rows.add(
        row(
            "1, 4, 12 channels, from 2 MiB",
            MeasuredSets.channels(),
            m -> m.sizeBytes() >= MeasuredSets.LARGE && MeasuredSets.isFittedCount(m)));
    rows.add(
        row(
            "2, 8, 16, 24 channels, from 2 MiB, not fitted",
            MeasuredSets.channels(),
            m -> m.sizeBytes() >= MeasuredSets.LARGE && !MeasuredSets.isFittedCount(m)));
    rows.add(
        row(
            "4 GPUs, a thread for each, 1 channel, from 1 MiB, fitted from 4 MiB",
            MeasuredSets.channelsThreadsX4FromMemory(),
            m -> m.channels().orElseThrow() == 1));
    rows.add(
        row(
            "4 GPUs, a thread for each, 2 to 24 channels, from 1 MiB, not fitted",
            MeasuredSets.channelsThreadsX4FromMemory(),
            m -> m.channels().orElseThrow() > 1));
    rows.add(
        row(
            "4 GPUs, the same by one process, from 16 MiB, not fitted",
            MeasuredSets.channelsFromMemory(),
            m -> m.sizeBytes() >= 16 << 20));
    rows.add(
        row(
            "4 GPUs, a thread for each, buffers of 64 MiB, not fitted",
            MeasuredSets.channelsThreadsX4(),
            m -> m.sizeBytes() >= 1 << 20));
    rows.add(
        row(
            "2 GPUs, 1 channel, from 256 KiB",
            MeasuredSets.channelsX2(),
            m -> m.sizeBytes() >= MeasuredSets.SMALL && m.channels().orElseThrow() == 1));
    rows.add(
        row(
            "2 GPUs, 2 to 24 channels, from 1 MiB, not fitted",
            MeasuredSets.channelsX2(),
            m -> m.sizeBytes() >= 1 << 20 && m.channels().orElseThrow() > 1));
    return rows;
  }

  private static ErrorTable.Row row(String label, MeasuredSet set, Predicate<Measurement> which) {
    return ErrorTable.Row.of(
        label,
        ModelError.of(set, MODEL).stream().filter(c -> which.test(c.measurement())).toList());
  }

  /** What registered buffers change, as measured and as predicted. */
  private static AccuracyFile registered() {
    AccuracyFile file =
        new AccuracyFile(
            "collective,algorithm,bytes,registered_us,registered_predicted_us,unregistered_us,unregistered_predicted_us");
    List<ModelError> with = forced(MeasuredSets.graphsX2(), MODEL);
    for (ModelError without : forced(MeasuredSets.unregisteredX2(), MODEL)) {
      Measurement off = without.measurement();
      if (off.sizeBytes() != 4 << 10 && off.sizeBytes() != 16 << 20) {
        continue;
      }
      ModelError on =
          with.stream()
              .filter(c -> c.measurement().collective() == off.collective())
              .filter(c -> c.measurement().forced().equals(off.forced()))
              .filter(c -> c.measurement().sizeBytes() == off.sizeBytes())
              .findFirst()
              .orElseThrow();
      file.add(
          off.collective().label(),
          off.forced().orElseThrow().algorithm().label(),
          off.sizeBytes(),
          us(on.measurement().timeUs()),
          us(on.predictedUs()),
          us(off.timeUs()),
          us(without.predictedUs()));
    }
    return file;
  }

  private static String us(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** Errors of every call on a forced number of channels. */
  private static AccuracyFile channels() {
    AccuracyFile file = new AccuracyFile("set,series,channels,bytes,signed_error_percent");
    channels(file, "4 GPUs; 1, 4 and 12 fitted", MeasuredSets.channels(), MeasuredSets.LARGE);
    channels(
        file,
        "4 GPUs, a thread for each; 1 channel fitted from 4 MiB",
        MeasuredSets.channelsThreadsX4FromMemory(),
        1 << 20);
    channels(file, "2 GPUs; 1 channel fitted", MeasuredSets.channelsX2(), 1 << 20);
    return file;
  }

  private static void channels(AccuracyFile file, String name, MeasuredSet set, long from) {
    ModelError.of(set, MODEL).stream()
        .filter(one -> one.measurement().sizeBytes() >= from)
        .forEach(
            one ->
                file.add(
                    name,
                    ErrorTable.pair(one),
                    one.measurement().channels().orElseThrow(),
                    one.measurement().sizeBytes(),
                    AccuracyFile.percent(one.error())));
  }

  private static String declared() {
    StringBuilder text =
        new StringBuilder("| declared as | measured busbw at 1 GiB | predicted | error |\n");
    text.append("|---|---:|---:|---:|\n");
    for (String what : List.of("chain", "nvs6-amd", "pairs2s")) {
      List<ModelError> all = ModelError.of(MeasuredSets.declared(what), MODEL);
      ModelError gib = all.get(all.size() - 1);
      double measured = gib.measurement().busbwGBps();
      double predicted = measured / (1 + gib.error());
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %.1f GB/s | %.1f GB/s | %s |\n",
              what,
              measured,
              predicted,
              QuantityFormat.change(predicted / measured - 1, 1)));
    }
    return text.toString();
  }

  /** What follows from following NCCL, the model, or a repeat of the measurements. */
  private static AccuracyFile choices() {
    AccuracyFile file =
        new AccuracyFile(
            "gpus,sizes,followed,cases,within_2_percent,within_scatter,mean_percent,worst_percent");
    Map<String, MeasuredSet> sets = new LinkedHashMap<>();
    sets.put("4", MeasuredSets.x4());
    sets.put("2", MeasuredSets.x2());
    sets.put("2, a thread for each", MeasuredSets.threadsX2());
    sets.put("4, a thread for each", MeasuredSets.threadsX4());
    sets.put("4, CUDA graphs", MeasuredSets.graphsX4());
    sets.put("2, CUDA graphs", MeasuredSets.graphsX2());
    for (Map.Entry<String, MeasuredSet> named : sets.entrySet()) {
      MeasuredSet set = named.getValue();
      for (long from : new long[] {1, MeasuredSets.LARGE}) {
        String sizes = from == 1 ? "all" : "from 2 MiB";
        choice(file, named.getKey(), sizes, "NCCL", ChoiceRegret.ofNccl(set, from));
        choice(file, named.getKey(), sizes, "topo", ChoiceRegret.ofModel(set, MODEL, from));
        choice(file, named.getKey(), sizes, "a repeat", ChoiceRegret.ofRepeat(set, from));
      }
    }
    return file;
  }

  private static void choice(
      AccuracyFile file, String gpus, String sizes, String who, ChoiceRegret regret) {
    file.add(
        gpus,
        sizes,
        who,
        regret.cases(),
        regret.within2Percent(),
        regret.withinScatter(),
        String.format(Locale.ROOT, "%.2f", 100 * regret.mean()),
        AccuracyFile.percent(regret.worst()));
  }

  /** The two sweeps with less in the fit. */
  private static void addSweeps(AccuracyFile file, String left, FitResult fit) {
    addLeftOut(file, left, "4 GPUs, 18 series", fit, MeasuredSets.x4(), m -> true);
    addLeftOut(file, left, "2 GPUs, 18 series", fit, MeasuredSets.x2(), m -> true);
  }

  /** A fit without some measurements, and how far they are then off. */
  private static void addHeldOut(AccuracyFile file, String left, Predicate<Measurement> of) {
    FitResult fit = MeasuredSets.fit(of.negate());
    addLeftOut(file, left, "4 GPUs, those left out", fit, MeasuredSets.x4(), of);
  }

  private static void addLeftOut(
      AccuracyFile file,
      String left,
      String name,
      FitResult fit,
      MeasuredSet set,
      Predicate<Measurement> of) {
    Errors without = errors(set, new TimingModel(fit.calibration()), of);
    Errors with = errors(set, MODEL, of);
    file.add(
        left,
        name,
        without.count(),
        AccuracyFile.median(without),
        AccuracyFile.percentile90(without),
        AccuracyFile.median(with),
        AccuracyFile.percentile90(with));
  }

  private static Errors errors(MeasuredSet set, TimingModel model, Predicate<Measurement> of) {
    return ModelError.errors(
        forced(set, model).stream().filter(one -> of.test(one.measurement())).toList());
  }

  private static AccuracyFile constants() {
    FitResult fit = MeasuredSets.fitToAll();
    AccuracyFile file = new AccuracyFile("constant,value,unit,standard_error_percent");
    for (Constant constant : Constant.values()) {
      Double error = fit.relativeErrors().get(constant);
      String known = Constant.OF_OTHER_CALLS.contains(constant) ? "other calls" : "not fitted";
      if (error != null) {
        known =
            fit.undetermined().contains(constant)
                ? "not determined"
                : String.format(Locale.ROOT, "%.0f", Math.max(1, 100 * error));
      }
      file.add(
          constant.label(),
          String.format(Locale.ROOT, "%.3g", CALIBRATION.value(constant)),
          constant.unit(),
          known);
    }
    return file;
  }
}
