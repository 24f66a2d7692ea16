package dev.topo.visualizer.structure;

import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.job.SettingException;
import dev.topo.visualizer.chart.PngWriter;
import dev.topo.visualizer.drawing.ChannelRoute;
import dev.topo.visualizer.drawing.DotWriter;
import dev.topo.visualizer.drawing.Drawing;
import dev.topo.visualizer.drawing.HostFold;
import dev.topo.visualizer.drawing.JobFlow;
import dev.topo.visualizer.drawing.JobLayout;
import dev.topo.visualizer.drawing.MachineDiagram;
import dev.topo.visualizer.drawing.MachineLayout;
import dev.topo.visualizer.drawing.MermaidWriter;
import dev.topo.visualizer.drawing.SvgWriter;
import dev.topo.visualizer.drawing.VisitOrder;
import dev.topo.visualizer.view.Answer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * A drawing in the formats of pictures, each made when it is asked for.
 *
 * @param drawing makes the drawing
 * @param dot makes the graph of Graphviz, if it is one
 * @param mermaid makes the graph of Mermaid, if it is one
 */
public record Picture(
    Supplier<Drawing> drawing, Optional<Supplier<String>> dot, Optional<Supplier<String>> mermaid) {
  /** Pixels of a PNG for each pixel of the drawing: sharp on dense screens and on paper. */
  private static final double PNG_SCALE = 2;

  /** A drawing that is no graph of boxes and arrows. */
  public static Picture of(Drawing drawing) {
    return new Picture(() -> drawing, Optional.empty(), Optional.empty());
  }

  /**
   * A machine.
   *
   * @param name what to call it
   * @param fold which of its hosts are drawn once
   * @param route a channel on it, if one is shown
   * @param channel the number of that channel; all of its graph are compared if empty
   */
  public static Picture ofMachine(
      String name,
      Topology topology,
      HostFold fold,
      Optional<ChannelRoute> route,
      OptionalInt channel) {
    return new Picture(
        () ->
            MachineLayout.draw(name, topology, fold, route, orders(topology, fold, route, channel)),
        Optional.of(() -> DotWriter.machine(new MachineDiagram(name, topology, fold, route))),
        Optional.of(() -> MermaidWriter.machine(new MachineDiagram(name, topology, fold, route))));
  }

  /** The orders of the channels in an NVLink domain: of all, or of the one that is named. */
  private static List<VisitOrder> orders(
      Topology topology, HostFold fold, Optional<ChannelRoute> route, OptionalInt channel) {
    if (!fold.isDomain() || route.isEmpty()) {
      return List.of();
    }
    ChannelGraph graph = route.get().graph();
    return channel.isEmpty()
        ? VisitOrder.all(topology, graph)
        : List.of(VisitOrder.of(topology, graph, channel.getAsInt()));
  }

  /**
   * The channels between nodes.
   *
   * @param title the job
   * @param summary its size, in words
   */
  public static Picture ofFlows(String title, String summary, List<JobFlow> flows) {
    return new Picture(
        () -> JobLayout.draw(title, summary, flows),
        Optional.of(() -> DotWriter.job(title + ": " + summary, flows)),
        Optional.of(() -> MermaidWriter.job(flows)));
  }

  /** As SVG. */
  public Answer svg() {
    return Answer.of(SvgWriter.write(drawing.get()));
  }

  /**
   * As PNG.
   *
   * @throws SettingException if it is too large
   */
  public Answer png() {
    Drawing drawn = drawing.get();
    if (!PngWriter.fits(drawn, PNG_SCALE)) {
      throw new SettingException("the picture is too large for png, expected svg");
    }
    return Answer.ofBytes(PngWriter.write(drawn, PNG_SCALE));
  }
}
