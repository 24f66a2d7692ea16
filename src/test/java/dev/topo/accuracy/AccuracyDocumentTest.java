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
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put("sets", sets());
    tables.put("four GPUs", byPair(MeasuredSets.x4()));
    tables.put("two GPUs", byPair(MeasuredSets.x2()));
    tables.put("threads", byPair(MeasuredSets.threadsX2()));
    tables.put("processes", ProcessRuns.markdown());
    tables.put("groups", ProcessRuns.groupsMarkdown());
    tables.put("graph", byPair(MeasuredSets.graphsX4()));
    tables.put("registered", registered());
    tables.put("channels", channels(MeasuredSets.channels(), MeasuredSets.LARGE));
    tables.put(
        "channels by threads", channels(MeasuredSets.channelsThreadsX4FromMemory(), 1 << 20));
    tables.put("channels of two GPUs", channels(MeasuredSets.channelsX2(), 1 << 20));
    tables.put("declared", declared());
    tables.put("choices", choices());
    tables.put(
        "four GPUs alone",
        sweeps(MeasuredSets.fitToFourGpus(), "without the runs of two GPUs on one channel"));
    tables.put(
        "sweep alone",
        sweeps(MeasuredSets.fitToSweepAlone(), "fitted to the 18 series of four GPUs alone"));
    tables.put("constants", constants());
    DocumentTables.check("docs/accuracy.md", tables);
  }

  /** Each row is a fit: the first one here, all where {@code Thorough} runs all cases. */
  @Test
  void heldOutIsUpToDate() throws IOException {
    if (Thorough.isOn() || Boolean.getBoolean("golden.update")) {
      DocumentTables.check("docs/accuracy.md", Map.of("held out", heldOut()));
    } else {
      NotRun.print("fits without one collective" + Thorough.HOW);
      DocumentTables.checkRows("docs/accuracy.md", "held out", everySecondSize());
    }
  }

  private static List<ModelError> forced(MeasuredSet set, TimingModel model) {
    return ModelError.of(set, model).stream()
        .filter(c -> c.measurement().forced().isPresent())
        .toList();
  }

  private static String byPair(MeasuredSet set) {
    return ErrorTable.of(forced(set, MODEL), ErrorTable::pair).markdown("series");
  }

  private static String sets() {
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
    return new ErrorTable(rows).markdown("set");
  }

  private static ErrorTable.Row row(String label, MeasuredSet set, Predicate<Measurement> which) {
    return ErrorTable.Row.of(
        label,
        ModelError.of(set, MODEL).stream().filter(c -> which.test(c.measurement())).toList());
  }

  /** What registered buffers change, as measured and as predicted. */
  private static String registered() {
    StringBuilder text = new StringBuilder("| call by Simple | registered | predicted |");
    text.append(" NCCL_GRAPH_REGISTER=0 | predicted |\n|---|---:|---:|---:|---:|\n");
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
      text.append(
          String.format(
              Locale.ROOT,
              "| %s %s, %s | %s | %s |\n",
              off.collective().label(),
              off.forced().orElseThrow().algorithm().label(),
              QuantityFormat.size(off.sizeBytes()),
              times(on),
              times(without)));
    }
    return text.toString();
  }

  private static String times(ModelError comparison) {
    return String.format(
        Locale.ROOT,
        "%.1f us | %.1f us",
        comparison.measurement().timeUs(),
        comparison.predictedUs());
  }

  private static String channels(MeasuredSet set, long from) {
    List<ModelError> large =
        ModelError.of(set, MODEL).stream()
            .filter(c -> c.measurement().sizeBytes() >= from)
            .toList();
    StringBuilder text = new StringBuilder("| series | channels | error by size, from ");
    text.append(from >> 20).append(" MiB |\n|---|---:|---|\n");
    String last = "";
    for (ModelError comparison : large) {
      int count = comparison.measurement().channels().orElseThrow();
      String label = ErrorTable.pair(comparison) + " | " + count;
      if (!label.equals(last)) {
        text.append(last.isEmpty() ? "" : " |\n").append("| ").append(label).append(" | ");
        last = label;
      } else {
        text.append(", ");
      }
      text.append(QuantityFormat.change(comparison.error(), 0));
    }
    return text.append(" |\n").toString();
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

  private static String choices() {
    StringBuilder text =
        new StringBuilder(
            "| GPUs | sizes | followed | within 2 % of the best | within the scatter |");
    text.append(" mean | worst |\n|---|---|---|---:|---:|---:|---:|\n");
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
        String where = named.getKey() + (from == 1 ? " | all" : " | from 2 MiB");
        text.append(choice(where, "NCCL", ChoiceRegret.ofNccl(set, from)));
        text.append(choice(where, "topo", ChoiceRegret.ofModel(set, MODEL, from)));
        text.append(choice(where, "a repeat", ChoiceRegret.ofRepeat(set, from)));
      }
    }
    return text.toString();
  }

  private static String choice(String where, String who, ChoiceRegret regret) {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %d/%d | %d/%d | %.2f %% | %.1f %% |\n",
        where,
        who,
        regret.within2Percent(),
        regret.cases(),
        regret.withinScatter(),
        regret.cases(),
        100 * regret.mean(),
        100 * regret.worst());
  }

  /** The two sweeps with less in the fit. */
  private static String sweeps(FitResult fit, String title) {
    TimingModel model = new TimingModel(fit.calibration());
    List<ErrorTable.Row> rows = new ArrayList<>();
    rows.add(ErrorTable.Row.of("4 GPUs, 18 series", forced(MeasuredSets.x4(), model)));
    rows.add(ErrorTable.Row.of("2 GPUs, 18 series", forced(MeasuredSets.x2(), model)));
    return new ErrorTable(rows).markdown(title);
  }

  /** Fits without some measurements, and how far they are then off. */
  private static String heldOut() {
    StringBuilder text =
        new StringBuilder("| left out of the fit | times | median | 90th percentile |");
    text.append(" fitted with: median | 90th percentile |\n|---|---:|---:|---:|---:|---:|\n");
    text.append(everySecondSize());
    for (Collective collective : Collective.values()) {
      text.append(heldOut(collective.label(), m -> m.collective() == collective));
    }
    return text.toString();
  }

  private static String everySecondSize() {
    return heldOut("every second size", m -> Long.numberOfTrailingZeros(m.sizeBytes()) % 2 == 1);
  }

  private static String heldOut(String what, Predicate<Measurement> left) {
    FitResult fit = MeasuredSets.fit(left.negate());
    Errors without =
        ModelError.errors(
            forced(MeasuredSets.x4(), new TimingModel(fit.calibration())).stream()
                .filter(c -> left.test(c.measurement()))
                .toList());
    Errors with =
        ModelError.errors(
            forced(MeasuredSets.x4(), MODEL).stream()
                .filter(c -> left.test(c.measurement()))
                .toList());
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n",
        what,
        without.count(),
        100 * without.median(),
        100 * without.percentile90(),
        100 * with.median(),
        100 * with.percentile90());
  }

  private static String constants() {
    FitResult fit = MeasuredSets.fitToAll();
    StringBuilder text = new StringBuilder("| constant | value | unit | known to |\n");
    text.append("|---|---:|---|---:|\n");
    for (Constant constant : Constant.values()) {
      Double error = fit.relativeErrors().get(constant);
      String known = Constant.OF_OTHER_CALLS.contains(constant) ? "other calls" : "not fitted";
      if (error != null) {
        known =
            fit.undetermined().contains(constant)
                ? "not determined"
                : String.format(Locale.ROOT, "%.0f %%", Math.max(1, 100 * error));
      }
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %.3g | %s | %s |\n",
              constant.label(),
              CALIBRATION.value(constant),
              constant.unit(),
              known));
    }
    return text.toString();
  }
}
