package dev.topo.visualizer.scene;

/**
 * A place in a drawing.
 *
 * @param x pixels from the left
 * @param y pixels from the top
 */
public record Point(double x, double y) {}
