package dev.topo.visualizer.times;

import dev.topo.model.MachineFormat;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.PlainText;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.visualizer.view.Answer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Predictions as people read them: what they rest on, then a table for each collective. */
public final class PredictionText {
  /** More about a calibration is in its file, and in JSON. */
  private static final int MOST_OF_ORIGIN = 130;

  private final Forecast forecast;
  private final TextWriter out = new TextWriter();

  private PredictionText(Forecast forecast) {
    this.forecast = forecast;
  }

  /** The predictions of a forecast. */
  public static Answer of(Forecast forecast) {
    PredictionText text = new PredictionText(forecast);
    text.heading();
    Map<Collective, List<PredictedCall>> byCollective = new LinkedHashMap<>();
    for (PredictedCall call : forecast.calls()) {
      byCollective.computeIfAbsent(call.call().collective(), key -> new ArrayList<>()).add(call);
    }
    byCollective.forEach(text::table);
    Map<PeerOperation, List<PredictionRow>> byOperation = new LinkedHashMap<>();
    for (PeerPrediction peer : forecast.peers()) {
      byOperation
          .computeIfAbsent(peer.operation(), key -> new ArrayList<>())
          .add(PredictionRow.of(forecast, peer));
    }
    byOperation.forEach(
        (operation, rows) ->
            text.out
                .line("\n%s", operation.label())
                .table(PredictionRow.SHOWN.shown(PredictionRow.COLUMNS, rows)));
    return Answer.of(text.out.toString());
  }

  /** The calls that are predicted, with the basis and the caveats. */
  public static TextWriter heading(Forecast forecast) {
    PredictionText text = new PredictionText(forecast);
    text.heading();
    return text.out;
  }

  private void heading() {
    out.line(subject(forecast));
    if (forecast.nNodes() == 1) {
      calibration();
    }
    out.lines("  ! ", forecast.caveats());
  }

  /** The job, and how it makes calls. */
  static String subject(Forecast forecast) {
    return "%s: %d ranks on %s, %s%s"
        .formatted(
            forecast.title(),
            forecast.nRanks(),
            forecast.nodeWords(),
            launch(forecast.predictor().planner().context()),
            forecast.isDeclaredOther()
                ? ", data over " + MachineFormat.summary(forecast.actual())
                : "");
  }

  /** The name of the calibration, and why it is this one. */
  static String calibration(Forecast forecast) {
    String reason = forecast.calibration().reason();
    return forecast
        .calibration()
        .calibration()
        .map(c -> "calibration %s (%s)".formatted(c.name(), reason))
        .orElse("no calibration (%s)".formatted(reason));
  }

  /** How a number of GPUs for each process is called. */
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
            ? String.format(Locale.ROOT, ", %.1f us a launch", context.launchUs().getAsDouble())
            : "";
    return processes
        + launch
        + buffers
        + (context.groups() == 1 ? "" : ", " + context.groups() + " groups at once");
  }

  private void calibration() {
    String line = calibration(forecast);
    forecast
        .calibration()
        .calibration()
        .ifPresentOrElse(
            c ->
                out.line(
                    "%s: %s\n  %s",
                    line,
                    forecast.calibration().quality(forecast.launch()),
                    PlainText.brief(c.origin(), MOST_OF_ORIGIN)),
            () -> out.line(line));
  }

  private void table(Collective collective, List<PredictedCall> calls) {
    boolean each = calls.stream().anyMatch(call -> call.shown().size() > 1);
    String columns = PredictionRow.COLUMNS + (each ? "," : ",faster");
    TextTable table = TextTable.indented().header(columns);
    for (PredictedCall call : calls) {
      if (call.shown().isEmpty()) {
        table.row(QuantityFormat.size(call.call().sizeBytes()), "-");
      }
      for (PredictionRow row : PredictionRow.of(forecast, call)) {
        table.row(PredictionRow.SHOWN.cells(columns, row));
      }
    }
    out.line("\n%s", collective.label()).table(table);
    out.lines("  ", forecast.obstacles(collective));
    regret(calls);
  }

  private void regret(List<PredictedCall> calls) {
    List<PredictedCall> comparable =
        calls.stream().filter(call -> call.comparison().isComparable()).toList();
    Optional<PredictedCall> worst =
        comparable.stream().max(Comparator.comparingDouble(PredictionText::regret));
    if (worst.isEmpty() || worst.get().comparison().better().isEmpty()) {
      return;
    }
    double most = regret(worst.get());
    if (calls.size() == 1) {
      out.line("  NCCL's choice takes %.1f %% longer than the best", 100 * most);
      return;
    }
    double mean = comparable.stream().mapToDouble(PredictionText::regret).average().orElse(0);
    out.line(
        "  NCCL's choices take %.1f %% longer than the best on average over %s, %s at most (%s)",
        100 * mean,
        comparable.size() == calls.size()
            ? "these sizes"
            : "the %d comparable sizes of %d".formatted(comparable.size(), calls.size()),
        QuantityFormat.atMost(most, mean),
        QuantityFormat.size(worst.get().call().sizeBytes()));
  }

  private static double regret(PredictedCall call) {
    return call.comparison().regret().orElse(0);
  }
}
