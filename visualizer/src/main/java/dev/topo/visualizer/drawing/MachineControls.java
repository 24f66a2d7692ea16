package dev.topo.visualizer.drawing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Draws a machine like {@link MachineLayout}, but as a part of a page in which devices and links
 * are controls, each with its name in {@code data-part}.
 */
public final class MachineControls {
  private MachineControls() {}

  /**
   * A control on a device or link.
   *
   * @param name its name
   * @param label its label for screen readers
   * @param hasMenu whether it has a menu
   */
  public record Control(String name, String label, boolean hasMenu) {}

  /**
   * Draws a machine.
   *
   * @param devices returns the control of a device, given its index
   * @param links returns the control of a link
   */
  public static String svg(
      DrawnMachine machine, IntFunction<Control> devices, Function<Edge, Control> links) {
    MachineLayout.Placed placed = MachineLayout.place(machine, true);
    Map<Integer, Control> boxes = new HashMap<>();
    placed.boxes().forEach((node, box) -> boxes.put(box, devices.apply(node)));
    List<Control> lines = placed.lines().stream().map(line -> links.apply(line.edge())).toList();
    return SvgWriter.inline(placed.drawing(), new InlineParts("machine", List.of(), boxes, lines));
  }
}
