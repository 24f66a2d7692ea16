package dev.topo.simulator.network;

import dev.topo.model.Node.NodeId;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Trees;
import java.util.Optional;

/** The hops of a job's channels, each from a port of one node to a port of another. */
record NetworkHops(Connection connection) {
  /** Called for each hop. */
  @FunctionalInterface
  public interface Visitor {
    /** Visits a hop. Port ids are those of the topology of their own node. */
    void visit(int fromNode, NodeId fromPort, int toNode, NodeId toPort);
  }

  /** Visits the hops of a ring. */
  void ring(int channel, Visitor visitor) {
    int nodes = connection.nNodes();
    for (int node = 0; nodes > 1 && node < nodes; node++) {
      int next = (node + 1) % nodes;
      Optional<Channel.Nets> from = connection.rings().nets(channel, node);
      Optional<Channel.Nets> to = connection.rings().nets(channel, next);
      if (from.isPresent() && to.isPresent()) {
        visitor.visit(node, from.get().out(), next, to.get().in());
      }
    }
  }

  /** Visits the edges of a tree, each from child to parent. */
  void tree(int channel, Visitor visitor) {
    Trees trees = connection.trees();
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      int up = trees.links(channel, rank).up();
      if (up == Connection.NONE || connection.nodeOf(up) == connection.nodeOf(rank)) {
        continue;
      }
      Optional<NodeId> from = trees.net(channel, rank);
      Optional<NodeId> to = trees.net(channel, up);
      if (from.isPresent() && to.isPresent()) {
        visitor.visit(connection.nodeOf(rank), from.get(), connection.nodeOf(up), to.get());
      }
    }
  }
}
