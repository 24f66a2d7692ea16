package dev.topo.cli;

import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.PairOptions;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.CallSizes;
import dev.topo.model.operation.CollectiveCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.PeerPrediction;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Predictor;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;

/** The options for the calls that are predicted, and their predictions for a job. */
final class PredictedCalls {
  /** The sizes that are quoted most. */
  private static final List<Long> BRIEF_SIZES = CallSizes.parse("1M,16M,256M,1G");

  /** For several numbers of nodes: few enough that a table for each size can be read. */
  private static final List<Long> SCALING_SIZES = CallSizes.parse("64K,1M,16M,256M,1G");

  /** Rows that fit a screen: of many numbers of nodes only the largest sizes. */
  private static final int MOST_ROWS = 14;

  @Mixin private CallOptions calls = new CallOptions();
  @Mixin private PeerOptions peerOptions = new PeerOptions();
  @Mixin private PairOptions pairs = new PairOptions();

  CallOptions calls() {
    return calls;
  }

  PairOptions pairs() {
    return pairs;
  }

  /** Makes sure that the options fit together, for a file of rules or for predictions. */
  void check(boolean isTuner) {
    List<PeerOperation> peers = calls.peers();
    peerOptions.check(peers, calls);
    if (!peers.isEmpty() && (isTuner || pairs.isGiven())) {
      throw new SettingException(
          "--collective %s: sends and receives have no algorithms, and --algorithm, --protocol and"
                  .formatted(peers.get(0).ncclTestsName())
              + " --format tuner are for collectives");
    }
  }

  /** Makes sure that the calls can be made on several numbers of nodes. */
  void checkScaling() {
    if (peerOptions.hasMatrix()) {
      throw new SettingException(
          "--traffic is a matrix of one number of ranks: expected one number of --nodes, or --skew");
    }
  }

  /**
   * The sizes for one job.
   *
   * @param isBrief whether the answer has to fit a screen, unless the user names sizes
   */
  List<Long> sizes(boolean isBrief) {
    return isBrief && !calls.hasSizes() ? BRIEF_SIZES : calls.sizes();
  }

  /**
   * The sizes for several numbers of nodes.
   *
   * @param isBrief as for one job
   * @param counts how many numbers of nodes
   */
  List<Long> sizes(boolean isBrief, int counts) {
    if (calls.hasSizes()) {
      return calls.sizes();
    }
    int all = BRIEF_SIZES.size();
    return isBrief
        ? BRIEF_SIZES.subList(all - Math.max(1, Math.min(MOST_ROWS / counts, all)), all)
        : SCALING_SIZES;
  }

  /** The calls with some sizes. */
  Sized with(List<Long> sizes) {
    return new Sized(this, calls.calls(sizes), sizes);
  }

  /**
   * Calls of these sizes.
   *
   * @param collectives a call of each collective with each size
   * @param sizes those of sends and receives as well
   */
  record Sized(PredictedCalls options, List<CollectiveCall> collectives, List<Long> sizes) {
    /**
     * The predictions for a job; no sends and receives where no model covers them.
     *
     * @param inputs reads the traffic of sends and receives
     * @param step called before each collective
     */
    Forecast forecast(JobPart part, JobResult result, Inputs inputs, Runnable step) {
      List<PredictedCall> predicted = new ArrayList<>();
      for (CollectiveCall call : collectives) {
        step.run();
        predicted.add(PredictedCall.of(result.predictor(), call, options.pairs.selection()));
      }
      List<PeerPrediction> peers = options.peers(result.predictor(), sizes, inputs);
      return new Forecast(part.title(), result, predicted, List.of(), peers);
    }
  }

  private List<PeerPrediction> peers(Predictor predictor, List<Long> sizes, Inputs inputs) {
    if (calls.peers().isEmpty()) {
      return List.of();
    }
    int nRanks = predictor.planner().communicator().facts().nRanks();
    return PeerPredictor.of(predictor)
        .map(known -> peerOptions.predict(calls.peers(), sizes, known, nRanks, inputs))
        .orElse(List.of());
  }

  /**
   * Makes sure that the sends and receives that the user has named are among the predictions.
   *
   * @throws NothingFoundException if no model covers one of them, or nothing is sent
   */
  void requirePeers(Forecast forecast) {
    List<PeerOperation> peers = calls.peers();
    if (peers.isEmpty() || !forecast.peers().isEmpty()) {
      return;
    }
    String names =
        peers.stream().map(PeerOperation::ncclTestsName).collect(Collectors.joining(", "));
    throw new NothingFoundException(
        PeerPredictor.of(forecast.predictor()).isPresent()
            ? "nothing is sent between ranks by " + names
            : "no calibration fits this machine, and without one sends and receives are not predicted: leave out %s, or give --calibration"
                .formatted(names));
  }
}
