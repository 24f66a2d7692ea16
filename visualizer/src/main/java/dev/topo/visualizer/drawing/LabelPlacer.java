package dev.topo.visualizer.drawing;

import dev.topo.visualizer.drawing.Wire.Flow;
import dev.topo.visualizer.drawing.Wire.Stress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds positions for line labels that overlap no box, line or other label. The longest segment of
 * a line is tried first, from its middle outwards.
 */
final class LabelPlacer {
  /** Positions of a label along a segment, as fractions, in the order in which they are tried. */
  private static final double[] POSITIONS = {0.5, 0.38, 0.62, 0.25, 0.75, 0.15, 0.85};

  private static final double DISTANCE = 2.5;

  /** Half the width of an arrow head, plus a margin. */
  private static final double ARROW = 6;

  private static final double MARGIN = 0.5;
  private static final double END_DISTANCE = 3;

  private final List<Area> taken = new ArrayList<>();

  /** Creates a placer whose labels avoid the given elements. */
  LabelPlacer(List<Box> boxes, List<Wire> wires, List<Caption> captions) {
    for (Box box : boxes) {
      if (!box.kind().isBackground()) {
        taken.add(box.area());
      }
    }
    for (Wire wire : wires) {
      double half = halfWidth(wire);
      for (int i = 0; i + 1 < wire.points().size(); i++) {
        taken.add(Area.ofSegment(wire.points().get(i), wire.points().get(i + 1), 2 * half));
      }
    }
    captions.forEach(caption -> taken.add(caption.area()));
  }

  private static double halfWidth(Wire wire) {
    double half = wire.width() / 2 + (wire.stress() == Stress.FULL ? 4 : 0);
    return wire.flow() == Flow.NONE ? half : Math.max(half, ARROW);
  }

  /**
   * Finds a position for the label of a line; empty if there is none. If the line ends in a short
   * horizontal segment, the position next to its end is tried first.
   */
  Optional<Caption> place(Wire wire, TextLine label) {
    Optional<Caption> atEnd = atEnd(wire, label);
    return atEnd.isPresent() ? atEnd : alongStretches(wire, label);
  }

  /**
   * The position next to the end of a line: between parallel lines, only there is a label
   * unambiguous.
   */
  private Optional<Caption> atEnd(Wire wire, TextLine label) {
    Point end = wire.points().get(0);
    Point corner = wire.points().get(1);
    if (wire.points().size() != 3 || end.y() != corner.y()) {
      return Optional.empty();
    }
    double x = end.x() - END_DISTANCE - label.width() / 2;
    return free(candidates(label, x, end.y(), halfWidth(wire), false));
  }

  private Optional<Caption> free(List<Caption> candidates) {
    for (Caption caption : candidates) {
      Area area = caption.area().grown(MARGIN);
      if (taken.stream().noneMatch(area::overlaps)) {
        taken.add(area);
        return Optional.of(caption);
      }
    }
    return Optional.empty();
  }

  private Optional<Caption> alongStretches(Wire wire, TextLine label) {
    List<Integer> stretches =
        IntStream.range(0, wire.points().size() - 1)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer i) -> -length(wire, i)))
            .toList();
    for (int stretch : stretches) {
      Point from = wire.points().get(stretch);
      Point to = wire.points().get(stretch + 1);
      for (double place : POSITIONS) {
        double x = from.x() + place * (to.x() - from.x());
        double y = from.y() + place * (to.y() - from.y());
        Optional<Caption> found =
            free(candidates(label, x, y, halfWidth(wire), from.x() == to.x()));
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private static double length(Wire wire, int stretch) {
    Point from = wire.points().get(stretch);
    Point to = wire.points().get(stretch + 1);
    return Math.abs(from.x() - to.x()) + Math.abs(from.y() - to.y());
  }

  private static List<Caption> candidates(
      TextLine label, double x, double y, double half, boolean isUpright) {
    double away = half + DISTANCE;
    if (isUpright) {
      double top = y - label.height() / 2;
      return List.of(
          new Caption(label, x + away, top), new Caption(label, x - away - label.width(), top));
    }
    double left = x - label.width() / 2;
    return List.of(
        new Caption(label, left, y - away + 1 - label.height()),
        new Caption(label, left, y + away - 1));
  }
}
