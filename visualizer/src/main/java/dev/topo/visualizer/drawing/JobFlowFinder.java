package dev.topo.visualizer.drawing;

import dev.topo.model.Node.NodeId;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Trees;
import dev.topo.visualizer.drawing.JobFlow.End;
import dev.topo.visualizer.drawing.JobFlow.Hop;
import dev.topo.visualizer.drawing.JobFlow.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Finds which nodes exchange data in the channels of a job, and through which ranks and ports. */
public record JobFlowFinder(Connection connection) {
  /** States the numbers of nodes, ranks and channels. */
  public String summary() {
    return "%s nodes, %s ranks, %s channels"
        .formatted(connection.nNodes(), connection.nRanks(), connection.nChannels());
  }

  /** The hops of one channel. */
  public JobFlow of(Shape shape, int channel) {
    List<Hop> hops =
        switch (shape) {
          case RING -> ring(channel);
          case TREE -> tree(channel);
          case NVLS -> nvls(channel);
        };
    return new JobFlow(shape, List.of(channel), connection.nNodes(), hops);
  }

  /** The number of channels of a shape. */
  public int channels(Shape shape) {
    return shape == Shape.NVLS ? connection.nvls().channels() : connection.nChannels();
  }

  /** Returns the hops of all channels; channels whose hops connect the same nodes are combined. */
  public List<JobFlow> all(Shape shape) {
    Map<List<List<Integer>>, JobFlow> flows = new LinkedHashMap<>();
    for (int channel = 0; channel < channels(shape); channel++) {
      JobFlow flow = of(shape, channel);
      List<List<Integer>> nodes =
          flow.hops().stream().map(hop -> List.of(hop.from().node(), hop.to().node())).toList();
      flows.merge(nodes, flow, JobFlowFinder::joined);
    }
    return List.copyOf(flows.values());
  }

  private static JobFlow joined(JobFlow first, JobFlow second) {
    List<Integer> channels = new ArrayList<>(first.channels());
    channels.addAll(second.channels());
    return new JobFlow(first.shape(), channels, first.nNodes(), first.hops());
  }

  private List<Hop> ring(int channel) {
    List<Hop> hops = new ArrayList<>();
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      int next = connection.rings().next(channel, rank);
      if (connection.nodeOf(rank) != connection.nodeOf(next)) {
        End from = ringEnd(channel, rank, Channel.Nets::out);
        hops.add(new Hop(from, ringEnd(channel, next, Channel.Nets::in)));
      }
    }
    return hops;
  }

  private End ringEnd(int channel, int rank, Function<Channel.Nets, NodeId> port) {
    int node = connection.nodeOf(rank);
    return end(rank, connection.rings().nets(channel, node).map(port));
  }

  private List<Hop> tree(int channel) {
    Trees trees = connection.trees();
    List<Hop> hops = new ArrayList<>();
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      int up = trees.links(channel, rank).up();
      if (up != Connection.NONE && connection.nodeOf(up) != connection.nodeOf(rank)) {
        hops.add(new Hop(treeEnd(channel, rank), treeEnd(channel, up)));
      }
    }
    return hops;
  }

  /** The hops of the first head of each node. */
  private List<Hop> nvls(int channel) {
    List<Hop> hops = new ArrayList<>();
    for (int node = 0; node < connection.nNodes(); node++) {
      int head = connection.nvls().heads(node).get(0);
      int up = connection.nvls().links(channel, head).treeUp();
      if (up != Connection.NONE) {
        hops.add(new Hop(end(head, Optional.empty()), end(up, Optional.empty())));
      }
    }
    return hops;
  }

  private End treeEnd(int channel, int rank) {
    return end(rank, connection.trees().net(channel, rank));
  }

  private End end(int rank, Optional<NodeId> port) {
    int node = connection.nodeOf(rank);
    return new End(node, rank, port.map(id -> connection.portName(node, id)).orElse(""));
  }
}
