package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.OptionValue;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.SettingException;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.connect.PortMatrix;
import dev.topo.search.explain.CollNetAbsence;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.visualizer.drawing.ChannelRoute;
import dev.topo.visualizer.drawing.CollNetLayout;
import dev.topo.visualizer.drawing.Drawing;
import dev.topo.visualizer.drawing.HostFold;
import dev.topo.visualizer.drawing.JobFlow;
import dev.topo.visualizer.drawing.JobFlow.Shape;
import dev.topo.visualizer.drawing.JobFlowFinder;
import dev.topo.visualizer.drawing.JobLayout;
import dev.topo.visualizer.drawing.PortLayout;
import dev.topo.visualizer.drawing.RouteFinder;
import dev.topo.visualizer.drawing.VisitOrder;
import dev.topo.visualizer.structure.AbsenceReason;
import dev.topo.visualizer.structure.ConnectPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select the channels to draw. */
final class DrawnChannels {
  /** Largest drawable number of nodes: more would not fit a screen even as numbers. */
  private static final int MAX_NODES = 256;

  @Option(
      names = "--pattern",
      paramLabel = "GRAPH",
      description =
          "Show a channel of this graph: ring, tree, nvls, collnet-direct or collnet-chain; between nodes also p2p, the NIC"
              + " of each peer.")
  private @Nullable String pattern;

  @Option(
      names = "--channel",
      paramLabel = "K",
      description = "Show this channel, counted from 0 (default: 0 if --pattern is given).")
  private @Nullable Integer channel;

  /** True if the user asks for channels. */
  boolean isGiven() {
    return pattern != null || channel != null;
  }

  /**
   * The orders in which channels visit an NVLink domain: all channels, or the one that the user
   * names.
   */
  List<VisitOrder> orders(Topology topology, HostFold fold, Optional<ChannelRoute> route) {
    if (!fold.isDomain() || route.isEmpty()) {
      return List.of();
    }
    ChannelGraph graph = route.get().graph();
    return channel == null
        ? VisitOrder.all(topology, graph)
        : List.of(VisitOrder.of(topology, graph, channel));
  }

  /** The route of the selected channel on a machine. */
  ChannelRoute route(DomainGraphs domainGraphs) {
    ChannelGraph graph = domainGraphs.graphs().get(kind());
    if (graph.nChannels() == 0) {
      throw new NothingFoundException(
          "--pattern " + graph.kind().label() + ": NCCL finds no channels of it here");
    }
    int number = index("--channel", channel, graph.nChannels());
    return new RouteFinder(domainGraphs.domain()).find(graph, number);
  }

  /** Draws the channels between the nodes of a job. */
  Drawing between(JobPart part, Connection connection) {
    JobFlowFinder finder = new JobFlowFinder(connection);
    if (isPeers()) {
      return ports(part, connection, finder.summary());
    }
    if (pattern != null
        && (kind() == GraphKind.COLLNET_DIRECT || kind() == GraphKind.COLLNET_CHAIN)) {
      return collNet(part, connection, finder.summary());
    }
    refuseIf(
        connection.nNodes() > MAX_NODES,
        connection.nNodes() + " nodes: expected at most " + MAX_NODES + " for a picture");
    List<JobFlow> flows = new ArrayList<>();
    for (Shape shape : shapes(part, connection)) {
      index("--channel", channel, finder.channels(shape));
      flows.addAll(channel == null ? finder.all(shape) : List.of(finder.of(shape, channel)));
    }
    return JobLayout.draw(part.title(), finder.summary(), flows);
  }

  /** True if transfers between peers on different nodes are drawn. */
  boolean isPeers() {
    return "p2p".equalsIgnoreCase(pattern);
  }

  private Drawing ports(JobPart part, Connection connection, String summary) {
    require(part, connection, ConnectPart.NICS);
    int count = ConnectPart.NICS.channels(connection);
    int first = index("--channel", channel, count);
    List<Integer> channels =
        channel == null ? IntStream.range(0, count).boxed().toList() : List.of(first);
    return PortLayout.draw(part.title(), summary, PortMatrix.of(connection, channels));
  }

  private Drawing collNet(JobPart part, Connection connection, String summary) {
    require(part, connection, ConnectPart.COLLNET);
    if (kind() == GraphKind.COLLNET_DIRECT
        && connection.collNet().flatMap(net -> net.direct(0)).isEmpty()) {
      throw new NothingFoundException(
          "--pattern %s: %s".formatted(pattern, CollNetAbsence.noHeads(connection)));
    }
    return CollNetLayout.draw(part.title(), summary, connection, kind());
  }

  /**
   * Fails with the reason if the job lacks a part. NCCL follows the settings of the first machine.
   */
  private void require(JobPart part, Connection connection, ConnectPart wanted) {
    new AbsenceReason(connection, part.job().settings())
        .of(wanted)
        .ifPresent(
            reason -> {
              throw new NothingFoundException("--pattern " + pattern + ": " + reason);
            });
  }

  private List<Shape> shapes(JobPart part, Connection connection) {
    if (pattern == null) {
      return List.of(Shape.RING, Shape.TREE);
    }
    return switch (kind()) {
      case RING -> List.of(Shape.RING);
      case TREE -> List.of(Shape.TREE);
      default -> {
        require(part, connection, ConnectPart.NVLS);
        yield List.of(Shape.NVLS);
      }
    };
  }

  /**
   * The index that an option selects; 0 without the option.
   *
   * @throws SettingException if it is not below {@code count}
   */
  static int index(String option, @Nullable Integer number, int count) {
    refuseIf(
        number != null && (number < 0 || number >= count),
        option + ": expected a number from 0 to " + (count - 1));
    return number == null ? 0 : number;
  }

  private GraphKind kind() {
    String wanted = pattern == null ? GraphKind.RING.label() : pattern;
    return OptionValue.ofLabel(
        "--pattern", wanted, GraphKind.values(), GraphKind::label, " or p2p");
  }
}
