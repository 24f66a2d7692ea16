package dev.topo.visualizer.drawing;

import java.util.List;

/**
 * An edge with the route of its line.
 *
 * @param edge the edge
 * @param from the node at the first point
 * @param points the corners of the line
 * @param isLabelled whether its bandwidth is written next to it
 */
record RoutedEdge(Edge edge, int from, List<Point> points, boolean isLabelled) {
  RoutedEdge {
    points = List.copyOf(points);
  }
}
