package dev.topo.inspect.log;

import dev.topo.model.Link.PathType;
import dev.topo.model.graph.GraphKind.Pattern;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * The machine as a rank sees it, and the graphs that it found ({@code ncclTopoPrint}, {@code
 * nccl:src/graph/topo.cc}, and {@code ncclTopoPrintGraph}, {@code nccl:src/graph/search.cc}).
 *
 * @param system what the machine can carry, if the log says it
 * @param paths every path that is listed
 * @param graphs the graphs, in the order in which they were found: ring, tree, and so on
 */
record GraphLog(Optional<SystemLines> system, List<Path> paths, List<Graph> graphs) {
  public GraphLog {
    paths = List.copyOf(paths);
    graphs = List.copyOf(graphs);
  }

  /**
   * The machine.
   *
   * @param maxBwGBps the most that a single channel can carry, to a decimal
   * @param totalBwGBps the most that a GPU can carry, to a decimal
   * @param tree the lines of the tree, as they are
   */
  public record SystemLines(BigDecimal maxBwGBps, BigDecimal totalBwGBps, List<String> tree) {
    public SystemLines {
      tree = List.copyOf(tree);
    }
  }

  /**
   * A path.
   *
   * @param hops number of links
   * @param bwGBps bandwidth, to a decimal
   * @param type the worst segment
   */
  public record Path(NodeName from, NodeName to, int hops, BigDecimal bwGBps, PathType type) {}

  /**
   * A graph.
   *
   * @param pattern the shape that was found
   * @param crossNic whether channels change ports
   * @param nChannels number of channels
   * @param bwIntra bandwidth of a channel on the node, to six decimals
   * @param bwInter bandwidth of a channel between nodes, to six decimals
   * @param typeIntra the farthest path between GPUs
   * @param typeInter the farthest path between GPU and port
   * @param sameChannels whether all channels are alike
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
