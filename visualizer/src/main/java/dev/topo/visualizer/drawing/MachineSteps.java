package dev.topo.visualizer.drawing;

import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.visualizer.drawing.SteppedDrawing.Step;
import dev.topo.visualizer.drawing.Wire.Flow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * A picture of a machine that is drawn once, with the changes that show each of several channels.
 * The result equals what {@link MachineLayout} draws for each channel, with two differences: labels
 * of full links do not show the used part, and of equal hosts of an NVLink domain only the one on
 * which the channel begins is shown. Deterministic.
 */
public final class MachineSteps {
  private MachineSteps() {}

  /**
   * Draws a machine with steps for channels.
   *
   * @param name its name
   * @param topology the machine
   * @param routes the channels
   */
  public static SteppedDrawing draw(String name, Topology topology, List<ChannelRoute> routes) {
    HostFold fold = HostFold.of(topology);
    MachineLayout.Placed placed =
        MachineLayout.place(
            new DrawnMachine(name, topology, fold, Optional.empty(), List.of()), false);
    NodeLabels text = new NodeLabels(topology);
    List<Step> steps = new ArrayList<>();
    for (ChannelRoute route : routes) {
      steps.add(step(topology, placed, fold, text, new RouteMarks(topology, route)));
    }
    return new SteppedDrawing(placed.drawing(), steps);
  }

  private static Step step(
      Topology topology,
      MachineLayout.Placed placed,
      HostFold fold,
      NodeLabels text,
      RouteMarks marks) {
    IntUnaryOperator shown = shown(fold, marks);
    Map<Integer, Flow> flows = new HashMap<>();
    List<Integer> full = new ArrayList<>();
    for (int i = 0; i < placed.lines().size(); i++) {
      RoutedEdge line = placed.lines().get(i);
      Edge edge = line.edge().map(shown);
      Flow flow = marks.flow(edge, shown.applyAsInt(line.from()));
      if (flow != Flow.NONE) {
        flows.put(i, flow);
      }
      if (marks.used(edge).isPresent()) {
        full.add(i);
      }
    }
    Map<Integer, String> places = new HashMap<>();
    for (int gpu : topology.indexes(NodeType.GPU)) {
      Optional.ofNullable(placed.boxes().get(gpu))
          .ifPresent(box -> places.put(box, marks.place(shown.applyAsInt(gpu))));
    }
    int first = fold.hostOf(marks.first());
    placed
        .hostBoxes()
        .forEach(
            (group, box) -> {
              if (group.isFolded()) {
                places.put(box, group.shown(group.hosts().contains(first) ? first : group.drawn()));
              }
            });
    return new Step(marks.text(text), flows, full, places);
  }

  /**
   * Maps a drawn node to the node it represents during a step: if the channel begins on one of
   * several equal hosts, the corresponding node of that host.
   */
  private static IntUnaryOperator shown(HostFold fold, RouteMarks marks) {
    int first = fold.hostOf(marks.first());
    HostGroup group = fold.groupOf(first);
    return node -> fold.hostOf(node) == group.drawn() ? fold.counterpart(node, first) : node;
  }
}
