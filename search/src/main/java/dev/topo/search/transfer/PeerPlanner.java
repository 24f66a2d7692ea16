package dev.topo.search.transfer;

import dev.topo.model.settings.NcclSettings;
import dev.topo.model.settings.SettingException;
import dev.topo.search.connect.Connection;
import dev.topo.search.peer.P2pChannels;
import dev.topo.search.peer.P2pSchedule;
import dev.topo.search.rules.ConnectRules.Schedule;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.TransferRules.Division;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a rank does for sends and receives that are one group of calls, out of place: its rounds in
 * the order of the schedule, and its kernels. A rank that has several transfers with a peer in a
 * group is not covered. NCCL's plans do not depend on other ranks' sizes. Immutable.
 */
public final class PeerPlanner {
  private final Connection connection;
  private final NcclProfile profile;
  private final P2pSchedule schedule;

  /**
   * For the ranks of a job.
   *
   * @throws SettingException if the rules of the release are not modelled
   */
  public PeerPlanner(Connection connection) {
    this.connection = connection;
    this.profile = connection.profile();
    this.schedule = connection.p2pSchedule();
    if (profile.transfers().division == Division.PIECES) {
      throw new SettingException(
          "how NCCL "
              + profile.version()
              + " divides sends and receives is not modelled, expected --nccl 2.23.4 or newer");
    }
  }

  /** What a rank does. */
  public PeerCall call(int rank, Traffic traffic) {
    int node = connection.nodeOf(rank);
    NcclSettings settings = connection.settings();
    P2pChannels channels = connection.p2pChannels(node);
    TransferDivider divider =
        new TransferDivider(
            profile,
            settings,
            connection.bufferSizes(node),
            channels,
            connection.nRanks(),
            connection.nNodes() > 1);
    KernelPlanner kernels = new KernelPlanner(profile, settings, channels);
    List<PeerRound> rounds = new ArrayList<>();
    int number = 0;
    for (P2pSchedule.Round round : schedule.rounds(node, connection.ranksOf(node).indexOf(rank))) {
      Optional<Transfer> send =
          transfer(divider, rank, round.sendTo(), traffic.bytes(rank, round.sendTo()));
      Optional<Transfer> receive =
          transfer(divider, rank, round.receiveFrom(), traffic.bytes(round.receiveFrom(), rank));
      if (send.isPresent() || receive.isPresent()) {
        PeerRound one =
            new PeerRound(
                number,
                firstChannel(number, channels.nChannels()),
                channels.nChannels(),
                send,
                receive);
        kernels.add(one);
        rounds.add(one);
      }
      number++;
    }
    return new PeerCall(rank, rounds, kernels.kernels());
  }

  private Optional<Transfer> transfer(TransferDivider divider, int rank, int peer, long bytes) {
    return bytes == Traffic.NONE
        ? Optional.empty()
        : Optional.of(divider.divide(peer, bytes, connection.transport(rank, peer)));
  }

  /**
   * The channel of the first part in a round. Between nodes rounds that run at once share it
   * ({@code ncclP2pChannelBaseForRound}, {@code nccl:src/include/channel.h}).
   */
  private int firstChannel(int round, int allChannels) {
    int base = round;
    if (connection.nNodes() > 1) {
      int perBatch = profile.transfers().perBatch;
      int group = groupSize();
      base = round / group * ((group + perBatch - 1) / perBatch) + round % group / perBatch;
    }
    return profile.transfers().spreadsRounds
        ? reversed(base, Integer.numberOfTrailingZeros(allChannels))
        : base & allChannels - 1;
  }

  private int groupSize() {
    return profile.connect().schedule == Schedule.GROUPS
        ? schedule.groupSize()
        : connection.maxLocalRanks();
  }

  /** The last bits of a number in reverse order. */
  private static int reversed(int number, int bits) {
    return bits == 0 ? 0 : Integer.reverse(number) >>> Integer.SIZE - bits;
  }
}
