package dev.topo.model.graph;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeId;
import dev.topo.model.graph.GraphKind.Pattern;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The channels found on one node for one purpose, and their capacity in NCCL's terms.
 *
 * @param kind its purpose
 * @param pattern the shape that was found, which may be simpler than the requested one
 * @param crossNic 0 if a channel leaves by the port it entered, 1 or 2 if it may use another
 * @param bwIntra bandwidth of each channel inside the node in GB/s
 * @param bwInter bandwidth of each channel between nodes in GB/s
 * @param latencyInter latency of the network in microseconds, 0 if unknown
 * @param typeIntra the farthest path between GPUs
 * @param typeInter the farthest path between GPU and NIC
 * @param sameChannels whether all channels are alike
 * @param channels the channels, in order
 */
public record ChannelGraph(
    GraphKind kind,
    Pattern pattern,
    int crossNic,
    float bwIntra,
    float bwInter,
    float latencyInter,
    PathType typeIntra,
    PathType typeInter,
    boolean sameChannels,
    List<Channel> channels) {
  /**
   * Maximum number of channels of a communicator ({@code MAXCHANNELS}, {@code
   * nccl:src/include/device.h}).
   */
  public static final int MAX_CHANNELS = 64;

  public ChannelGraph {
    channels = List.copyOf(channels);
  }

  /** A graph that was not searched; NCCL writes it with zeros. */
  public static ChannelGraph none(GraphKind kind) {
    return new ChannelGraph(
        kind, kind.pattern(), 0, 0, 0, 0, PathType.LOC, PathType.LOC, false, List.of());
  }

  /** These channels for another purpose. */
  public ChannelGraph usedFor(GraphKind newKind) {
    return new ChannelGraph(
        newKind,
        pattern,
        crossNic,
        bwIntra,
        bwInter,
        latencyInter,
        typeIntra,
        typeInter,
        sameChannels,
        channels);
  }

  /** This graph without the ports at the ends of its channels. */
  public ChannelGraph withoutNets() {
    return with(channels.stream().map(c -> new Channel(c.ranks(), Optional.empty())).toList());
  }

  /** This graph with other channels. */
  public ChannelGraph with(List<Channel> newChannels) {
    return new ChannelGraph(
        kind,
        pattern,
        crossNic,
        bwIntra,
        bwInter,
        latencyInter,
        typeIntra,
        typeInter,
        sameChannels,
        newChannels);
  }

  public int nChannels() {
    return channels.size();
  }

  /**
   * The part of a channel that is on one node: its GPUs in the order in which data passes them, and
   * where it enters and leaves.
   *
   * @param ranks ranks of the GPUs on their node, in order; an NVLS channel has its head first and
   *     the others in no order
   * @param nets the ports, if the channel goes over the network
   */
  public record Channel(List<Integer> ranks, Optional<Nets> nets) {
    public Channel {
      ranks = List.copyOf(ranks);
    }

    /**
     * The ports of a channel.
     *
     * @param in where it enters the node
     * @param out where it leaves the node
     */
    public record Nets(NodeId in, NodeId out) {}
  }

  /** All graphs of one node. Immutable. */
  public static final class NodeGraphs {
    private final Map<GraphKind, ChannelGraph> graphs;

    /** Graphs of different kinds; a missing kind counts as not searched. */
    public NodeGraphs(List<ChannelGraph> graphs) {
      this.graphs = new EnumMap<>(GraphKind.class);
      for (ChannelGraph graph : graphs) {
        if (this.graphs.put(graph.kind(), graph) != null) {
          throw new IllegalArgumentException("two graphs of kind " + graph.kind());
        }
      }
    }

    public ChannelGraph get(GraphKind kind) {
      ChannelGraph graph = graphs.get(kind);
      return graph == null ? ChannelGraph.none(kind) : graph;
    }

    /** The graph of one kind, with channels or without; empty if it is missing. */
    public Optional<ChannelGraph> find(GraphKind kind) {
      return Optional.ofNullable(graphs.get(kind));
    }

    /** One graph of each kind, in NCCL's order. */
    public List<ChannelGraph> all() {
      return Arrays.stream(GraphKind.values()).map(this::get).toList();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof NodeGraphs graphsOfNode && all().equals(graphsOfNode.all());
    }

    @Override
    public int hashCode() {
      return all().hashCode();
    }

    @Override
    public String toString() {
      return all().toString();
    }
  }
}
