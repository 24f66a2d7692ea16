package dev.topo.visualizer.times;

import dev.topo.model.Last;
import dev.topo.model.MachineFormat;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.PlainText;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Scaling;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.CompactTable;
import dev.topo.visualizer.view.OptionWords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes predictions as text: a table for each operation, then their basis. A verbose text has all
 * columns, operations and caveats, the origin of the calibration, and what NCCL's choices cost.
 */
public final class PredictionText {
  /** Length to which the origin of a calibration is cut; its file and JSON have the rest. */
  private static final int MAX_ORIGIN_LENGTH = 130;

  private final Scaling scaling;
  private final boolean isScaling;
  private final PredictionOutput form;
  private final Columns<PredictionRow> columns;
  private final TextWriter out = new TextWriter();
  private final BasisLines basis = new BasisLines();

  private PredictionText(Scaling scaling, boolean isScaling, PredictionOutput form) {
    this.scaling = scaling;
    this.isScaling = isScaling;
    this.form = form;
    Columns<PredictionRow> ofJobs =
        isScaling
            ? PredictionRow.COLUMNS.without("operation", scaling.isByHosts() ? "nodes" : "hosts")
            : PredictionRow.COLUMNS.without("operation", "nodes", "hosts", "ranks");
    int rank = isScaling ? PredictionRow.TIME_RANGE - 1 : PredictionRow.TIME_RANGE;
    this.columns = form.isVerbose() ? ofJobs : ofJobs.upTo(rank);
  }

  /** Returns the predictions of a forecast. */
  static Answer of(CommunicatorPredictions forecast, PredictionOutput form) {
    Scaling one = new Scaling(forecast.title(), List.of(forecast));
    PredictionText text = new PredictionText(one, false, form);
    text.out.paragraph(subject(forecast), "  ");
    calibration(forecast, form.isVerbose(), text.out);
    return Answer.of(text.text());
  }

  /** Returns the predictions for several numbers of nodes. */
  static Answer of(Scaling scaling, PredictionOutput form) {
    PredictionText text = new PredictionText(scaling, true, form);
    text.out.line(subject(scaling));
    return Answer.of(text.text());
  }

  private String text() {
    Map<Operation, Map<Call, List<Object[]>>> operations = new LinkedHashMap<>();
    lines()
        .forEach(
            (call, lines) ->
                operations
                    .computeIfAbsent(call.operation(), key -> new LinkedHashMap<>())
                    .put(call, lines));
    operations.forEach(
        (operation, calls) -> {
          if (isShown(operation)) {
            table(operation, calls);
          }
        });
    basis.write(out, form.isVerbose() ? scaling.caveats() : scaling.limits(), form.isVerbose());
    if (operations.size() > 1 && !operations.keySet().stream().allMatch(this::isShown)) {
      if (!isScaling) {
        PredictionSentence.others(scaling.forecasts().get(0))
            .ifPresent(others -> out.line("also %s", others));
      }
      out.line(
          OptionWords.of(SpecText.of("other operations: %s %s", SpecField.COLLECTIVE, others())));
    }
    return out.toString();
  }

  /**
   * True if the operation has a table; if the user names no operation, AllReduce represents all.
   */
  private boolean isShown(Operation operation) {
    return form.isNamed() || form.isVerbose() || operation == Collective.ALL_REDUCE;
  }

  /** The rows of each call, in the order of the calls, for all numbers of nodes. */
  private Map<Call, List<Object[]>> lines() {
    Map<Call, List<Object[]>> lines = new LinkedHashMap<>();
    for (CommunicatorPredictions forecast : scaling.forecasts()) {
      forecast.calls().forEach(call -> lines.putIfAbsent(call.call(), new ArrayList<>()));
      forecast.peers().forEach(peer -> lines.putIfAbsent(peer.call(), new ArrayList<>()));
      forecast.unsent().forEach(call -> lines.putIfAbsent(call, new ArrayList<>()));
      if (isScaling || form.isVerbose()) {
        forecast
            .obstacles()
            .forEach((call, why) -> of(lines, call).add(refused(forecast, call, why)));
      }
      for (PredictionRow row : PredictionRow.of(forecast)) {
        Call call = row.prediction().call();
        if (isShown(call.operation())) {
          basis.add(row.prediction());
          of(lines, call).add(columns.cells(row));
        }
      }
    }
    return lines;
  }

  private static List<Object[]> of(Map<Call, List<Object[]>> lines, Call call) {
    return lines.computeIfAbsent(call, key -> new ArrayList<>());
  }

  /** The row of a call without a time. A single job states the reason below the table instead. */
  private Object[] refused(CommunicatorPredictions forecast, Call call, String why) {
    return columns.cells(
        Map.of(
            "size",
            QuantityFormat.size(call.sizeBytes()),
            scaling.noun() + "s",
            scaling.stated(forecast),
            "ranks",
            forecast.nRanks(),
            "by",
            "-",
            LimitWords.TITLE,
            isScaling ? why : ""));
  }

