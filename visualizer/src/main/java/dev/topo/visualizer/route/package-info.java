/**
 * The links that a channel uses, and which of them are full. Start with {@link
 * dev.topo.visualizer.route.RouteFinder}.
 */
@NullMarked
package dev.topo.visualizer.route;

import org.jspecify.annotations.NullMarked;
