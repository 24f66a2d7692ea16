package dev.topo.reference;

import dev.topo.search.connect.BufferSizes;
import dev.topo.search.connect.CollNet;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Nvls;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.connect.Trees;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A connection in the form of the reference answers. Facts that ranks may differ in are rank 0's.
 */
final class ConnectText {
  private final Connection connection;
  private final int node;

  ConnectText(Connection connection) {
    this.connection = connection;
    this.node = connection.nodeOf(0);
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(facts());
    for (int channel = 0; channel < connection.nChannels(); channel++) {
      lines.add(
          "# Ring "
              + channel
              + " : "
              + Arrays.stream(connection.rings().order(channel))
                  .mapToObj(String::valueOf)
                  .collect(Collectors.joining(" ")));
    }
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      for (int channel = 0; channel < connection.nChannels(); channel++) {
        lines.add(channel(channel, rank));
      }
      for (int channel = 0; channel < connection.nvls().channels(rank); channel++) {
        lines.add(nvls(channel, rank));
      }
      int ofRank = rank;
      connection.collNet().ifPresent(collNet -> addCollNet(collNet, ofRank, lines));
    }
    lines.add(channels());
    return lines;
  }

  private void addCollNet(CollNet collNet, int rank, List<String> lines) {
    for (int channel = 0; channel < connection.nvls().channels(rank); channel++) {
      lines.add(
          "NVLSCollNet channel %d rank %d out %d".formatted(channel, rank, collNet.nvlsOut(rank)));
    }
    for (int channel = 0; channel < connection.nChannels(); channel++) {
      CollNet.Chain chain = collNet.chain(channel, rank);
      lines.add(
          "CollNetChain channel %d rank %d up %d down %d depth %d"
              .formatted(channel, rank, chain.up(), chain.down(), chain.depth()));
    }
    for (int channel = 0; channel < connection.nChannels(); channel++) {
      int number = channel;
      collNet
          .direct(rank)
          .ifPresent(
              direct ->
                  lines.add(
                      "CollNetDirect channel %d rank %d nHeads %d headRank %d out %d shift %d depth %d up %s down %s heads %s"
                          .formatted(
                              number,
                              rank,
                              direct.heads().size(),
                              direct.headRank(),
                              direct.out(),
                              direct.shift(),
                              direct.depth(),
                              padded(direct.up(), 7),
                              padded(direct.down(), 7),
                              padded(direct.heads(), 8))));
    }
    CollNet.Setup setup = collNet.setup(rank);
    lines.add(
        "CollNet rank %d denseRank %d heads %s"
            .formatted(rank, setup.denseRank(), padded(setup.heads(), 0)));
  }

  private static String padded(List<Integer> ranks, int size) {
    List<Integer> all = new ArrayList<>(ranks);
    while (all.size() < size) {
      all.add(Connection.NONE);
    }
    return all.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  /** The line that begins with the number of ranks. */
  String facts() {
    return "# nRanks %d nNodes %d localRanks %d..%d nChannels %d nvlsSupport %d nvlsChannels %d collnet %d isAllNvlink %d maxTreePattern %d"
        .formatted(
            connection.nRanks(),
            connection.nNodes(),
            minLocalRanks(connection),
            connection.maxLocalRanks(),
            connection.nChannels(),
            connection.nvls().isSupported() ? 1 : 0,
            connection.nvls().channels(0),
            connection.collNet().isPresent() ? 1 : 0,
            connection.isAllNvlink(node) ? 1 : 0,
            connection.maxTreePattern().number());
  }

  /** The line with numbers of channels and sizes of buffers. */
  String channels() {
    P2pChannels p2p = connection.p2pChannels(node);
    BufferSizes sizes = connection.bufferSizes(node);
    return "# %d coll channels, %d nvls channels, %d p2p channels, %d p2p channels per peer, buffSizes %d/%d/%d p2pChunkSize %d"
        .formatted(
            connection.nChannels(),
            connection.nvls().channels(0),
            p2p.nChannels(),
            p2p.nChannelsPerPeer(),
            sizes.ll(),
            sizes.ll128(),
            sizes.simple(),
            sizes.p2pChunk());
  }

  private String channel(int channel, int rank) {
    Trees.Links tree = connection.trees().links(channel, rank);
    return "Channel %d rank %d ring %d %d tree %d %d %d %d"
        .formatted(
            channel,
            rank,
            connection.rings().prev(channel, rank),
            connection.rings().next(channel, rank),
            tree.up(),
            tree.down0(),
            tree.down1(),
            tree.down2());
  }

  private String nvls(int channel, int rank) {
    Nvls.Links links = connection.nvls().links(channel, rank);
    List<Integer> down = new ArrayList<>(links.treeDown());
    while (down.size() < 3) {
      down.add(Connection.NONE);
    }
    return "NVLS channel %d rank %d nHeads %d headRank %d treeUp %d treeDown %d %d %d"
        .formatted(
            channel,
            rank,
            connection.nvls().nHeads(),
            links.headRank(),
            links.treeUp(),
            down.get(0),
            down.get(1),
            down.get(2));
  }

  /** The fewest ranks that a node has. */
  static int minLocalRanks(Connection connection) {
    return IntStream.range(0, connection.nNodes()).map(connection::localRanks).min().orElseThrow();
  }
}
