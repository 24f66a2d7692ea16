package dev.topo.visualizer.layout;

import dev.topo.model.Topology;
import dev.topo.visualizer.route.ChannelRoute;
import dev.topo.visualizer.scene.Drawing;
import dev.topo.visualizer.scene.SteppedDrawing;
import dev.topo.visualizer.scene.SteppedDrawing.Step;
import dev.topo.visualizer.scene.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The picture of a machine, drawn once, with what each of some channels changes on it: the same as
 * {@link MachineLayout} draws for each by itself, but for the numbers of full links. Deterministic.
 */
public final class MachineSteps {
  private MachineSteps() {}

  /**
   * Draws a machine for channels.
   *
   * @param name what to call it
   * @param topology the machine
   * @param routes the channels
   */
  public static SteppedDrawing draw(String name, Topology topology, List<ChannelRoute> routes) {
    MachineLayout.Placed placed = MachineLayout.place(name, topology);
    NodeText text = new NodeText(topology);
    Drawing drawing = placed.drawing();
    List<Step> steps = new ArrayList<>();
    for (ChannelRoute route : routes) {
      steps.add(step(placed, text, new RouteMarks(topology, route)));
    }
    return new SteppedDrawing(drawing, steps);
  }

  private static Step step(MachineLayout.Placed placed, NodeText text, RouteMarks marks) {
    Map<Integer, Wire.Flow> flows = new HashMap<>();
    List<Integer> full = new ArrayList<>();
    for (int i = 0; i < placed.lines().size(); i++) {
      RoutedEdge line = placed.lines().get(i);
      Wire.Flow flow = marks.flow(line.edge(), line.from());
      if (flow != Wire.Flow.NONE) {
        flows.put(i, flow);
      }
      if (marks.used(line.edge()).isPresent()) {
        full.add(i);
      }
    }
    Map<Integer, String> places = new HashMap<>();
    placed.gpuBoxes().forEach((gpu, box) -> places.put(box, marks.place(gpu).text()));
    return new Step(marks.title(), marks.text(text), flows, full, places);
  }
}
