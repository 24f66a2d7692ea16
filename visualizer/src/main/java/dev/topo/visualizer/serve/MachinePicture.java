package dev.topo.visualizer.serve;

import dev.topo.model.Node;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.network.NetworkCall.NetworkTime.Limit;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.visualizer.drawing.ChannelRoute;
import dev.topo.visualizer.drawing.Drawing;
import dev.topo.visualizer.drawing.DrawnMachine;
import dev.topo.visualizer.drawing.Edge;
import dev.topo.visualizer.drawing.HostFold;
import dev.topo.visualizer.drawing.MachineControls;
import dev.topo.visualizer.drawing.MachineLayout;
import dev.topo.visualizer.drawing.RouteFinder;
import dev.topo.visualizer.drawing.VisitOrder;
import dev.topo.visualizer.times.PredictionRow;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The picture of the edited machine of a question with its selected channel, as {@code topo draw}
 * draws it.
 *
 * @param machine the machine to draw
 * @param system its XML content
 * @param facts facts about its devices and links
 */
record MachinePicture(DrawnMachine machine, XmlElement system, PartFacts facts) {
  /**
   * Returns the picture for a question; if NCCL does not start after the edits, of the machine
   * before them.
   */
  static MachinePicture of(EvaluatedQuestion answered, JobEvaluator evaluator) {
    WhatIfOutcome outcome = answered.shown();
    PageQuestion question = answered.question();
    // Without a selected graph, show the whole edited machine; a communicator of a split uses only
    // part of it.
    boolean isWhole = question.graph().isEmpty();
    Optional<ChannelRoute> route = Optional.empty();
    Topology topology =
        (isWhole ? answered.whole() : outcome.machine()).withMergedPorts().topology();
    DomainGraphs found = graphs(outcome, evaluator);
    RouteFinder routes = new RouteFinder(found.domain());
    if (question.graph().isPresent()) {
      topology = found.domain().topology();
      route = route(found, routes, question.graph().get(), question.channel());
    }
    HostFold fold = HostFold.of(topology, route);
    return new MachinePicture(
        new DrawnMachine(
            isWhole ? answered.job() : answered.report().job(),
            topology,
            fold,
            route,
            fold.isDomain() && route.isPresent()
                ? VisitOrder.all(topology, route.get().graph())
                : List.of()),
        answered.shownMachine().seen().root(),
        new PartFacts(topology, found, routes, question.graph()));
  }

  /**
   * The graphs that the job was evaluated with; of a machine with several domains, those of the
   * first.
   */
  private static DomainGraphs graphs(WhatIfOutcome outcome, JobEvaluator evaluator) {
    JobRequest request = outcome.result().request();
    int machines = request.job().machines().size();
    Connection connection = outcome.connection();
    if (connection.nNodes() == machines) {
      return new DomainGraphs(
          connection.domain(outcome.node()), connection.searchedGraphs(outcome.node()));
    }
    return evaluator.graphs(outcome.machine(), machines > 1, request.profile()).get(0);
  }

  /**
   * The route of a channel; the last channel if the number is too large, empty if there is no such
   * graph.
   */
  private static Optional<ChannelRoute> route(
      DomainGraphs found, RouteFinder routes, GraphKind kind, int channel) {
    ChannelGraph graph = found.graphs().get(kind);
    int last = graph.nChannels() - 1;
    return last < 0
        ? Optional.empty()
        : Optional.of(routes.find(graph, Math.max(0, Math.min(channel, last))));
  }

  /** The parts of the picture with the edits that they offer. */
  MachineParts parts() {
    HostFold fold = machine.fold();
    return new MachineParts(machine.topology(), system, fold.isDomain()).find(fold::isDrawn);
  }

  /** The picture as SVG for the page, in which the parts are controls. */
  String controls(MachineParts parts) {
    return MachineControls.svg(
        machine, node -> parts.device(node, facts), edge -> parts.line(edge, facts));
  }

  /** The names of the parts that a call waits for: a link, or all network cards if it is a port. */
  List<String> limits(PredictionRow row, MachineParts parts) {
    Topology drawn = machine.topology();
    if (row.network().isPresent()) {
      return row.network().get().limit() == Limit.PORT
          ? Arrays.stream(drawn.indexes(NodeType.NIC))
              .mapToObj(card -> parts.device(card, facts).name())
              .toList()
          : List.of();
    }
    return row.fullLink().stream()
        .flatMap(
            link ->
                Edge.of(drawn).stream()
                    .filter(edge -> edge.type() == link.type())
                    .filter(edge -> isAt(edge, row.forecast().actual().node(link.from())))
                    .filter(edge -> isAt(edge, row.forecast().actual().node(link.to()))))
        .map(edge -> parts.line(edge, facts).name())
        .toList();
  }

  private boolean isAt(Edge edge, Node node) {
    return Stream.of(edge.a(), edge.b())
        .map(machine.topology()::node)
        .anyMatch(end -> end.type() == node.type() && end.id().equals(node.id()));
  }

  /** The machine as {@code topo draw} writes it. */
  Drawing drawing() {
    return MachineLayout.draw(machine);
  }
}
