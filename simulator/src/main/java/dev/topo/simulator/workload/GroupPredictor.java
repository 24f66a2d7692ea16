package dev.topo.simulator.workload;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.CallKind.LaunchSize;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.search.transfer.PeerKernel;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.search.transfer.Traffic;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.PeerTraffic;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Predicts the calls of one communicator of a job. Caches results; not thread-safe. */
final class GroupPredictor {
  /**
   * Least number of threads of a kernel ({@code NCCL_MIN_NTHREADS}, {@code nccl:src/enqueue.cc}).
   */
  private static final int LEAST_THREADS = 128;

  /** Bytes that a thread copies at once if buffers are aligned to them. */
  private static final int PACK = 16;

  /** The mark by which a caveat refers to calls of a table. */
  private static final String MARK = " (*)";

  private record Question(CallKind kind, List<List<Long>> sent) {}

  private final CallPredictor predictor;
  private final Optional<PeerPredictor> peers;
  private final int nRanks;
  private final Map<Question, CallForecast> forecasts = new HashMap<>();
  private final JobResult result;
  private final List<PredictedCall> collectives = new ArrayList<>();
  private final List<PeerPrediction> transfers = new ArrayList<>();

  GroupPredictor(JobResult result) {
    this.result = result;
    this.predictor = result.predictor();
    this.peers = PeerPredictor.of(predictor).map(PeerPredictor::ofSingleCalls);
    this.nRanks = result.communicator().nRanks();
  }

  CallForecast forecast(CallSite site) {
    return forecasts.computeIfAbsent(
        new Question(site.kind(), site.sent()), key -> compute(site.kind(), site.sent()));
  }

  /** True if any call so far has an expected time. */
  boolean hasForecasts() {
    return !collectives.isEmpty() || !transfers.isEmpty();
  }

  /** Describes the basis of all expected times so far. */
  List<String> basis() {
    return !hasForecasts()
        ? List.of()
        : new CommunicatorPredictions("", result, collectives, List.of(), transfers)
            .caveats().stream()
                .map(line -> line.replace(MARK, "")) // the calls of a job are not marked
                .toList();
  }

  private CallForecast compute(CallKind kind, List<List<Long>> sent) {
    if (kind.operation().isEmpty()) {
      return CallForecast.unknown(
          kind.name().isEmpty()
              ? "the trace does not say which call it is"
              : "the model does not know the call " + kind.name());
    }
    if (nRanks < 2) {
      return CallForecast.unknown("a group of one rank has nothing to send");
    }
    if (kind.bytes() == 0) {
      return CallForecast.unknown("the trace has no size of the call");
    }
    return kind.call().get() instanceof CollectiveCall call
        ? collective(call)
        : transfers((PeerOperation) kind.operation().get(), kind, sent);
  }

  private CallForecast collective(CollectiveCall call) {
    Optional<CollectivePrediction> prediction = predictor.predict(call, false);
    Optional<Choice> choice = predictor.planner().choice(call, Optional.empty());
    if (prediction.isEmpty() || choice.isEmpty()) {
      String why = predictor.obstacle(call).orElse("no time is known");
      return predictor.isRefused(call) ? CallForecast.refused(why) : CallForecast.impossible(why);
    }
    CollectivePrediction predicted = prediction.get();
    collectives.add(PredictedCall.ofChoice(call, predicted));
    return CallForecast.of(
        Expected.of(
            DeviceTime.of(predicted.estimate(), predicted.source().judges()),
            predicted.spread(),
            predicted.isCalibrated() && predicted.nRanks() > predicted.nRanksMeasured(),
            Optional.of(predicted.algorithm()),
            predicted.protocol(),
            new LaunchSize(predicted.channels(), Math.max(LEAST_THREADS, choice.get().threads()))));
  }

  private CallForecast transfers(PeerOperation operation, CallKind kind, List<List<Long>> sent) {
    if (peers.isEmpty()) {
      return CallForecast.impossible("sends and receives are predicted with a calibration only");
    }
    Optional<String> absence = PeerPlanner.absence(predictor.communicator().profile());
    if (absence.isPresent()) {
      return CallForecast.impossible(absence.get());
    }
    Optional<long[][]> matrix = TransferMatrix.of(operation, kind, sent, nRanks);
    if (matrix.isEmpty()) {
      return CallForecast.unknown(
          operation == PeerOperation.ALLTOALLV
              ? "parts differ: the traces of all ranks are needed"
              : "which ranks send how much to which is not known");
    }
    PeerTraffic traffic = PeerTraffic.ofMatrix(matrix.get());
    boolean isOneNode = predictor.communicator().nNodes() == 1;
    Optional<PeerPrediction> prediction =
        isOneNode
            ? peers.get().predict(operation, kind.bytes(), traffic)
            : peers.get().predict(operation, kind.bytes(), false);
    if (prediction.isEmpty()) {
      return CallForecast.impossible(
          "the model does not know " + operation.label() + " on these nodes");
    }
    PeerPrediction predicted = prediction.get();
    if (predicted.protocol() == Protocol.SIMPLE && !isAligned(matrix.get())) {
      return CallForecast.unknown(
          "parts are no multiples of 16 bytes, which NCCL copies slower, by how much is not known");
    }
    transfers.add(predicted);
    return CallForecast.of(
        Expected.of(
            DeviceTime.of(predicted.estimate(), true),
            predicted.spread(),
            predicted.hasMoreRanks(),
            Optional.empty(),
            predicted.protocol(),
            launch(matrix.get())));
  }

  /** The launch size of the rank with the most channels. */
  private LaunchSize launch(long[][] bytes) {
    PeerPlanner planner = new PeerPlanner(predictor.communicator().connection());
    Traffic traffic = (from, to) -> bytes[from][to] == 0 ? Traffic.NONE : bytes[from][to];
    return IntStream.range(0, nRanks)
        .boxed()
        .flatMap(rank -> planner.call(rank, traffic).kernels().stream())
        .max(Comparator.comparingInt((PeerKernel kernel) -> kernel.channels().size()))
        .map(kernel -> new LaunchSize(kernel.channels().size(), kernel.threads()))
        .orElse(new LaunchSize(0, 0));
  }

  private static boolean isAligned(long[][] bytes) {
    return Arrays.stream(bytes).flatMapToLong(Arrays::stream).allMatch(part -> part % PACK == 0);
  }
}
