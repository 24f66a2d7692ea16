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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows of a connection, computed lazily while they are written: as JSON with the facts of a
 * communicator and an array for each selected part, or one part as tab-separated values. {@link
 * Connection#NONE} means a missing rank.
 */
public final class ConnectionRows {
  /** The neighbours of a rank in a channel. */
  record LinkEntry(
      int channel, int rank, int ringPrev, int ringNext, int treeUp, List<Integer> treeDown) {}

  /** The links of a rank in the NVLS tree of a channel. */
  record NvlsEntry(
      int rank, int channel, int headRank, int treeUp, List<Integer> treeDown, int out) {}

  /** The role of a rank in in-network reduction (CollNet). */
  record CollNetEntry(
      int rank,
      int denseRank,
      List<Integer> setupHeads,
      Optional<CollNet.Direct> direct,
      List<ChainEntry> chains) {}

  /** The neighbours of a rank in the CollNet chain of a channel. */
  record ChainEntry(int channel, int up, int down, int depth) {}

  /** The rounds of sends and receives of a rank. */
  record P2pEntry(int rank, List<RoundEntry> rounds) {}

  /** The peers of a rank in one round, and the channels for each part of the data. */
  record RoundEntry(int sendTo, int receiveFrom, List<Integer> channelsByPart) {}

  /** The port through which transfers from a rank to a peer leave the node. */
  record NicEntry(
      int rank, int peer, String onChannels, String net, int dev, String name, int relay) {
    NicEntry to(int other) {
      return new NicEntry(rank, other, onChannels, net, dev, name, relay);
    }
  }

  private final Connection connection;
  private final Excerpt excerpt;

  ConnectionRows(Excerpt excerpt) {
    this.connection = excerpt.connection();
    this.excerpt = excerpt;
  }

  /** Returns the JSON object of a communicator with the selected parts. */
  public static Object communicator(
      String title, Excerpt excerpt, Set<ConnectPart> parts, AbsenceReason absence) {
    ConnectionRows rows = new ConnectionRows(excerpt);
    return Fields.of(Connection.class)
        .field("job", connection -> JobSummary.of(title, connection))
        .field("channels", Connection::nChannels)
        .field("nvls", connection -> connection.nvls().isSupported())
        .field("nvlsChannels", connection -> connection.nvls().channels())
        .field("collNet", connection -> connection.collNet().isPresent())
        .field("p2pChannels", connection -> connection.p2pChannels(0).nChannels())
        .field("p2pChannelsPerPeer", connection -> connection.p2pChannels(0).nChannelsPerPeer())
        .optional("links", connection -> part(parts, ConnectPart.RINGS_TREES, part -> rows.links()))
        .optional(
            "nvlsTrees",
            connection -> part(parts, ConnectPart.NVLS, part -> rows.nvls(absence.of(part))))
        .optional(
            "collNetChannels",
            connection -> part(parts, ConnectPart.COLLNET, part -> rows.collNet(absence.of(part))))
        .optional(
            "p2pSchedule", connection -> part(parts, ConnectPart.P2P, part -> rows.schedule()))
        .optional("peerNics", connection -> part(parts, ConnectPart.NICS, part -> rows.nics()))
        .json(excerpt.connection());
  }

  private static <T> Optional<T> part(
      Set<ConnectPart> parts, ConnectPart part, Function<ConnectPart, T> content) {
    return Optional.of(part).filter(parts::contains).map(content);
  }

  Stream<LinkEntry> links() {
    List<Integer> channels = excerpt.channels(ConnectPart.RINGS_TREES);
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

  /** The NVLS trees of the selected ranks, or why there are none. */
  private Object nvls(Optional<String> absent) {
    return Fields.of(Nvls.class)
        .optional("absent", nvls -> absent)
        .field("nHeads", nvls -> absent.isPresent() ? 0 : nvls.nHeads())
        .field("ranks", nvls -> nvls())
        .json(connection.nvls());
  }

  private Stream<NvlsEntry> nvls() {
    return excerpt.ranks().stream().flatMap(this::nvls);
  }

  private Stream<NvlsEntry> nvls(int rank) {
    int count = connection.nvls().channels(rank);
    int out = connection.collNet().map(net -> net.nvlsOut(rank)).orElse(Connection.NONE);
    return excerpt.channels(ConnectPart.NVLS).stream()
        .filter(channel -> channel < count)
        .map(
            channel -> {
              Nvls.Links links = connection.nvls().links(channel, rank);
              return new NvlsEntry(
                  rank, channel, links.headRank(), links.treeUp(), links.treeDown(), out);
            });
  }

  /** The CollNet chains and heads of the selected ranks, or why there are none. */
  private Object collNet(Optional<String> absent) {
    return Fields.of(Connection.class)
        .optional("absent", all -> absent)
        .field("ranks", all -> collNet())
        .json(connection);
  }

  Stream<CollNetEntry> collNet() {
    List<Integer> channels = excerpt.channels(ConnectPart.COLLNET);
    // Not flatMap: its iterator would keep all ranks.
    return connection
        .collNet()
        .map(net -> excerpt.ranks().stream().map(rank -> collNet(net, rank, channels)))
        .orElseGet(Stream::empty);
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
        .field("ranks", this::ranks)
        .json(new ScheduleRows(connection));
  }

  Stream<P2pEntry> ranks(ScheduleRows rows) {
    return excerpt.ranks().stream().map(rank -> new P2pEntry(rank, rounds(rows, rank)));
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

  /** The ports depend only on the peer's device number, so they are looked up once per number. */
  private static Stream<NicEntry> nics(PortRows rows, int rank) {
    Map<Integer, List<NicEntry>> byDevice = new HashMap<>();
    return rows.peers(rank)
        .boxed()
        .flatMap(
            peer ->
                byDevice
                    .computeIfAbsent(
                        rows.device(peer),
                        device ->
                            rows.ports(rank, device).entrySet().stream()
                                .map(port -> nic(rank, peer, port.getKey(), port.getValue()))
                                .toList())
                    .stream()
                    .map(entry -> entry.to(peer)));
  }

  private static NicEntry nic(int rank, int peer, PeerPort peerPort, List<Integer> channels) {
    NetNode port = peerPort.port();
    return new NicEntry(
        rank,
        peer,
        QuantityFormat.ranges(channels),
        port.id().toString(),
        port.dev(),
        port.name(),
        peerPort.relay());
  }

  /**
   * Returns one part as tab-separated values: an optional header, then a line for each rank and
   * channel, round or peer. Lists are separated by commas; the channels of a port are written as
   * ranges.
   *
   * @param split whether the job is split: then the colours of the communicator come first in each
   *     line
   * @param label the colours of the communicator
   * @param withNames whether to write a header with the column names
   */
  public static Answer tsv(
      ConnectPart part, Excerpt excerpt, boolean split, String label, boolean withNames) {
    return out -> {
      if (withNames) {
        out.append(split ? "split\t" : "").append(names(part)).append('\n');
      }
      Iterator<List<?>> rows = new ConnectionRows(excerpt).lines(part).iterator();
      while (rows.hasNext()) {
        out.append(split ? label + "\t" : "");
        out.append(QuantityFormat.joined("\t", rows.next(), ConnectionRows::cell));
        out.append('\n');
      }
    };
  }

  private static String names(ConnectPart part) {
    return switch (part) {
      case RINGS_TREES ->
          "channel\trank\tring_prev\tring_next\ttree_up\ttree_down0\ttree_down1\ttree_down2";
      case NVLS ->
          "rank\tchannel\tn_heads\thead_rank\ttree_up\ttree_down0\ttree_down1\ttree_down2\tout";
      case COLLNET ->
          "rank\tchannel\tchain_up\tchain_down\tchain_depth\tn_heads\thead_rank\tout\tshift\tdepth"
              + "\tup\tdown\theads\tdense_rank\tsetup_heads";
      case P2P -> "rank\tround\tsend_to\treceive_from\tchannels_by_part";
      case NICS -> "rank\tpeer\ton_channels\tnet\tdev\tname\trelay";
    };
  }

  private static String cell(Object value) {
    return value instanceof List<?> list
        ? QuantityFormat.joined(",", list, String::valueOf)
        : String.valueOf(value);
  }

  private Stream<List<?>> lines(ConnectPart part) {
    return switch (part) {
      case RINGS_TREES ->
          links()
              .map(
                  link ->
                      List.of(
                          link.channel,
                          link.rank,
                          link.ringPrev,
                          link.ringNext,
                          link.treeUp,
                          link.treeDown.get(0),
                          link.treeDown.get(1),
                          link.treeDown.get(2)));
      case NVLS -> nvls().map(this::line);
      case COLLNET ->
          collNet().flatMap(rank -> rank.chains.stream().map(chain -> line(rank, chain)));
      case P2P ->
          ranks(new ScheduleRows(connection))
              .flatMap(
                  rank ->
                      IntStream.range(0, rank.rounds.size())
                          .mapToObj(number -> line(rank.rank, number, rank.rounds.get(number))));
      case NICS ->
          nics()
              .map(
                  nic ->
                      List.of(
                          nic.rank,
                          nic.peer,
                          nic.onChannels,
                          nic.net,
                          nic.dev,
                          nic.name,
                          nic.relay));
    };
  }

  private List<?> line(NvlsEntry rank) {
    List<Object> line =
        new ArrayList<>(
            List.of(
                rank.rank, rank.channel, connection.nvls().nHeads(), rank.headRank, rank.treeUp));
    for (int child = 0; child < 3; child++) {
      line.add(child < rank.treeDown.size() ? rank.treeDown.get(child) : Connection.NONE);
    }
    line.add(rank.out);
    return line;
  }

  private static List<?> line(CollNetEntry rank, ChainEntry chain) {
    List<Object> line =
        new ArrayList<>(List.of(rank.rank, chain.channel, chain.up, chain.down, chain.depth));
    line.addAll(
        rank.direct
            .<List<?>>map(
                heads ->
                    List.of(
                        heads.heads().size(),
                        heads.headRank(),
                        heads.out(),
                        heads.shift(),
                        heads.depth(),
                        heads.up(),
                        heads.down(),
                        heads.heads()))
            .orElse(Collections.nCopies(8, "")));
    line.add(rank.denseRank);
    line.add(rank.setupHeads);
    return line;
  }

  private static List<?> line(int rank, int number, RoundEntry round) {
    return List.of(rank, number, round.sendTo, round.receiveFrom, round.channelsByPart);
  }

  /** The JSON document with all communicators of a job. */
  public static Answer of(List<Object> communicators) {
    return Json.document(
        "connect",
        Fields.of(List.class).field("communicators", all -> communicators),
        communicators);
  }
}
