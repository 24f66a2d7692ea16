package dev.topo.visualizer.scene;

import java.util.List;

/**
 * A picture. Boxes of kind {@link BoxKind#PANEL} are painted first, then wires, other boxes,
 * captions.
 *
 * @param width in pixels
 * @param height in pixels
 * @param title what it shows, in a line
 * @param description what it shows, in sentences, for those who cannot see it
 * @param boxes the boxes
 * @param wires the lines, legend included
 * @param captions texts outside of boxes
 */
public record Drawing(
    double width,
    double height,
    String title,
    String description,
    List<Box> boxes,
    List<Wire> wires,
    List<Caption> captions) {
  /** Copies the parts. */
  public Drawing {
    boxes = List.copyOf(boxes);
    wires = List.copyOf(wires);
    captions = List.copyOf(captions);
  }
}
