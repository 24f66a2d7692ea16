package dev.topo.search.explain;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.connect.PeerPort;
import dev.topo.search.path.Transport;
import dev.topo.search.rules.LaunchRules.TransferRules.Division;
import dev.topo.search.transfer.PeerKernel;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.search.transfer.PeerRound;
import dev.topo.search.transfer.Traffic;
import dev.topo.search.transfer.Transfer;
import dev.topo.search.transfer.TransferPlan;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Explains how a rank performs an operation that consists of sends and receives. */
public final class PeerExplainer {
  /** The rank whose transfers are explained. It is also the root. */
  private static final int RANK = 0;

  private static final int MAX_LISTED_ROUNDS = 16;

  private final Connection connection;
  private final PeerPlanner planner;

  public PeerExplainer(Connection connection) {
    this.connection = connection;
    this.planner = new PeerPlanner(connection);
  }

  /** Explains how NCCL performs an operation of a given size. */
  public Explanation explain(PeerCall request) {
    PeerOperation operation = request.operation();
    int nRanks = connection.nRanks();
    TransferPlan call =
        planner.call(RANK, Traffic.of(operation, request.wholeBytes(nRanks), nRanks, RANK));
    List<String> sentences = new ArrayList<>();
    Optional<Decision.Refusal> discarded =
        request.emptiness(nRanks).map(Decision.Refusal::discarded);
    if (discarded.isPresent()) {
      sentences.add("Nothing is sent, as " + discarded.get().sentence() + ".");
    } else {
      sentences.add(outcome(call));
      int maxAtOnce = call.kernels().stream().mapToInt(PeerKernel::mostAtOnce).max().orElse(1);
      if (maxAtOnce > 1) {
        sentences.add("Up to %s rounds share the threads of a block.".formatted(maxAtOnce));
      }
      sentences.add(channels());
      Map<Transport, Transfer> byTransport = new EnumMap<>(Transport.class);
      call.rounds().stream()
          .flatMap(PeerRound::transfers)
          .forEach(transfer -> byTransport.putIfAbsent(transfer.transport(), transfer));
      byTransport.values().forEach(transfer -> sentences.add(transfer(transfer)));
      if (byTransport.values().stream().anyMatch(PeerExplainer::isDirectIfRegistered)) {
        sentences.add(
            "Buffers that both ranks register (ncclCommRegister) change neither protocol nor channels; by P2P and Simple data then goes from buffer to buffer.");
      }
      call.rounds().stream().limit(MAX_LISTED_ROUNDS).forEach(round -> sentences.add(round(round)));
      if (call.rounds().size() > MAX_LISTED_ROUNDS) {
        sentences.add("%s more rounds.".formatted(call.rounds().size() - MAX_LISTED_ROUNDS));
      }
    }
    return new Explanation(
        "%s of %s on rank %s"
            .formatted(operation.label(), QuantityFormat.exactSize(request.sizeBytes()), RANK),
        sentences);
  }

  private static String outcome(TransferPlan call) {
    PeerKernel first = call.kernels().get(0);
    return "Rank %s sends and receives in %s by %s of %s of %s threads, channels %s."
        .formatted(
            call.rank(),
            QuantityFormat.count(call.rounds().size(), "round"),
            QuantityFormat.count(call.kernels().size(), "kernel"),
            QuantityFormat.count(first.channels().size(), "block"),
            first.threads(),
            QuantityFormat.ranges(first.channels()));
  }

  private String channels() {
    P2pChannels channels = connection.p2pChannels(connection.nodeOf(RANK));
    return "There are %s channels for sends and receives (NCCL_MIN_P2P_NCHANNELS, NCCL_MAX_P2P_NCHANNELS), up to %s of them for a peer."
        .formatted(channels.nChannels(), channels.nChannelsPerPeer());
  }

  private static boolean isDirectIfRegistered(Transfer transfer) {
    return transfer.transport() == Transport.P2P && transfer.protocol() == Protocol.SIMPLE;
  }

  private String transfer(Transfer transfer) {
    if (transfer.transport() == Transport.COPY) {
      return "To itself it copies %s on %s."
          .formatted(
              QuantityFormat.exactSize(transfer.bytes()),
              QuantityFormat.count(transfer.nChannels(), "channel"));
    }
    return "By %s, as with rank %s: %s by %s (%s), on %s, in chunks of %s."
        .formatted(
            transfer.transport(),
            transfer.peer(),
            QuantityFormat.exactSize(transfer.bytes()),
            transfer.protocol().label(),
            reason(transfer),
            QuantityFormat.count(transfer.nChannels(), "channel"),
            QuantityFormat.size(transfer.chunkBytes()));
  }

  private String reason(Transfer transfer) {
    if (transfer.protocol() == Protocol.LL) {
      return "at most " + threshold(transfer);
    }
    if (transfer.transport() == Transport.NET && !planner.hasLlOverNetwork()) {
      return "the network has buffers of LL only with NCCL_ALLOC_P2P_NET_LL_BUFFERS=1 or NCCL_NET_SHARED_BUFFERS=0";
    }
    return "more than " + threshold(transfer);
  }

  private String threshold(Transfer transfer) {
    int channels =
        connection.profile().transfers().division == Division.CHANNELS_FIRST
            ? transfer.nChannels()
            : connection.p2pChannels(connection.nodeOf(RANK)).nChannelsPerPeer();
    long each = connection.settings().longInteger("NCCL_P2P_LL_THRESHOLD", 0);
    return "%s, NCCL_P2P_LL_THRESHOLD=%s for each of %s"
        .formatted(
            QuantityFormat.exactSize(channels * each),
            each,
            QuantityFormat.count(channels, "channel"));
  }

  private String round(PeerRound round) {
    return "Round %s: %s."
        .formatted(
            round.number(),
            round
                .transfers()
                .map(transfer -> direction(round, transfer))
                .collect(Collectors.joining(", ")));
  }

  private String direction(PeerRound round, Transfer transfer) {
    boolean isSend = round.send().filter(send -> send == transfer).isPresent();
    String channels =
        "on " + QuantityFormat.ranges(round.channels(transfer).stream().sorted().toList());
    String port =
        transfer.transport() == Transport.NET && isSend && connection.hasPorts()
            ? port(transfer, round)
            : "";
    return (isSend ? "to rank " : "from rank ") + transfer.peer() + " " + channels + port;
  }

  private String port(Transfer transfer, PeerRound round) {
    return round.channels(transfer).stream()
        .map(channel -> port(connection.peerPort(RANK, transfer.peer(), channel)))
        .distinct()
        .collect(Collectors.joining(" and ", " by ", ""));
  }

  private String port(PeerPort port) {
    String name = connection.portName(connection.nodeOf(RANK), port.port().id());
    return port.relay() == RANK ? name : name + " through rank " + port.relay();
  }
}
