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
 * operated: each that has a name is a button with that name in {@code data-part}.
 */
public final class MachineControls {
  private MachineControls() {}

  /**
   * Draws a machine.
   *
   * @param name its name
   * @param topology the machine
   * @param fold which hosts are drawn
   * @param route the channel to show on it, if any
   * @param orders the channels whose orders are below it
   * @param devices the name of a device by its index; empty for one that is no control
   * @param links the name of a link; empty for one that is no control
   */
  public static String svg(
      String name,
      Topology topology,
      HostFold fold,
      Optional<ChannelRoute> route,
      List<VisitOrder> orders,
      IntFunction<Optional<String>> devices,
      Function<Edge, Optional<String>> links) {
    MachineLayout.Placed placed = MachineLayout.place(name, topology, fold, route, orders);
    Map<Integer, String> boxes = new HashMap<>();
    placed
        .boxes()
        .forEach((node, box) -> devices.apply(node).ifPresent(part -> boxes.put(box, part)));
    Map<Integer, String> lines = new HashMap<>();
    for (int line = 0; line < placed.lines().size(); line++) {
      int place = line;
      links.apply(placed.lines().get(line).edge()).ifPresent(part -> lines.put(place, part));
    }
    return SvgWriter.operable(placed.drawing(), "machine", new PartNames(boxes, lines));
  }
}
