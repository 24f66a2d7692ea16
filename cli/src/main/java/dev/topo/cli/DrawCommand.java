package dev.topo.cli;

import dev.topo.cli.option.Format;
import dev.topo.cli.option.OptionValue;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.DomainGraphs;
import dev.topo.search.connect.PortMatrix;
import dev.topo.search.explain.CollNetAbsence;
import dev.topo.search.path.Domain;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.visualizer.chart.PngWriter;
import dev.topo.visualizer.drawing.ChannelRoute;
import dev.topo.visualizer.drawing.CollNetLayout;
import dev.topo.visualizer.drawing.Drawing;
import dev.topo.visualizer.drawing.HostFold;
import dev.topo.visualizer.drawing.JobFlow;
import dev.topo.visualizer.drawing.JobFlow.Shape;
import dev.topo.visualizer.drawing.JobFlowFinder;
import dev.topo.visualizer.drawing.JobLayout;
import dev.topo.visualizer.drawing.MachineDiagram;
import dev.topo.visualizer.drawing.MachineLayout;
import dev.topo.visualizer.drawing.PortLayout;
import dev.topo.visualizer.drawing.RouteFinder;
import dev.topo.visualizer.drawing.VisitOrder;
import dev.topo.visualizer.image.DotWriter;
import dev.topo.visualizer.image.MermaidWriter;
import dev.topo.visualizer.image.SvgWriter;
import dev.topo.visualizer.structure.Absence;
import dev.topo.visualizer.structure.ConnectPart;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code topo draw}: the machine and its channels as a picture. */
@Command(
    name = "draw",
    description = "Draws the machine, a channel on it, or a channel between nodes.",
    footer = {
      "",
      "Example: topo draw topologies/dgx-h100.xml -o dgx-h100.svg",
      "Example: topo draw topologies/gb200-tray.xml --nodes 18 --nvlink-domain 18 --pattern ring -o rack.svg",
      "Example: topo draw topologies/dgx-h100.xml --nodes 4 --pattern p2p -o nics.svg"
    })
final class DrawCommand extends JobCommand {
  /** More would not fit a screen even as numbers. */
  private static final int MOST_NODES = 256;

  /** Pixels of a PNG for each pixel of the drawing: sharp on dense screens and on paper. */
  private static final double PNG_SCALE = 2;

  @Option(
      names = "--format",
      description = "${COMPLETION-CANDIDATES} (default: by the file name of -o, else svg).")
  private DrawFormat format = DrawFormat.svg;

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

  @Option(
      names = "--on-node",
      paramLabel = "N",
      description =
          "In a job of several nodes, show the machine of this node, counted from 0, instead of the channels between nodes.")
  private @Nullable Integer onNode;

  @Option(
      names = "--unfold",
      description =
          "Draw every host of an NVLink domain; without it equal hosts are drawn once, with their numbers.")
  private boolean unfold;

  private enum DrawFormat implements Format {
    svg,
    png,
    dot,
    mermaid;

    @Override
    public String extension() {
      return this == mermaid ? ".mmd" : Format.super.extension();
    }

    @Override
    public boolean needsItsEnding() {
      return true;
    }
  }

  @Override
  boolean hasTimes() {
    return false;
  }

  @Override
  Answer answer(List<Path> topologyFiles, NcclSettings settings) {
    JobPart part = first(parts(topologyFiles, settings));
    int nNodes = part.job().machines().size();
    if (nNodes > 1 && onNode == null) {
      return betweenNodes(part);
    }
    if (isPeers()) {
      throw new SettingException(
          "--pattern p2p: expected a job of several nodes, as with --nodes 2, without --on-node");
    }
    int node = index("--on-node", onNode, nNodes);
    return machine(
        nNodes == 1 ? part.title() : part.title() + ", node " + node,
        part.job().machines().get(node),
        nNodes > 1);
  }

  private Answer machine(String name, Machine machine, boolean isJob) {
    if (pattern == null && channel == null) {
      return machine(name, machine.withMergedPorts().topology(), Optional.empty());
    }
    List<DomainGraphs> domains = evaluator().graphs(machine, isJob, version().profile());
    Domain domain = domains.get(0).domain();
    if (domains.size() > 1) {
      message(
          "note: only the network connects the %s groups of GPUs; this is the first group"
              .formatted(domains.size()));
    }
    return machine(name, domain.topology(), Optional.of(route(domains.get(0))));
  }

