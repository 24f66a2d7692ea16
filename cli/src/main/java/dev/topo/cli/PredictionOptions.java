package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.CallOptions.PairOptions;
import dev.topo.cli.option.MeasurementFile;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.CommandContext;
import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.PeerTraffic;
import dev.topo.simulator.evaluate.PeerTrafficReader;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.verdict.JudgedRun;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.simulator.verdict.PeerVerdict;
import dev.topo.simulator.verdict.RunJudge;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the calls to predict, and the prediction of these calls for a job. */
final class PredictionOptions {
  /** Default sizes of a text that must fit a screen: those quoted most often. */
  private static final List<Long> BRIEF_SIZES = CallSizes.parse("1M,16M,256M,1G");

  /**
   * Default sizes for several numbers of nodes: few enough that a table for each size remains
   * readable.
   */
  private static final List<Long> SCALING_SIZES = CallSizes.parse("64K,1M,16M,256M,1G");

  /**
   * Largest number of rows that fit a screen. With many numbers of nodes, only the largest sizes
   * are shown.
   */
  private static final int MAX_ROWS = 14;

  @Mixin private CallOptions calls = new CallOptions();
  @Mixin private PeerOptions peerOptions = new PeerOptions();
  @Mixin private PairOptions pairs = new PairOptions();

  CallOptions calls() {
    return calls;
  }

  PairOptions pairs() {
    return pairs;
  }

  /**
   * Refuses options that cannot be combined with each other or with the format.
   *
   * @param isTuner whether the output is a file of tuner rules
   */
  private void check(boolean isTuner) {
    List<PeerOperation> peers = calls.peers();
    peerOptions.check(peers, calls);
    if (!peers.isEmpty() && (isTuner || pairs.isGiven())) {
      throw new SettingException(
          "--collective %s: sends and receives have no algorithms, and --algorithm, --protocol and"
                  .formatted(peers.get(0).ncclTestsName())
              + " --format tuner are for collectives");
    }
  }

  /**
   * Refuses a traffic matrix, which fixes the number of ranks, if there are several numbers of
   * nodes.
   */
  void checkScaling() {
    refuseIf(
        peerOptions.hasMatrix(),
        "--traffic is a matrix of one number of ranks: expected one number of --nodes, or --skew");
  }

  /**
   * The sizes for one job.
   *
   * @param isBrief whether the answer must fit a screen; ignored if the user names sizes
   */
  List<Long> sizes(boolean isBrief) {
    return isBrief && !calls.hasSizes() ? BRIEF_SIZES : calls.sizes();
  }

  /**
   * The sizes for several numbers of nodes.
   *
   * @param isBrief as for one job
   * @param counts number of the different numbers of nodes
   */
  List<Long> sizes(boolean isBrief, int counts) {
    if (calls.hasSizes()) {
      return calls.sizes();
    }
    int all = BRIEF_SIZES.size();
    return isBrief
        ? BRIEF_SIZES.subList(all - Math.max(1, Math.min(MAX_ROWS / counts, all)), all)
        : SCALING_SIZES;
  }

  /** The calls with these sizes. */
  Sized with(List<Long> sizes) {
    return new Sized(this, calls.calls(sizes), sizes);
  }

  /**
   * The requested calls with their sizes.
   *
   * @param collectives a call of each collective with each size
   * @param sizes the sizes, which apply to sends and receives as well
   */
  record Sized(PredictionOptions options, List<CollectiveCall> collectives, List<Long> sizes) {
    /**
     * Predicts the calls of a job. Sends and receives that no model covers are listed as not
     * predicted.
     *
     * @param inputs reads the traffic matrix
     * @param step called before each collective
     */
    CommunicatorPredictions forecast(JobPart part, JobResult result, Inputs inputs, Runnable step) {
      List<PredictedCall> predicted = new ArrayList<>();
      for (CollectiveCall call : collectives) {
        step.run();
        predicted.add(PredictedCall.of(result.predictor(), call, options.pairs.selection()));
      }
      List<PeerPrediction> peers = options.peers(result.predictor(), sizes, inputs);
      List<PeerCall> unpredicted =
          options.peerOptions.hasMatrix()
              ? List.of()
              : options.calls.peerCalls(sizes).stream()
                  .filter(
                      call ->
                          peers.stream()
                              .noneMatch(
                                  peer ->
                                      peer.operation() == call.operation()
                                          && peer.sizeBytes() == call.sizeBytes()))
                  .toList();
      return new CommunicatorPredictions(
          part.title(), result, predicted, List.of(), peers, unpredicted);
    }
  }

