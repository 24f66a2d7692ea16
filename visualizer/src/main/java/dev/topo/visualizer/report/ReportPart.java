package dev.topo.visualizer.report;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Domain;
import java.util.ArrayList;
import java.util.List;

/**
 * A group of equal nodes of a job.
 *
 * @param name the name of the machine
 * @param nodes the numbers of the nodes
 * @param domain the devices of each node
 * @param graphs the graphs that the search found on them
 */
record ReportPart(String name, List<Integer> nodes, Domain domain, NodeGraphs graphs) {
  ReportPart {
    nodes = List.copyOf(nodes);
  }

  /** Groups the nodes of a job, ordered by the first node of each group. */
  static List<ReportPart> of(ReportSubject subject) {
    Connection connection = subject.communicator().connection();
    boolean nodesAreMachines = connection.nNodes() == subject.machines().size();
    List<ReportPart> parts = new ArrayList<>();
    Alike.by(connection.nNodes(), connection::domain)
        .forEach(
            (domain, nodes) -> {
              int first = nodes.get(0);
              String name = nodesAreMachines ? subject.machines().get(first) : subject.title();
              parts.add(new ReportPart(name, nodes, domain, connection.searchedGraphs(first)));
            });
    return parts;
  }

  /** The graphs with channels. */
  List<ChannelGraph> found() {
    return graphs.all().stream().filter(graph -> graph.nChannels() > 0).toList();
  }

  /** The node numbers in words. */
  String nodeRange() {
    return QuantityFormat.ranges("node", nodes);
  }

  /**
   * The name after a noun: {@code on dgx-h100, node 3}; empty for the only part.
   *
   * @param count the number of parts of the job
   */
  String suffix(int count) {
    return count == 1 ? "" : " on " + title(count);
  }

  /**
   * The name, with the nodes unless it is the only part.
   *
   * @param count the number of parts of the job
   */
  String title(int count) {
    return count == 1 ? name : name + ", " + nodeRange();
  }
}