  private void table(Operation operation, Map<Call, List<Object[]>> lines) {
    out.line("\n%s", operation.label());
    boolean hasSeveralPairs = lines.values().stream().anyMatch(ofCall -> ofCall.size() > 1);
    CompactTable table = columns.table(isScaling || hasSeveralPairs ? 2 : 1);
    lines.values().forEach(ofCall -> ofCall.forEach(table::row));
    if (table.size() > 0) {
      table.write(out);
    }
    if (!isScaling) {
      CommunicatorPredictions forecast = scaling.forecasts().get(0);
      out.lines("  ", forecast.obstacles(operation));
      if (form.isVerbose()) {
        regret(
            forecast.calls().stream()
                .filter(call -> call.call().operation() == operation)
                .toList());
      }
    }
  }

  private static String others() {
    return Arrays.stream(Collective.values())
        .filter(collective -> collective != Collective.ALL_REDUCE)
        .map(Collective::ncclTestsName)
        .collect(Collectors.joining(", "));
  }

  /** Returns the heading: the job, the basis and the caveats of the predictions. */
  public static TextWriter heading(CommunicatorPredictions forecast) {
    TextWriter out = new TextWriter().line("%s", subject(forecast));
    calibration(forecast, true, out);
    return out.lines("  ! ", forecast.caveats());
  }

  /**
   * Writes which calibration is used for calls within a node.
   *
   * @param isVerbose whether to state its accuracy and origin
   */
  static void calibration(CommunicatorPredictions forecast, boolean isVerbose, TextWriter out) {
    if (forecast.nNodes() > 1) {
      return;
    }
    SelectedCalibration selected = forecast.calibration();
    String name =
        selected
            .calibration()
            .map(c -> "calibration %s (%s)".formatted(c.name(), selected.reason()))
            .orElse("no calibration (%s)".formatted(selected.reason()));
    Optional<Calibration> described = selected.calibration().filter(c -> isVerbose);
    out.add("%s", name)
        .line("%s", described.map(c -> ": " + selected.quality(forecast.launch())).orElse(""));
    described.ifPresent(c -> out.line("  %s", PlainText.brief(c.origin(), MAX_ORIGIN_LENGTH)));
  }

  /** The job, and how its calls are launched. */
  static String subject(CommunicatorPredictions forecast) {
    return "%s: %s ranks on %s, %s%s"
        .formatted(
            forecast.title(),
            forecast.nRanks(),
            forecast.nodeWords(),
            launch(forecast.predictor().planner().context()),
            forecast.isDeclaredOther()
                ? ", data over " + MachineFormat.summary(forecast.actual())
                : "");
  }

  /** How processes drive the GPUs and launch calls, in words. */
  static String launch(CallContext context) {
    int perProcess = context.gpusPerProcess();
    String processes =
        switch (perProcess) {
          case 0 -> "replayed from a CUDA graph";
          case 1 -> "a process for each GPU";
          default -> perProcess + " GPUs for each process";
        };
    String buffers =
        switch (context.buffers()) {
          case PLAIN -> "";
          case REGISTERED -> ", registered buffers";
          case SYMMETRIC -> ", buffers in symmetric windows";
        };
    String launch =
        context.launchUs().isPresent()
            ? TextWriter.format(", %.1f us a launch", context.launchUs().getAsDouble())
            : "";
    return processes
        + launch
        + buffers
        + (context.groups() == 1 ? "" : ", " + context.groups() + " groups at once");
  }

  /** The machine, the numbers of nodes, and how calls are launched. */
  private static String subject(Scaling scaling) {
    List<CommunicatorPredictions> forecasts = scaling.forecasts();
    CommunicatorPredictions first = forecasts.get(0);
    CommunicatorPredictions last = Last.of(forecasts);
    return "%s: %s to %s, %s"
        .formatted(
            scaling.machine(),
            scaling.stated(first),
            QuantityFormat.count(scaling.stated(last), scaling.noun())
                + (scaling.isByHosts()
                    ? " in %s to %s"
                        .formatted(
                            first.nNodes(), QuantityFormat.count(last.nNodes(), "NVLink domain"))
                    : ""),
            launch(first.predictor().planner().context()));
  }

  private void regret(List<PredictedCall> calls) {
    List<PredictedCall> comparable =
        calls.stream().filter(call -> call.comparison().isComparable()).toList();
    Optional<PredictedCall> worst =
        comparable.stream().max(Comparator.comparingDouble(PredictionText::regret));
    if (worst.isEmpty() || worst.get().comparison().better().isEmpty()) {
      return;
    }
    double max = regret(worst.get());
    if (calls.size() == 1) {
      out.line("  NCCL's choice takes %.1f %% longer than the best", 100 * max);
      return;
    }
    double mean = comparable.stream().mapToDouble(PredictionText::regret).average().orElse(0);
    out.line(
        "  NCCL's choices take %.1f %% longer than the best on average over %s, %s at most (%s)",
        100 * mean,
        comparable.size() == calls.size()
            ? "these sizes"
            : "the %s comparable sizes of %s".formatted(comparable.size(), calls.size()),
        QuantityFormat.atMost(max, mean),
        QuantityFormat.size(worst.get().call().sizeBytes()));
  }

  private static double regret(PredictedCall call) {
    return call.comparison().regret().orElse(0);
  }
}
