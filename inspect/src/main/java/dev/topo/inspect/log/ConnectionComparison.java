package dev.topo.inspect.log;

import dev.topo.inspect.log.Fact.Topic;
import dev.topo.model.QuantityFormat;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Nvls;
import dev.topo.search.connect.Trees;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Compares a connection with the lines of one rank about its neighbours and channels. */
record ConnectionComparison(Connection connection, Facts facts) {
  private static final int MAX_NODES_OF_HEAD = 20;

  void compare(ConnectionLog log, int rank) {
    log.channels().forEach(this::channel);
    log.rings().forEach(this::ring);
    log.trees().forEach(this::tree);
    log.nvlsHeads().forEach(this::nvlsHead);
    log.nvlsTrees().forEach(this::nvlsTree);
    int node = connection.nodeOf(rank);
    log.counts()
        .ifPresent(counts -> facts.add(Topic.COUNT, "channels", counts, counts(rank, node)));
    log.p2pChunkBytes()
        .ifPresent(
            chunk ->
                facts.add(
                    Topic.COUNT, "p2p chunk", chunk, connection.bufferSizes(node).p2pChunk()));
  }

  private boolean has(int channel, int rank) {
    return channel < connection.nChannels() && isRank(rank);
  }

  private boolean isRank(int rank) {
    return rank >= 0 && rank < connection.nRanks();
  }

  private void channel(ConnectionLog.ChannelOrder log) {
    facts.addIf(
        has(log.channel(), 0),
        Topic.CHANNEL,
        "channel " + log.channel(),
        order(log.nChannels(), log.ranks()),
        () ->
            order(
                connection.nChannels(),
                Arrays.stream(connection.rings().order(log.channel()))
                    .boxed()
                    .limit(log.isComplete() ? Long.MAX_VALUE : log.ranks().size())
                    .toList()));
  }

  private static String order(int nChannels, List<Integer> ranks) {
    return "of " + nChannels + " : " + QuantityFormat.joined(" ", ranks, number -> number);
  }

  private void ring(ConnectionLog.Ring log) {
    facts.addIf(
        has(log.channel(), log.rank()),
        Topic.RING,
        "ring " + log.channel() + " rank " + log.rank(),
        log.prev() + " -> " + log.rank() + " -> " + log.next(),
        () ->
            connection.rings().prev(log.channel(), log.rank())
                + " -> "
                + log.rank()
                + " -> "
                + connection.rings().next(log.channel(), log.rank()));
  }

  private void tree(ConnectionLog.Tree log) {
    tree(
        has(log.channel(), log.rank()),
        Topic.TREE,
        log,
        () -> {
          Trees.Links ours = connection.trees().links(log.channel(), log.rank());
          return text(ours.down0(), ours.down1(), ours.down2(), log.rank(), ours.up());
        });
  }

  private void tree(
      boolean isPresent, Topic topic, ConnectionLog.Tree log, Supplier<Object> computed) {
    String stated = text(log.down0(), log.down1(), log.down2(), log.rank(), log.up());
    facts.addIf(
        isPresent, topic, "tree " + log.channel() + " rank " + log.rank(), stated, computed);
  }

  private static String text(int down0, int down1, int down2, int rank, int up) {
    return down0 + "/" + down1 + "/" + down2 + "->" + rank + "->" + up;
  }

  private void nvlsHead(ConnectionLog.NvlsHead log) {
    facts.addIf(
        log.head() < connection.nvls().nHeads(),
        Topic.NVLS,
        "head " + log.head(),
        log.ranks(),
        () -> nvlsHead(log.head()));
  }

  private List<Integer> nvlsHead(int head) {
    return IntStream.range(0, Math.min(connection.nNodes(), MAX_NODES_OF_HEAD))
        .mapToObj(node -> connection.nvls().heads(node).get(head))
        .toList();
  }

  private void nvlsTree(ConnectionLog.Tree log) {
    tree(
        connection.nvls().isSupported() && isRank(log.rank()),
        Topic.NVLS,
        log,
        () -> {
          Nvls.Links ours = connection.nvls().links(log.channel(), log.rank());
          return text(child(ours, 0), child(ours, 1), child(ours, 2), log.rank(), ours.treeUp());
        });
  }

  private static int child(Nvls.Links links, int index) {
    return index < links.treeDown().size() ? links.treeDown().get(index) : Connection.NONE;
  }

  private ConnectionLog.Counts counts(int rank, int node) {
    return new ConnectionLog.Counts(
        connection.nChannels(),
        connection.nChannels(),
        connection.nvls().channels(rank),
        connection.p2pChannels(node).nChannels(),
        connection.p2pChannels(node).nChannelsPerPeer());
  }
}
