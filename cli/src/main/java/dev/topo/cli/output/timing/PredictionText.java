package dev.topo.cli.output.timing;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.TextTable;
import dev.topo.model.MachineFormat;
import dev.topo.model.QuantityFormat;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NetNode;
import dev.topo.model.node.Node;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.ChannelRoutes.BusyLink;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.forecast.Forecast;
import dev.topo.simulator.forecast.PredictedCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Predictions as people read them: what they rest on, then a table for each collective. */
public final class PredictionText {
  private final Forecast forecast;
  private final StringBuilder out = new StringBuilder();

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
    return Answer.of(text.out.toString());
  }

  /** What is predicted, what it rests on and what it does not. */
  static String heading(Forecast forecast) {
    PredictionText text = new PredictionText(forecast);
    text.heading();
    return text.out.toString();
  }

  private void heading() {
    int perProcess = forecast.predictor().planner().gpusPerProcess();
    out.append(forecast.title()).append(": ").append(forecast.nRanks()).append(" ranks on ");
    out.append(forecast.nNodes()).append(forecast.nNodes() == 1 ? " node, " : " nodes, ");
    out.append(
        switch (perProcess) {
          case 0 -> "replayed from a CUDA graph";
          case 1 -> "a process for each GPU";
          default -> perProcess + " GPUs for each process";
        });
    if (forecast.isDeclaredOther()) {
      out.append(", data over ").append(MachineFormat.summary(forecast.actual()));
    }
    out.append('\n');
    if (forecast.nNodes() == 1) {
      calibration();
    }
    forecast.caveats().forEach(caveat -> out.append("  ! ").append(caveat).append('\n'));
  }

  private void calibration() {
    forecast
        .calibration()
        .calibration()
        .ifPresentOrElse(
            c ->
                out.append("calibration ")
                    .append(c.name())
                    .append(" (")
                    .append(forecast.calibration().reason())
                    .append("): ")
                    .append(forecast.calibration().quality())
                    .append("\n  ")
                    .append(c.origin())
                    .append('\n'),
            () ->
                out.append("no calibration (")
                    .append(forecast.calibration().reason())
                    .append(")\n"));
  }

  private void table(Collective collective, List<PredictedCall> calls) {
    out.append('\n').append(collective.label()).append('\n');
    boolean each = calls.stream().anyMatch(call -> call.shown().size() > 1);
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "  size",
            "by",
            "channels",
            "time",
            "range",
            "algbw",
            "busbw",
            "limited by",
            each ? "" : "faster"));
    for (PredictedCall call : calls) {
      if (call.shown().isEmpty()) {
        rows.add(List.of("  " + QuantityFormat.size(call.call().sizeBytes()), "-"));
      }
      for (Prediction prediction : call.shown()) {
        rows.add(row(call, prediction, each));
      }
    }
    TextTable.append(out, rows);
    forecast
        .refusals(collective)
        .forEach(why -> out.append("  NCCL cannot run it this way: ").append(why).append('\n'));
    regret(calls);
  }

  private List<String> row(PredictedCall call, Prediction prediction, boolean each) {
    String mark = prediction.isCalibrated() ? "" : "*";
    String last =
        each
            ? (call.isChosen(prediction) ? "NCCL's choice" : "")
            : call.better().map(b -> pair(b) + ", " + time(b.timeUs())).orElse("");
    return List.of(
        "  " + QuantityFormat.size(call.call().sizeBytes()),
        pair(prediction) + mark,
        String.valueOf(prediction.channels()),
        time(prediction.timeUs()),
        QuantityFormat.times(prediction.shortestUs(), prediction.longestUs()),
        bandwidth(prediction.algbwGBps()),
        bandwidth(prediction.busbwGBps()) + " GB/s",
        limit(prediction),
        last);
  }

  static String pair(Prediction prediction) {
    return prediction.algorithm().label() + "/" + prediction.protocol().label();
  }

  private String limit(Prediction prediction) {
    return forecast
        .predictor()
        .fullLink(prediction)
        .map(this::name)
        .orElse(prediction.estimate().bottleneck().word());
  }

  private String name(BusyLink link) {
    return link.type()
        + " "
        + name(forecast.actual().node(link.from()))
        + " to "
        + name(forecast.actual().node(link.to()));
  }

  private static String name(Node node) {
    if (node instanceof GpuNode gpu) {
      return "GPU " + gpu.dev();
    }
    return node instanceof NetNode net && !net.name().isEmpty() ? net.name() : node.label();
  }

  private void regret(List<PredictedCall> calls) {
    List<PredictedCall> comparable =
        calls.stream().filter(call -> call.chosen().isPresent()).toList();
    Optional<PredictedCall> worst =
        comparable.stream().max(Comparator.comparingDouble(PredictedCall::regret));
    if (worst.isEmpty() || worst.get().better().isEmpty()) {
      return;
    }
    if (comparable.size() == 1) {
      out.append(
          String.format(
              Locale.ROOT,
              "  NCCL's choice takes %.1f %% longer than the best\n",
              100 * worst.get().regret()));
      return;
    }
    double mean = comparable.stream().mapToDouble(PredictedCall::regret).average().orElse(0);
    out.append(
        String.format(
            Locale.ROOT,
            "  NCCL's choices take %.1f %% longer than the best on average over these sizes, %s at most (%s)\n",
            100 * mean,
            QuantityFormat.atMost(worst.get().regret(), mean),
            QuantityFormat.size(worst.get().call().sizeBytes())));
  }

  /** A time in microseconds, milliseconds or seconds. */
  static String time(double us) {
    return QuantityFormat.time(us);
  }

  /** A bandwidth in GB/s with three digits that count. */
  static String bandwidth(double gbps) {
    return QuantityFormat.bandwidth(gbps);
  }
}
