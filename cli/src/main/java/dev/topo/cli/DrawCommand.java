package dev.topo.cli;

import dev.topo.cli.option.Format;
import dev.topo.cli.option.OptionValue;
import dev.topo.cli.option.job.JobOptions.JobPart;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.Machine;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.settings.SettingException;
import dev.topo.output.Answer;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Domain;
import dev.topo.simulator.evaluate.JobEvaluator.DomainGraphs;
import dev.topo.visualizer.dot.DotWriter;
import dev.topo.visualizer.job.JobFlow;
import dev.topo.visualizer.job.JobFlow.Shape;
import dev.topo.visualizer.job.JobFlowFinder;
import dev.topo.visualizer.job.JobLayout;
import dev.topo.visualizer.layout.MachineDiagram;
import dev.topo.visualizer.layout.MachineLayout;
import dev.topo.visualizer.mermaid.MermaidWriter;
import dev.topo.visualizer.png.PngWriter;
import dev.topo.visualizer.route.ChannelRoute;
import dev.topo.visualizer.route.RouteFinder;
import dev.topo.visualizer.scene.Drawing;
import dev.topo.visualizer.svg.SvgWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code topo draw}: the machine and its channels as a picture. */
@Command(
    name = "draw",
    description = "Draws the machine, a channel on it, or a channel between nodes.",
    footer = {"", "Example: topo draw topologies/dgx-h100.xml -o dgx-h100.svg"})
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
          "Show a channel of this graph: ring, tree, nvls, collnet-direct or collnet-chain.")
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
    int node = index("--on-node", onNode, nNodes);
    return machine(
        nNodes == 1 ? part.title() : part.title() + ", node " + node,
        part.job().machines().get(node),
        nNodes > 1);
  }

  private Answer machine(String name, Machine machine, boolean isJob) {
    if (pattern == null && channel == null) {
      return machine(name, machine.topology(), Optional.empty());
    }
    List<DomainGraphs> domains = evaluator().graphs(machine, isJob);
    Domain domain = domains.get(0).domain();
    if (domains.size() > 1) {
      message(
          "note: only the network connects the %s groups of GPUs; this is the first group"
              .formatted(domains.size()));
    }
    return machine(name, domain.topology(), Optional.of(route(domains.get(0))));
  }

  private Answer machine(String name, Topology topology, Optional<ChannelRoute> route) {
    return switch (format) {
      case svg, png -> picture(MachineLayout.draw(name, topology, route));
      case dot -> Answer.of(DotWriter.machine(new MachineDiagram(name, topology, route)));
      case mermaid -> Answer.of(MermaidWriter.machine(new MachineDiagram(name, topology, route)));
    };
  }

  private Answer betweenNodes(JobPart part) {
    Connection connection = evaluator().connect(part.job());
    if (connection.nNodes() > MOST_NODES) {
      throw new SettingException(
          connection.nNodes() + " nodes: expected at most " + MOST_NODES + " for a picture");
    }
    index("--channel", channel, connection.nChannels());
    JobFlowFinder finder = new JobFlowFinder(connection);
    List<JobFlow> flows = new ArrayList<>();
    for (Shape shape : shapes()) {
      flows.addAll(channel == null ? finder.all(shape) : List.of(finder.of(shape, channel)));
    }
    String summary = finder.summary();
    return switch (format) {
      case svg, png -> picture(JobLayout.draw(part.title(), summary, flows));
      case dot -> Answer.of(DotWriter.job(part.title() + ": " + summary, flows));
      case mermaid -> Answer.of(MermaidWriter.job(flows));
    };
  }

  private List<Shape> shapes() {
    if (pattern == null) {
      return List.of(Shape.RING, Shape.TREE);
    }
    return switch (kind()) {
      case RING -> List.of(Shape.RING);
      case TREE -> List.of(Shape.TREE);
      default ->
          throw new SettingException(
              "--pattern %s: expected ring or tree between nodes; --on-node N shows a channel on one node"
                  .formatted(pattern));
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
    return OptionValue.ofLabel("--pattern", wanted, GraphKind.values(), GraphKind::label, "");
  }
}
