package dev.topo.search.transfer;

import dev.topo.model.job.SettingException;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.connect.P2pSchedule;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Transport;
import dev.topo.search.rules.LaunchRules.TransferRules.Division;
import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Plans how a rank performs a group of out-of-place sends and receives: its rounds in the order of
 * the schedule, and its kernels. Caches the rules of nodes and the schedules of ranks. Not
 * thread-safe.
 */
public final class PeerPlanner {
  private final Connection connection;
  private final NcclProfile profile;
  private final P2pSchedule schedule;
  private final Map<Domain, NodeRules> rulesOf = new HashMap<>();
  private final Map<Integer, List<P2pSchedule.Round>> orderOf = new HashMap<>();

  /** The rules for all ranks of a node. */
  private record NodeRules(P2pChannels channels, TransferDivider divider) {}

  /** True if topo models how a release divides sends and receives. */
  public static boolean covers(NcclProfile profile) {
    return profile.transfers().division != Division.PIECES;
  }

  /** The message for a release whose rules are not modelled; empty if they are modelled. */
  public static Optional<String> absence(NcclProfile profile) {
    return covers(profile)
        ? Optional.empty()
        : Optional.of(
            "how NCCL %s divides sends and receives is not modelled, expected --nccl %s or newer"
                .formatted(profile.version(), oldestCovered()));
  }

  /** The oldest release whose rules are modelled. */
  public static String oldestCovered() {
    return NcclProfile.versions().stream()
        .filter(version -> covers(NcclProfile.of(version)))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Creates a planner for the ranks of a job.
   *
   * @throws SettingException if the rules of the release are not modelled
   */
  public PeerPlanner(Connection connection) {
    this.connection = connection;
    this.profile = connection.profile();
    this.schedule = connection.p2pSchedule();
    absence(profile)
        .ifPresent(
            reason -> {
              throw new SettingException(reason);
            });
  }

  /** True if transfers over the network can use LL. */
  public boolean hasLlOverNetwork() {
    return TransferDivider.hasLlOverNetwork(connection.settings());
  }

  /** Plans the transfers of a rank in one group of calls. */
  public TransferPlan call(int rank, Traffic traffic) {
    return call(rank, List.of(traffic));
  }

  /**
   * Plans several sets of transfers of a rank as one group. The first transfers of all pairs of
   * ranks come before the second ones, and so on.
   */
  public TransferPlan call(int rank, List<Traffic> traffics) {
    NodeRules rules = rules(rank);
    P2pChannels channels = rules.channels;
    KernelPlanner kernels = new KernelPlanner(profile, connection.settings(), channels);
    List<P2pSchedule.Round> order = order(rank);
    List<PeerRound> rounds = new ArrayList<>();
    for (int turn = 0; turn < traffics.size(); turn++) {
      for (int number = 0; number < order.size(); number++) {
        int to = order.get(number).sendTo();
        int from = order.get(number).receiveFrom();
        Optional<Transfer> send = transfer(rules, rank, to, bytes(traffics, turn, rank, to));
        Optional<Transfer> receive = transfer(rules, rank, from, bytes(traffics, turn, from, rank));
        if (send.isPresent() || receive.isPresent()) {
          PeerRound round = round(number, channels.nChannels(), send, receive);
          kernels.add(round);
          rounds.add(round);
        }
      }
    }
    return new TransferPlan(rank, rounds, kernels.kernels());
  }

  /**
   * Checks the transfers of a rank in the order of its rounds. Transfers of equal size and
   * transport are divided alike: successive ones are checked once.
   *
   * @throws SettingException if NCCL cannot divide one of them
   */
  void requireDivisible(int rank, Traffic traffic) {
    NodeRules rules = rules(rank);
    Map<Transport, Long> divided = new EnumMap<>(Transport.class);
    for (P2pSchedule.Round round : order(rank)) {
      requireDivisible(rules, rank, round.sendTo(), traffic.bytes(rank, round.sendTo()), divided);
      requireDivisible(
          rules, rank, round.receiveFrom(), traffic.bytes(round.receiveFrom(), rank), divided);
    }
  }

  private void requireDivisible(
      NodeRules rules, int rank, int peer, long bytes, Map<Transport, Long> divided) {
    if (bytes != Traffic.NONE) {
      Transport transport = connection.transport(rank, peer);
      Long last = divided.put(transport, bytes);
      if (last == null || last != bytes) {
        rules.divider.divide(peer, bytes, transport);
      }
    }
  }

  private List<P2pSchedule.Round> order(int rank) {
    int node = connection.nodeOf(rank);
    return orderOf.computeIfAbsent(
        rank, key -> schedule.rounds(node, connection.ranksOf(node).indexOf(rank)));
  }

  /**
   * Creates a round. Up to 2.27, distant channels are assigned to the parts of a transfer; later,
   * to successive rounds.
   */
  private PeerRound round(
      int number, int allChannels, Optional<Transfer> send, Optional<Transfer> receive) {
    return new PeerRound(
        number,
        firstChannel(number, allChannels),
        allChannels,
        !profile.transfers().spreadsRounds,
        send,
        receive);
  }

  /**
   * The channels of a transfer that is large enough for all channels of a peer, in the order of its
   * parts.
   *
   * @param number index of its round in the schedule
   */
  public List<Integer> channels(int rank, int number) {
    P2pChannels channels = rules(rank).channels;
    return round(number, channels.nChannels(), Optional.empty(), Optional.empty())
        .channels(channels.nChannelsPerPeer())
        .boxed()
        .toList();
  }

  /**
   * Bytes of the transfer with index {@code number} of a pair of ranks, or {@link Traffic#NONE}.
   */
  private static long bytes(List<Traffic> traffics, int number, int from, int to) {
    return traffics.stream()
        .mapToLong(traffic -> traffic.bytes(from, to))
        .filter(bytes -> bytes != Traffic.NONE)
        .skip(number)
        .findFirst()
        .orElse(Traffic.NONE);
  }

  private NodeRules rules(int rank) {
    int node = connection.nodeOf(rank);
    return rulesOf.computeIfAbsent(connection.domain(node), domain -> rulesOn(node));
  }

  private NodeRules rulesOn(int node) {
    P2pChannels channels = connection.p2pChannels(node);
    return new NodeRules(
        channels,
        new TransferDivider(
            profile,
            connection.settings(),
            connection.bufferSizes(node),
            channels,
            connection.nRanks(),
            connection.nNodes() > 1));
  }

  private Optional<Transfer> transfer(NodeRules rules, int rank, int peer, long bytes) {
    return bytes == Traffic.NONE
        ? Optional.empty()
        : Optional.of(rules.divider.divide(peer, bytes, connection.transport(rank, peer)));
  }

  /**
   * The channel of the first part of a round's transfers. In jobs of several nodes, rounds that run
   * at the same time share it ({@code ncclP2pChannelBaseForRound}, {@code
   * nccl:src/include/channel.h}).
   */
  private int firstChannel(int round, int allChannels) {
    int base = round;
    if (connection.nNodes() > 1) {
      int perBatch = profile.transfers().perBatch;
      int group = groupSize();
      base = round / group * ((group + perBatch - 1) / perBatch) + round % group / perBatch;
    }
    return profile.transfers().spreadsRounds
        ? PeerRound.reversed(base, Integer.numberOfTrailingZeros(allChannels))
        : base & allChannels - 1;
  }

  private int groupSize() {
    return profile.connect().schedule.dividesNodes()
        ? schedule.groupSize()
        : connection.maxLocalRanks();
  }
}
