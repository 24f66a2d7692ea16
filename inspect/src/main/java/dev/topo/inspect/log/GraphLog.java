package dev.topo.inspect.log;

import dev.topo.model.Link.PathType;
import dev.topo.model.graph.GraphKind.Pattern;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * Machine as detected by a rank, and the graphs that it found ({@code ncclTopoPrint}, {@code
 * nccl:src/graph/topo.cc}, and {@code ncclTopoPrintGraph}, {@code nccl:src/graph/search.cc}).
 *
 * @param system bandwidths of the machine, if logged
 * @param paths all listed paths
 * @param graphs the graphs, in the order of the search: ring, tree, and so on
 */
record GraphLog(Optional<SystemLines> system, List<Path> paths, List<Graph> graphs) {
  GraphLog {
    paths = List.copyOf(paths);
    graphs = List.copyOf(graphs);
  }

  /**
   * Machine of a rank.
   *
   * @param maxBwGBps largest bandwidth of a single channel, with one decimal
   * @param totalBwGBps largest bandwidth of a GPU, with one decimal
   */
  public record SystemLines(BigDecimal maxBwGBps, BigDecimal totalBwGBps) {}

  /**
   * Path between two nodes.
   *
   * @param hops number of links
   * @param bwGBps bandwidth, with one decimal
   * @param type type of the worst segment
   */
  public record Path(NodeName from, NodeName to, int hops, BigDecimal bwGBps, PathType type) {}

  /**
   * Graph of a rank.
   *
   * @param pattern the pattern found
   * @param crossNic whether channels change ports
   * @param nChannels number of channels
   * @param bwIntra bandwidth of a channel on the node, to six decimals
   * @param bwInter bandwidth of a channel between nodes, to six decimals
   * @param typeIntra the farthest path between GPUs
   * @param typeInter the farthest path between GPU and port
   * @param sameChannels whether all channels are equal
   * @param channels the nodes of each channel in order, ports included
   */
  public record Graph(
      Pattern pattern,
      int crossNic,
      int nChannels,
      BigDecimal bwIntra,
      BigDecimal bwInter,
      PathType typeIntra,
      PathType typeInter,
      boolean sameChannels,
      List<List<NodeName>> channels) {
    public Graph {
      channels = channels.stream().map(List::copyOf).toList();
    }
  }
}
