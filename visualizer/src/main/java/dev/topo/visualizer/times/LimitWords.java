package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.NetworkPredictor.NetworkPart;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.network.NetworkCall.NetworkTime.Limit;
import dev.topo.simulator.network.PortLoad.PathLimit;
import java.util.Optional;

/** Words what limits the time of a call, for a sentence. */
public final class LimitWords {
  /** The title of a column with the limit. */
  public static final String TITLE = "limited by";

  private LimitWords() {}

  /** Phrase that names the limit: {@code limited by latency}. */
  public static String by(String limit) {
    return TITLE + " " + limit;
  }

  /** Returns the limit after a comma; empty if it is not known. */
  public static String clause(JobResult result, Prediction prediction) {
    return of(result, prediction).map(limit -> ", " + by(limit)).orElse("");
  }

  /**
   * Returns the limit: a link, the ports, the channels, latency or launches; empty if the time
   * comes from NCCL's own model, which does not tell.
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
    PredictionRow row = PredictionRow.of(result, prediction);
    return row.network().map(LimitWords::port).orElseGet(row::limit);
  }

  /** The busiest port represents all ports that are equally busy. */
  private static String port(NetworkPart part) {
    return part.limit() == Limit.PORT && part.path() == PathLimit.PORT
        ? "the NICs (" + part.name() + " fullest)"
        : part.label();
  }
}
