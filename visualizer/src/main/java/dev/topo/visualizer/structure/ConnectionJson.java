package dev.topo.visualizer.structure;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.topo.model.NetNode;
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
 * part, whose entries are made as they are written; so an answer is written once.
 */
public final class ConnectionJson {
  /** A communicator as it is written. */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  public record Communicator(
      JobSummary job,
      int channels,
      boolean nvls,
      int nvlsChannels,
      boolean collNet,
      int p2pChannels,
      int p2pChannelsPerPeer,
      Optional<Stream<LinkEntry>> links,
      Optional<NvlsPart> nvlsTrees,
      Optional<CollNetPart> collNetChannels,
      Optional<P2pPart> p2pSchedule,
      Optional<Stream<NicEntry>> peerNics) {}

  /** The neighbours of a rank in a channel. */
  public record LinkEntry(
      int channel, int rank, int ringPrev, int ringNext, int treeUp, List<Integer> treeDown) {}

  /** The heads of NVLS, or why there are none. */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  public record NvlsPart(Optional<String> absent, int nHeads, Stream<NvlsEntry> ranks) {}

  /** The place of a rank in the NVLS tree of a channel. */
  public record NvlsEntry(
      int rank, int channel, int headRank, int treeUp, List<Integer> treeDown, int out) {}

  /** Chains and heads of in-network reduction, or why there are none. */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  public record CollNetPart(Optional<String> absent, Stream<CollNetEntry> ranks) {}

  /** The place of a rank in in-network reduction. */
  public record CollNetEntry(
      int rank,
      int denseRank,
      List<Integer> setupHeads,
      Optional<CollNet.Direct> direct,
      List<ChainEntry> chains) {}

  /** The neighbours of a rank in the chain of a channel. */
  public record ChainEntry(int channel, int up, int down, int depth) {}

  /** The schedule of sends and receives. */
  public record P2pPart(int groupSize, Stream<P2pEntry> ranks) {}

  /** The rounds of a rank. */
  public record P2pEntry(int rank, List<RoundEntry> rounds) {}

  /** A round of a rank. */
  public record RoundEntry(int sendTo, int receiveFrom, List<Integer> channelsByPart) {}

  /** How a transfer leaves a node. */
  public record NicEntry(
      int rank, int peer, String onChannels, String net, int dev, String name, int relay) {}

  private final Connection connection;
  private final Excerpt excerpt;

  private ConnectionJson(Excerpt excerpt) {
    this.connection = excerpt.connection();
    this.excerpt = excerpt;
  }

  /** One communicator with some parts. */
  public static Communicator communicator(
      String title, Excerpt excerpt, Set<ConnectPart> parts, Absence absence) {
    Connection connection = excerpt.connection();
    ConnectionJson json = new ConnectionJson(excerpt);
    return new Communicator(
        JobSummary.of(title, connection),
        connection.nChannels(),
        connection.nvls().isSupported(),
        connection.nvls().channels(0),
        connection.collNet().isPresent(),
        connection.p2pChannels(0).nChannels(),
        connection.p2pChannels(0).nChannelsPerPeer(),
        part(parts, ConnectPart.RINGS_TREES, json::links),
        part(parts, ConnectPart.NVLS, part -> json.nvls(absence.of(part))),
        part(parts, ConnectPart.COLLNET, part -> json.collNet(absence.of(part))),
        part(parts, ConnectPart.P2P, part -> json.schedule()),
        part(parts, ConnectPart.NICS, part -> json.nics()));
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

  private NvlsPart nvls(Optional<String> absent) {
    List<Integer> channels = excerpt.channels(ConnectPart.NVLS);
    return new NvlsPart(
        absent,
        absent.isPresent() ? 0 : connection.nvls().nHeads(),
        excerpt.ranks().stream().flatMap(rank -> nvls(rank, channels)));
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

  private CollNetPart collNet(Optional<String> absent) {
    List<Integer> channels = excerpt.channels(ConnectPart.COLLNET);
    return new CollNetPart(
        absent,
        connection.collNet().stream()
            .flatMap(net -> excerpt.ranks().stream().map(rank -> collNet(net, rank, channels))));
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

  private P2pPart schedule() {
    ScheduleRows rows = new ScheduleRows(connection);
    return new P2pPart(
        rows.groupSize(),
        excerpt.ranks().stream().map(rank -> new P2pEntry(rank, rounds(rows, rank))));
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
  public static Answer of(List<Communicator> communicators) {
    return Json.document(
        "connect",
        Fields.of(List.class).field("communicators", all -> communicators),
        communicators);
  }
}