  private Answer machine(String name, Topology topology, Optional<ChannelRoute> route) {
    HostFold fold = unfold ? HostFold.none(topology) : HostFold.of(topology, route);
    return switch (format) {
      case svg, png ->
          picture(MachineLayout.draw(name, topology, fold, route, orders(topology, fold, route)));
      case dot -> Answer.of(DotWriter.machine(new MachineDiagram(name, topology, fold, route)));
      case mermaid ->
          Answer.of(MermaidWriter.machine(new MachineDiagram(name, topology, fold, route)));
    };
  }

  /** The orders of the channels in an NVLink domain: of all, or of the one that the user names. */
  private List<VisitOrder> orders(Topology topology, HostFold fold, Optional<ChannelRoute> route) {
    if (!fold.isDomain() || route.isEmpty()) {
      return List.of();
    }
    ChannelGraph graph = route.get().graph();
    return channel == null
        ? VisitOrder.all(topology, graph)
        : List.of(VisitOrder.of(topology, graph, channel));
  }

  private Answer betweenNodes(JobPart part) {
    Connection connection = evaluator().connect(part.job(), version().profile());
    JobFlowFinder finder = new JobFlowFinder(connection);
    if (isPeers()) {
      return folded(ports(part, connection, finder.summary()));
    }
    if (pattern != null
        && (kind() == GraphKind.COLLNET_DIRECT || kind() == GraphKind.COLLNET_CHAIN)) {
      return folded(collNet(part, connection, finder.summary()));
    }
    if (connection.nNodes() > MOST_NODES) {
      throw new SettingException(
          connection.nNodes() + " nodes: expected at most " + MOST_NODES + " for a picture");
    }
    List<JobFlow> flows = new ArrayList<>();
    for (Shape shape : shapes(part, connection)) {
      index("--channel", channel, finder.channels(shape));
      flows.addAll(channel == null ? finder.all(shape) : List.of(finder.of(shape, channel)));
    }
    String summary = finder.summary();
    return switch (format) {
      case svg, png -> picture(JobLayout.draw(part.title(), summary, flows));
      case dot -> Answer.of(DotWriter.job(part.title() + ": " + summary, flows));
      case mermaid -> Answer.of(MermaidWriter.job(flows));
    };
  }

  private boolean isPeers() {
    return "p2p".equalsIgnoreCase(pattern);
  }

  /**
   * A picture in which equal nodes are one, and for which there is no graph of boxes and arrows.
   */
  private Answer folded(Drawing drawing) {
    if (format == DrawFormat.dot || format == DrawFormat.mermaid) {
      throw new SettingException(
          "--pattern %s: expected --format svg or png between nodes".formatted(pattern));
    }
    return picture(drawing);
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

  /** NCCL follows the settings of the first machine. */
  private void require(JobPart part, Connection connection, ConnectPart wanted) {
    new Absence(connection, part.job().machines().get(0).settings())
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

  private Answer picture(Drawing drawing) {
    if (format != DrawFormat.png) {
      return Answer.of(SvgWriter.write(drawing));
    }
    if (!PngWriter.fits(drawing, PNG_SCALE)) {
      throw new SettingException("the picture is too large for png, expected svg");
    }
    return Answer.ofBytes(PngWriter.write(drawing, PNG_SCALE));
  }

  private ChannelRoute route(DomainGraphs found) {
    ChannelGraph graph = found.graphs().get(kind());
    if (graph.nChannels() == 0) {
      throw new NothingFoundException(
          "--pattern " + graph.kind().label() + ": NCCL finds no channels of it here");
    }
    int number = index("--channel", channel, graph.nChannels());
    return new RouteFinder(found.domain()).find(graph, number);
  }

  /** The number that an option selects, 0 without it. */
  private static int index(String option, @Nullable Integer number, int count) {
    if (number != null && (number < 0 || number >= count)) {
      throw new SettingException(option + ": expected a number from 0 to " + (count - 1));
    }
    return number == null ? 0 : number;
  }

  private GraphKind kind() {
    String wanted = pattern == null ? GraphKind.RING.label() : pattern;
    return OptionValue.ofLabel(
        "--pattern", wanted, GraphKind.values(), GraphKind::label, " or p2p");
  }
}