  private List<PeerPrediction> peers(CallPredictor predictor, List<Long> sizes, Inputs inputs) {
    if (calls.peers().isEmpty()) {
      return List.of();
    }
    int nRanks = predictor.communicator().nRanks();
    return PeerPredictor.of(predictor)
        .map(known -> peerOptions.predict(calls, sizes, known, nRanks, inputs))
        .orElse(List.of());
  }

  /**
   * Fails if the user names sends and receives that no model covers.
   *
   * @throws NothingFoundException if no model covers them
   */
  void requirePeers(CommunicatorPredictions forecast) {
    List<PeerOperation> peers = calls.peers();
    if (peers.isEmpty() || PeerPredictor.of(forecast.predictor()).isPresent()) {
      return;
    }
    throw new NothingFoundException(
        "no calibration fits this machine, and without one sends and receives are not predicted: leave out %s, or give --calibration"
            .formatted(QuantityFormat.joined(", ", peers, PeerOperation::ncclTestsName)));
  }

  /** The options for operations that consist of sends and receives. */
  static final class PeerOptions {
    private static final double MAX_SKEW = 1e6;

    @Option(
        names = "--traffic",
        paramLabel = "FILE",
        description =
            "With alltoallv: CSV of the bytes that each rank sends to each rank, a line for each sender. busbw is that of the"
                + " busiest rank.")
    private @Nullable Path traffic;

    @Option(
        names = "--skew",
        paramLabel = "FACTOR",
        description =
            "With alltoallv: rank 0 receives FACTOR times as many bytes as each other rank (default: 1).")
    private @Nullable Double skew;

    /** True if the user gives a traffic matrix, which fixes the number of ranks. */
    boolean hasMatrix() {
      return traffic != null;
    }

    /** Refuses options that cannot be combined with each other or with the operations. */
    void check(List<PeerOperation> operations, CallOptions calls) {
      boolean hasAlltoallv = operations.contains(PeerOperation.ALLTOALLV);
      refuseIf(
          (traffic != null || skew != null) && !hasAlltoallv,
          "--traffic and --skew need --collective alltoallv");
      refuseIf(
          traffic != null && (skew != null || calls.hasSizes()),
          "--traffic has the sizes: --sizes and --skew cannot be combined");
      if (skew != null && !(skew >= 1 && skew <= MAX_SKEW)) {
        throw new SettingException(
            "--skew %s: expected 1 (equal parts) to %s times as much for rank 0"
                .formatted(PrintfNumber.general(skew), (int) MAX_SKEW));
      }
    }

    /**
     * Predicts the operations, except those that no model covers.
     *
     * @param inputs reads the traffic matrix
     */
    List<PeerPrediction> predict(
        CallOptions calls, List<Long> sizes, PeerPredictor predictor, int nRanks, Inputs inputs) {
      List<PeerPrediction> predicted = new ArrayList<>();
      for (PeerOperation operation : calls.peers()) {
        Path file = traffic;
        if (operation == PeerOperation.ALLTOALLV && file != null) {
          PeerTraffic matrix =
              PeerTrafficReader.read(
                  inputs.text(file, "bytes that each rank sends to each"), file.toString(), nRanks);
          predictor.predict(operation, matrix.largestBuffer(), matrix).ifPresent(predicted::add);
          continue;
        }
        for (long size : sizes) {
          Optional<PeerPrediction> prediction =
              operation == PeerOperation.ALLTOALLV
                  ? predictor.predictSkewed(size, skew == null ? 1 : skew)
                  : predictor.predict(calls.call(operation, size));
          prediction.ifPresent(predicted::add);
        }
      }
      return predicted;
    }
  }

