package dev.topo.visualizer.drawing;

import java.util.List;

/**
 * An edge with the corners of its line.
 *
 * @param edge the edge
 * @param from the node at the first point
 * @param points corners of the line
 * @param isLabelled whether its bandwidth is written at it
 */
record RoutedEdge(Edge edge, int from, List<Point> points, boolean isLabelled) {
  RoutedEdge {
    points = List.copyOf(points);
  }
}
