package dev.topo.visualizer.structure;

import dev.topo.model.Node.NetNode;
import dev.topo.model.QuantityFormat;
import dev.topo.search.connect.CollNet;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Nvls;
import dev.topo.search.connect.P2pSchedule.Round;
import dev.topo.search.connect.PeerPort;
import dev.topo.search.connect.Trees;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Connections as JSON: {@code communicators[]} with their facts and an array for each selected
 * part, whose entries are made as they are written.
 */
public final class ConnectionJson {
  /** The neighbours of a rank in a channel. */
  private record LinkEntry(
      int channel, int rank, int ringPrev, int ringNext, int treeUp, List<Integer> treeDown) {}

  /** The place of a rank in the NVLS tree of a channel. */
  private record NvlsEntry(
      int rank, int channel, int headRank, int treeUp, List<Integer> treeDown, int out) {}

  /** The place of a rank in in-network reduction. */
  private record CollNetEntry(
      int rank,
      int denseRank,
      List<Integer> setupHeads,
      Optional<CollNet.Direct> direct,
      List<ChainEntry> chains) {}

  /** The neighbours of a rank in the chain of a channel. */
  private record ChainEntry(int channel, int up, int down, int depth) {}

  /** The rounds of a rank. */
  private record P2pEntry(int rank, List<RoundEntry> rounds) {}

  /** A round of a rank. */
  private record RoundEntry(int sendTo, int receiveFrom, List<Integer> channelsByPart) {}

  /** How a transfer leaves a node. */
  private record NicEntry(
      int rank, int peer, String onChannels, String net, int dev, String name, int relay) {}

  private final Connection connection;
  private final Excerpt excerpt;

  private ConnectionJson(Excerpt excerpt) {
    this.connection = excerpt.connection();
    this.excerpt = excerpt;
  }

  /** One communicator with some parts. */
  public static Object communicator(
      String title, Excerpt excerpt, Set<ConnectPart> parts, Absence absence) {
    ConnectionJson json = new ConnectionJson(excerpt);
    return Fields.of(Connection.class)
        .field("job", connection -> JobSummary.of(title, connection))
        .field("channels", Connection::nChannels)
        .field("nvls", connection -> connection.nvls().isSupported())
        .field("nvlsChannels", connection -> connection.nvls().channels(0))
        .field("collNet", connection -> connection.collNet().isPresent())
        .field("p2pChannels", connection -> connection.p2pChannels(0).nChannels())
        .field("p2pChannelsPerPeer", connection -> connection.p2pChannels(0).nChannelsPerPeer())
        .optional("links", connection -> part(parts, ConnectPart.RINGS_TREES, json::links))
        .optional(
            "nvlsTrees",
            connection -> part(parts, ConnectPart.NVLS, part -> json.nvls(absence.of(part))))
        .optional(
            "collNetChannels",
            connection -> part(parts, ConnectPart.COLLNET, part -> json.collNet(absence.of(part))))
        .optional(
            "p2pSchedule", connection -> part(parts, ConnectPart.P2P, part -> json.schedule()))
        .optional("peerNics", connection -> part(parts, ConnectPart.NICS, part -> json.nics()))
        .json(excerpt.connection());
  }

  private static <T> Optional<T> part(
      Set<ConnectPart> parts, ConnectPart part, Function<ConnectPart, T> content) {
    return Optional.of(part).filter(parts::contains).map(content);
  }

  private Stream<LinkEntry> links(ConnectPart part) {
    List<Integer> channels = excerpt.channels(part);
    int ranks = excerpt.ranks().size();
    int size = Math.multiplyExact(channels.size(), ranks);
    return IntStream.range(0, size)
        .mapToObj(i -> link(channels.get(i / ranks), excerpt.ranks().get(i % ranks)));
  }

  private LinkEntry link(int channel, int rank) {
    Trees.Links tree = connection.trees().links(channel, rank);
    return new LinkEntry(
        channel,
        rank,
        connection.rings().prev(channel, rank),
        connection.rings().next(channel, rank),
        tree.up(),
        List.of(tree.down0(), tree.down1(), tree.down2()));
  }

