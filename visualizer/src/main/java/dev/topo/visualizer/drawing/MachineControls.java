package dev.topo.visualizer.drawing;

import dev.topo.model.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The picture of {@link MachineLayout} as a part of a page on which devices and links can be
 * reached and operated: each has its name in {@code data-part}.
 */
public final class MachineControls {
  private MachineControls() {}

  /**
   * A part that a reader can reach.
   *
   * @param name its name
   * @param label what is said of it
   * @param hasMenu whether it can be operated
   */
  public record Control(String name, String label, boolean hasMenu) {}

  /**
   * Draws a machine.
   *
   * @param name its name
   * @param topology the machine
   * @param fold which hosts are drawn
   * @param route the channel to show on it, if any
   * @param orders the channels whose orders are below it
   * @param devices a device by its index; empty for one that cannot be reached
   * @param links a link; empty for one that cannot be reached
   */
  public static String svg(
      String name,
      Topology topology,
      HostFold fold,
      Optional<ChannelRoute> route,
      List<VisitOrder> orders,
      IntFunction<Optional<Control>> devices,
      Function<Edge, Optional<Control>> links) {
    MachineLayout.Placed placed = MachineLayout.place(name, topology, fold, route, orders);
    Map<Integer, Control> boxes = new HashMap<>();
    placed
        .boxes()
        .forEach((node, box) -> devices.apply(node).ifPresent(part -> boxes.put(box, part)));
    Map<Integer, Control> lines = new HashMap<>();
    for (int line = 0; line < placed.lines().size(); line++) {
      int place = line;
      links.apply(placed.lines().get(line).edge()).ifPresent(part -> lines.put(place, part));
    }
    return SvgWriter.operable(placed.drawing(), "machine", new PartNames(boxes, lines));
  }
}
