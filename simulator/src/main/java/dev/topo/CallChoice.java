package dev.topo;

import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.Connection;
import dev.topo.search.transfer.TransferRow;
import dev.topo.search.transfer.TransferTable;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner.Decision;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How NCCL launches a call.
 *
 * @param call the call
 * @param algorithm the algorithm; empty for sends and receives, which have none
 * @param protocol the protocol; for sends and receives that of the farthest ranks
 * @param channels number of channels of a single call; for sends and receives the number of blocks
 *     of the largest kernel
 * @param mostChannels number of channels that the calls of a group may share
 * @param threads threads of each channel
 * @param timeUs time in NCCL's own model, in microseconds; the model ranks algorithms and does not
 *     predict times of hardware. Empty for sends and receives
 * @param transfers how sends and receives are divided, by transport, the nearest ranks first; empty
 *     for a collective
 */
public record CallChoice(
    Call call,
    Optional<Algorithm> algorithm,
    Protocol protocol,
    int channels,
    int mostChannels,
    int threads,
    OptionalDouble timeUs,
    List<TransferRow> transfers) {
  public CallChoice {
    transfers = List.copyOf(transfers);
  }

  /** NCCL's choice for a call of a communicator. */
  static CallChoice of(Communicator communicator, Call call) {
    return call instanceof CollectiveCall collective
        ? ofCollective(communicator, collective)
        : ofTransfers(communicator.connection(), (PeerCall) call);
  }

  private static CallChoice ofCollective(Communicator communicator, CollectiveCall call) {
    Decision decision = communicator.tuner().decide(call);
    if (decision instanceof Decision.Refusal refusal) {
      throw new SettingException(call.title() + ": " + refusal.sentence());
    }
    Choice choice = decision.choice().orElseThrow();
    return new CallChoice(
        call,
        Optional.of(choice.algorithm()),
        choice.protocol(),
        ChannelShare.launched(communicator.facts(), call, choice),
        choice.channels(),
        choice.threads(),
        OptionalDouble.of(choice.timeUs()),
        List.of());
  }

  private static CallChoice ofTransfers(Connection connection, PeerCall call) {
    requireOneGroup(call);
    call.emptiness(connection.nRanks())
        .map(Decision.Refusal::discarded)
        .ifPresent(
            discarded -> {
              throw new SettingException(call.title() + ": " + discarded.sentence());
            });
    List<TransferRow> rows = new TransferTable(connection).rows(call);
    TransferRow farthest = Last.of(rows);
    return new CallChoice(
        call,
        Optional.empty(),
        farthest.protocol(),
        farthest.blocks(),
        connection.p2pChannels(0).nChannels(),
        farthest.threads(),
        OptionalDouble.empty(),
        rows);
  }

  /** Rejects an operation that consists of several calls: its times and launches are not known. */
  static void requireOneGroup(Call call) {
    Topo.require(
        call.operation().isOneCall(),
        () ->
            call.title()
                + ": the operation is several calls, expected a collective, sendrecv, alltoall,"
                + " alltoallv, gather or scatter");
  }

  /** The launch as NCCL names it: {@code Ring/Simple}, or {@code P2P/Simple, NET/Simple}. */
  public String launchName() {
    return algorithm
        .map(choice -> choice.label() + "/" + protocol.label())
        .orElseGet(
            () ->
                QuantityFormat.joined(
                    ", ", transfers, row -> row.transport() + "/" + row.protocol().label()));
  }
}
