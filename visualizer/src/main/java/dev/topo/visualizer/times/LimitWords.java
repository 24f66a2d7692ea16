package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.NetworkPredictor.NetworkPart;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.network.NetworkCall.NetworkTime.Limit;
import dev.topo.simulator.network.PortLoad.PathLimit;
import java.util.List;
import java.util.Optional;

/** The limit of the time of a call, for a sentence. */
public final class LimitWords {
  /** What a column with the limit is called. */
  public static final String TITLE = "limited by";

  private LimitWords() {}

  /** That something is the limit: {@code limited by latency}. */
  public static String by(String limit) {
    return TITLE + " " + limit;
  }

  /** The limit behind a comma; empty where it is not known. */
  public static String clause(JobResult result, Prediction prediction) {
    return of(result, prediction).map(limit -> ", " + by(limit)).orElse("");
  }

  /**
   * A link, the ports, channels, latency or launches; empty where the time is that of NCCL's own
   * model, which does not say.
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
    Forecast forecast = new Forecast("", result, List.of(), List.of());
    Optional<NetworkPart> port =
        prediction instanceof CollectivePrediction collective
            ? forecast.predictor().fullPort(collective)
            : ((PeerPrediction) prediction).network();
    return port.map(LimitWords::port)
        .orElseGet(() -> PredictionRow.of(forecast, prediction).limit());
  }

  /** The busiest port stands for all that are as busy. */
  private static String port(NetworkPart part) {
    return part.limit() == Limit.PORT && part.path() == PathLimit.PORT
        ? "the NICs (" + part.name() + " fullest)"
        : part.label();
  }
}