  /** The heads of NVLS, or why there are none. */
  private Object nvls(Optional<String> absent) {
    List<Integer> channels = excerpt.channels(ConnectPart.NVLS);
    return Fields.of(Nvls.class)
        .optional("absent", nvls -> absent)
        .field("nHeads", nvls -> absent.isPresent() ? 0 : nvls.nHeads())
        .field("ranks", nvls -> excerpt.ranks().stream().flatMap(rank -> nvls(rank, channels)))
        .json(connection.nvls());
  }

  private Stream<NvlsEntry> nvls(int rank, List<Integer> channels) {
    int count = connection.nvls().channels(rank);
    int out = connection.collNet().map(net -> net.nvlsOut(rank)).orElse(Connection.NONE);
    return channels.stream()
        .filter(channel -> channel < count)
        .map(
            channel -> {
              Nvls.Links links = connection.nvls().links(channel, rank);
              return new NvlsEntry(
                  rank, channel, links.headRank(), links.treeUp(), links.treeDown(), out);
            });
  }

  /** Chains and heads of in-network reduction, or why there are none. */
  private Object collNet(Optional<String> absent) {
    List<Integer> channels = excerpt.channels(ConnectPart.COLLNET);
    return Fields.of(Connection.class)
        .optional("absent", all -> absent)
        .field(
            "ranks",
            all ->
                all.collNet().stream()
                    .flatMap(
                        net -> excerpt.ranks().stream().map(rank -> collNet(net, rank, channels))))
        .json(connection);
  }

  private static CollNetEntry collNet(CollNet net, int rank, List<Integer> channels) {
    CollNet.Setup setup = net.setup(rank);
    return new CollNetEntry(
        rank,
        setup.denseRank(),
        setup.heads(),
        net.direct(rank),
        channels.stream()
            .map(
                channel -> {
                  CollNet.Chain chain = net.chain(channel, rank);
                  return new ChainEntry(channel, chain.up(), chain.down(), chain.depth());
                })
            .toList());
  }

  /** The schedule of sends and receives. */
  private Object schedule() {
    return Fields.of(ScheduleRows.class)
        .field("groupSize", ScheduleRows::groupSize)
        .field(
            "ranks",
            rows -> excerpt.ranks().stream().map(rank -> new P2pEntry(rank, rounds(rows, rank))))
        .json(new ScheduleRows(connection));
  }

  private static List<RoundEntry> rounds(ScheduleRows rows, int rank) {
    List<Round> rounds = rows.rounds(rank);
    List<List<Integer>> channels = rows.channels(rank, rounds.size());
    return IntStream.range(0, rounds.size())
        .mapToObj(
            number ->
                new RoundEntry(
                    rounds.get(number).sendTo(),
                    rounds.get(number).receiveFrom(),
                    channels.get(number)))
        .toList();
  }

  private Stream<NicEntry> nics() {
    if (!ConnectPart.NICS.isIn(connection)) {
      return Stream.empty();
    }
    PortRows rows = new PortRows(excerpt);
    return excerpt.ranks().stream().flatMap(rank -> nics(rows, rank));
  }

  private static Stream<NicEntry> nics(PortRows rows, int rank) {
    Map<Integer, Map<PeerPort, List<Integer>>> byDevice = new HashMap<>();
    return rows.peers(rank)
        .boxed()
        .flatMap(
            peer ->
                byDevice
                    .computeIfAbsent(rows.device(peer), device -> rows.ports(rank, device))
                    .entrySet()
                    .stream()
                    .map(entry -> nic(rank, peer, entry.getKey(), entry.getValue())));
  }

  private static NicEntry nic(int rank, int peer, PeerPort way, List<Integer> channels) {
    NetNode port = way.port();
    return new NicEntry(
        rank,
        peer,
        QuantityFormat.ranges(channels),
        port.id().toString(),
        port.dev(),
        port.name(),
        way.relay());
  }

  /** All communicators of a job. */
  public static Answer of(List<Object> communicators) {
    return Json.document(
        "connect",
        Fields.of(List.class).field("communicators", all -> communicators),
        communicators);
  }
}
