package dev.topo.visualizer.drawing;

import java.util.List;

/**
 * A picture. Background boxes ({@link BoxKind#isBackground()}) are painted first, then wires, other
 * boxes and captions.
 *
 * @param width in pixels
 * @param height in pixels
 * @param title its title, in one line
 * @param description its alternative text, in sentences
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
  public Drawing {
    boxes = List.copyOf(boxes);
    wires = List.copyOf(wires);
    captions = List.copyOf(captions);
  }
}
