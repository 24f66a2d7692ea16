package dev.topo.simulator.evaluate;

import dev.topo.model.Rounding;
import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Transport;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.search.transfer.PeerRound;
import dev.topo.search.transfer.Traffic;
import dev.topo.search.transfer.Transfer;
import dev.topo.search.transfer.TransferPlan;
import dev.topo.simulator.timing.CallShape.Contention;
import dev.topo.simulator.timing.PeerShape;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Derives the properties of traffic that determine the time of a call; for jobs of one node. */
final class PeerShapeFinder {
  /** Granularity in bytes of the parts of channels ({@code ncclP2pPartBounds}). */
  private static final int GRAIN = 4096;

  private final CallPlanner planner;
  private final PeerPlanner transfers;
  private final int allChannels;

  /** A finder for a communicator of one node. */
  PeerShapeFinder(CallPlanner planner) {
    Connection connection = planner.communicator().connection();
    this.planner = planner;
    this.transfers = new PeerPlanner(connection);
    this.allChannels = connection.p2pChannels(0).nChannels();
  }

  /** Work of the slowest rank of a call; empty between nodes, and if nothing is sent. */
  Optional<PeerShape> shape(PeerTraffic traffic) {
    Optional<ChannelRoutes> routes = planner.routes();
    if (routes.isEmpty() || traffic.busiestBytes() == 0) {
      return Optional.empty();
    }
    Contention links = routes.get().traffic(traffic::bytes).times(planner.context().groups());
    Traffic sent =
        (from, to) -> traffic.bytes(from, to) == 0 ? Traffic.NONE : traffic.bytes(from, to);
    return IntStream.range(0, traffic.nRanks())
        .mapToObj(rank -> shape(transfers.call(rank, sent), links))
        .max(Comparator.comparingLong(PeerShapeFinder::bytes));
  }

  private static long bytes(PeerShape shape) {
    return shape.sentBytes() + shape.receivedBytes() + shape.copiedBytes();
  }

  private PeerShape shape(TransferPlan call, Contention links) {
    long[] sent = new long[allChannels];
    long[] received = new long[allChannels];
    long[] copied = new long[allChannels];
    long[] chunks = new long[allChannels];
    boolean onlyLl = true;
    int peers = 0;
    for (PeerRound round : call.rounds()) {
      boolean isCopy =
          round.transfers().anyMatch(transfer -> transfer.transport() == Transport.COPY);
      round.send().ifPresent(transfer -> divide(round, transfer, isCopy ? copied : sent));
      if (!isCopy) {
        round.receive().ifPresent(transfer -> divide(round, transfer, received));
        peers++;
        onlyLl &= round.transfers().allMatch(transfer -> transfer.protocol() == Protocol.LL);
        Transfer larger =
            round.transfers().max(Comparator.comparingLong(Transfer::bytes)).orElseThrow();
        for (int channel : round.channels(larger)) {
          chunks[channel] += larger.chunkBytes();
        }
      }
    }
    int busiest =
        IntStream.range(0, allChannels)
            .boxed()
            .max(
                Comparator.<Integer>comparingLong(c -> Math.max(sent[c], received[c]))
                    .thenComparingLong(c -> sent[c] + received[c] + copied[c]))
            .orElseThrow();
    int used =
        (int)
            IntStream.range(0, allChannels)
                .filter(c -> sent[c] + received[c] + copied[c] > 0)
                .count();
    return new PeerShape(
        planner.gpusPerProcess(),
        Math.max(1, peers),
        onlyLl ? Protocol.LL : Protocol.SIMPLE,
        used,
        sent[busiest],
        received[busiest],
        copied[busiest],
        Math.max(1, chunks[busiest]),
        links.nvlinkPsPerByte(),
        links.otherPsPerByte(),
        links.throughHost(),
        planner.isRegistered() && !links.throughHost());
  }

  private static void divide(PeerRound round, Transfer transfer, long[] ofChannels) {
    List<Integer> channels = round.channels(transfer);
    for (int part = 0; part < channels.size(); part++) {
      ofChannels[channels.get(part)] += part(transfer.bytes(), channels.size(), part);
    }
  }

  /** Bytes of a part of a transfer that is divided among channels. */
  static long part(long bytes, int count, int part) {
    long whole = Rounding.up(Rounding.quotientUp(bytes, count), GRAIN);
    return Math.max(0, Math.min(bytes, (part + 1) * whole) - part * whole);
  }
}
