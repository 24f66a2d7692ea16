package dev.topo.workload.compare;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.peer.PeerPrediction;
import dev.topo.simulator.peer.PeerPredictor;
import dev.topo.simulator.peer.PeerTraffic;
import dev.topo.simulator.timing.TimeEstimate;
import dev.topo.tuning.cost.CollectiveCall;
import dev.topo.tuning.launch.Decision.Choice;
import dev.topo.tuning.transfer.PeerKernel;
import dev.topo.tuning.transfer.PeerPlanner;
import dev.topo.tuning.transfer.Traffic;
import dev.topo.workload.CallKind;
import dev.topo.workload.CallKind.LaunchSize;
import dev.topo.workload.CallSite;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Predicts the calls of one communicator of a job. Keeps what it has found; not for use by several
 * threads.
 */
final class GroupPredictor {
  private record Question(CallKind kind, List<List<Long>> sent) {}

  private final Predictor predictor;
  private final Optional<PeerPredictor> peers;
  private final int nRanks;
  private final Map<Question, CallForecast> known = new HashMap<>();

  GroupPredictor(JobResult result) {
    this.predictor = result.predictor();
    this.peers = PeerPredictor.of(predictor);
    this.nRanks = result.communicator().facts().nRanks();
  }

  /** What the calls of a site take. */
  CallForecast forecast(CallSite site) {
    return known.computeIfAbsent(
        new Question(site.kind(), site.sent()), key -> compute(site.kind(), site.sent()));
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
    return kind.operation().get() instanceof Collective collective
        ? collective(
            new CollectiveCall(collective, kind.bytes(), kind.dataType(), kind.operator(), 1))
        : transfers((PeerOperation) kind.operation().get(), kind, sent);
  }

  private CallForecast collective(CollectiveCall call) {
    Optional<Prediction> prediction = predictor.predict(call, false);
    Optional<Choice> choice = predictor.planner().choice(call, Optional.empty());
    if (prediction.isEmpty() || choice.isEmpty()) {
      return CallForecast.unknown(
          "NCCL cannot run it: " + predictor.refusal(call).orElse("no algorithm"));
    }
    Prediction found = prediction.get();
    double factor = factor(found.estimate());
    return CallForecast.of(
        new Expected(
            factor * found.timeUs(),
            scaled(found.shortestUs(), factor),
            scaled(found.longestUs(), factor),
            Optional.of(found.algorithm()),
            Optional.of(found.protocol()),
            new LaunchSize(found.channels(), choice.get().threads()),
            found.source().predictsTimes()));
  }

  private CallForecast transfers(PeerOperation operation, CallKind kind, List<List<Long>> sent) {
    if (peers.isEmpty()) {
      return CallForecast.unknown("sends and receives are predicted with a calibration only");
    }
    Optional<long[][]> matrix = matrix(operation, kind, sent);
    if (matrix.isEmpty()) {
      return CallForecast.unknown(
          operation == PeerOperation.ALLTOALLV
              ? "parts differ: the traces of all ranks are needed"
              : "the trace does not say which rank it goes to");
    }
    PeerTraffic traffic = PeerTraffic.ofMatrix(matrix.get());
    boolean isOneNode = predictor.planner().communicator().facts().nNodes() == 1;
    Optional<PeerPrediction> prediction =
        isOneNode
            ? peers.get().predict(operation, kind.bytes(), traffic)
            : peers.get().predict(operation, kind.bytes(), false);
    if (prediction.isEmpty()) {
      return CallForecast.unknown("the model does not know " + operation.label() + " on these nodes");
    }
    PeerPrediction found = prediction.get();
    double factor = factor(found.estimate());
    return CallForecast.of(
        new Expected(
            factor * found.timeUs(),
            scaled(found.shortestUs(), factor),
            scaled(found.longestUs(), factor),
            Optional.empty(),
            Optional.of(found.protocol()),
            launch(matrix.get()),
            true));
  }

  /** What each rank sends to each; empty where the traces do not say. */
  private Optional<long[][]> matrix(PeerOperation operation, CallKind kind, List<List<Long>> sent) {
    long[][] bytes = new long[nRanks][nRanks];
    if (operation == PeerOperation.ALLTOALLV) {
      if (sent.size() != nRanks || sent.stream().anyMatch(row -> row.size() != nRanks)) {
        return Optional.empty();
      }
      for (int from = 0; from < nRanks; from++) {
        for (int to = 0; to < nRanks; to++) {
          bytes[from][to] = sent.get(from).get(to);
        }
      }
      return Optional.of(bytes);
    }
    if (kind.isSingle()) {
      int other = kind.peer() == 0 ? 1 : 0;
      bytes[kind.sends() ? other : kind.peer()][kind.sends() ? kind.peer() : other] = kind.bytes();
      return kind.peer() < nRanks ? Optional.of(bytes) : Optional.empty();
    }
    for (int from = 0; from < nRanks; from++) {
      for (int to = 0; to < nRanks; to++) {
        bytes[from][to] =
            switch (operation) {
              case SENDRECV -> to == (from + 1) % nRanks ? kind.bytes() : 0;
              case GATHER -> to == 0 ? kind.bytes() / nRanks : 0;
              case SCATTER -> from == 0 ? kind.bytes() / nRanks : 0;
              default -> kind.bytes() / nRanks;
            };
      }
    }
    return Optional.of(bytes);
  }

  /** The launch of the rank with most channels. */
  private LaunchSize launch(long[][] bytes) {
    PeerPlanner planner = new PeerPlanner(predictor.planner().communicator().connection());
    Traffic traffic = (from, to) -> bytes[from][to] == 0 ? Traffic.NONE : bytes[from][to];
    return IntStream.range(0, nRanks)
        .boxed()
        .flatMap(rank -> planner.call(rank, traffic).kernels().stream())
        .max(Comparator.comparingInt((PeerKernel kernel) -> kernel.channels().size()))
        .map(kernel -> new LaunchSize(kernel.channels().size(), kernel.threads()))
        .orElse(new LaunchSize(0, 0));
  }

  /** The part of the time from call to call that the kernel itself takes. */
  private static double factor(TimeEstimate estimate) {
    return estimate.kernelUs() / estimate.timeUs();
  }

  private static OptionalDouble scaled(OptionalDouble value, double factor) {
    return value.isPresent() ? OptionalDouble.of(factor * value.getAsDouble()) : value;
  }
}