  /**
   * Judges the measurements of the requested calls.
   *
   * @param tolerance allowed excess relative to the predicted time; empty for the default
   * @param notes receives which measurements are ignored and which cannot be compared
   */
  static JudgedRun judged(
      MeasuredRun run,
      String title,
      JobResult result,
      CallOptions calls,
      OptionalDouble tolerance,
      Consumer<String> notes) {
    RunJudge judge =
        new RunJudge(
            run, result.predictor(), tolerance, calls.hasSizes() ? calls.sizes() : List.of());
    List<PeerVerdict> peers =
        judge.peers(operation -> !calls.isNamed() || calls.peers().contains(operation));
    List<MeasurementVerdict> collectives =
        judge.collectives(
            calls.collectives(),
            measurement -> calls.call(measurement.collective(), measurement.sizeBytes()),
            !peers.isEmpty(),
            notes);
    String name = String.valueOf(Path.of(run.file()).getFileName());
    return JudgedRun.of(name, run.failures(), title, result, collectives, peers);
  }

  /** Output formats of answers about calls. */
  enum CallFormat implements Format {
    text,
    json,
    csv,
    /** Rules for NCCL's tuner plugin. */
    tuner
  }

  /** The options that compare measured times with predictions. */
  static final class MeasuredOptions {
    private static final int PERCENT_PER_UNIT = 100;

    @Option(
        names = "--against",
        paramLabel = "FILE",
        description =
            "Measured times to compare with: text or JSON of nccl-tests or topo run, a result of topo verify, or CSV. PASS, FAIL or INCONCLUSIVE"
                + " for each size; exit status 1 unless all pass.")
    private @Nullable Path against;

    @Option(
        names = "--tolerance",
        paramLabel = "PERCENT",
        description =
            "Tolerated slowdown compared with the prediction (default: twice the error of 90 of 100 predictions).")
    private @Nullable Double tolerance;

    @Option(
        names = "--measured",
        paramLabel = "FILE",
        description =
            "With --format tuner: recommend what was fastest in these measurements with forced algorithm and protocol.")
    private @Nullable Path measured;

    /** True if measurements are to be compared with predictions. */
    boolean isAgainst() {
      return against != null;
    }

    /**
     * Refuses options for measurements and calls that do not fit the format.
     *
     * @param isTuner whether the output is a file of tuner rules
     */
    void check(boolean isTuner, PredictionOptions calls) {
      calls.check(isTuner);
      refuseIf(
          isTuner && (isAgainst() || calls.pairs().isGiven() || calls.calls().hasSizes()),
          "--format tuner recommends for all sizes: --against, --algorithm, --protocol and --sizes cannot be combined with it");
      refuseIf(
          !isTuner && measured != null,
          "--measured makes a file for NCCL's tuner plugin, expected --format tuner");
    }

    /** Reads the measurements, if there are any, of a job with {@code nRanks} ranks. */
    Optional<MeasuredRun> read(
        int nRanks, PredictionOptions calls, VersionOptions version, CommandContext context) {
      refuseIf(tolerance != null && against == null, "--tolerance needs --against FILE");
      refuseIf(
          tolerance != null && !(tolerance >= 0),
          "--tolerance " + tolerance + ": expected 0 or more");
      Path file = against == null ? measured : against;
      if (file == null) {
        return Optional.empty();
      }
      RunHints hints =
          RunHints.of(calls.calls().collectives(), OptionalInt.of(nRanks), calls.pairs().forced());
      MeasuredRun run = MeasurementFile.read(file, hints, version, context);
      boolean isEmpty = run.measurements().isEmpty() && run.wrong().isEmpty();
      if (isEmpty && (run.peers().isEmpty() || !isAgainst())) {
        throw new TopologyFormatException(SourceLocation.of(run.file()), run.emptyReason());
      }
      return Optional.of(run);
    }

    /**
     * Judges the measurements of the requested calls. Prints on stderr which measurements are
     * ignored and which cannot be compared.
     */
    JudgedRun judged(
        MeasuredRun run, String title, JobResult result, CallOptions calls, Streams streams) {
      return PredictionOptions.judged(
          run,
          title,
          result,
          calls,
          tolerance == null
              ? OptionalDouble.empty()
              : OptionalDouble.of(tolerance / PERCENT_PER_UNIT),
          note -> streams.message("note: " + note));
    }
  }
}
