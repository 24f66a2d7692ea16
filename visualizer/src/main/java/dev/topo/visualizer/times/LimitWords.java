package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.NetworkPredictor.NetworkPart;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.network.NetworkCall.NetworkTime.Limit;
import dev.topo.simulator.network.PortLoad.PathLimit;
import java.util.List;
import java.util.Optional;

/** The limit of the time of a call, for a sentence. */
public final class LimitWords {
  /** The title of a column with the limit. */
  public static final String TITLE = "limited by";

  private LimitWords() {}

  /** States a limit: {@code limited by latency}. */
  public static String by(String limit) {
    return TITLE + " " + limit;
  }

  /** The limit after a comma; empty if it is not known. */
  public static String clause(JobResult result, Prediction prediction) {
    return of(result, prediction).map(limit -> ", " + by(limit)).orElse("");
  }

  /**
   * A link, the ports, channels, latency or launches; empty if the time is from NCCL's own model,
   * which does not state it.
   */
  public static Optional<String> of(JobResult result, Prediction prediction) {
    if (prediction.source() == Source.NCCL_MODEL) {
      return Optional.empty();
    }
    return Optional.of(
        switch (prediction.estimate().bottleneck()) {
          case LAUNCH -> "the launch of kernels by the host";
          case LATENCY -> "latency from rank to rank";
          case CHANNELS -> channels(prediction);
          case LINKS -> link(result, prediction);
        });
  }

  static String channels(Prediction prediction) {
    return "what "
        + QuantityFormat.count(prediction.channels(), "channel")
        + (prediction.channels() == 1 ? " copies" : " copy");
  }

  private static String link(JobResult result, Prediction prediction) {
    PredictionRow row =
        PredictionRow.of(new Forecast("", result, List.of(), List.of()), prediction);
    return row.network().map(LimitWords::port).orElseGet(row::limit);
  }

  /** Names the busiest port, which stands for all equally busy ones. */
  private static String port(NetworkPart part) {
    return part.limit() == Limit.PORT && part.path() == PathLimit.PORT
        ? "the NICs (" + part.name() + " fullest)"
        : part.label();
  }
}
