package dev.topo.simulator.sweep;

import dev.topo.model.io.Diagnostic.SourceLocation;
import java.nio.file.Path;

/** The switches between the nodes of a variant. */
public sealed interface Switches {
  String name();

  /** Switches that never limit the ports. */
  record Wide(String name) implements Switches {}

  /**
   * Switches described by a file, as {@code topo predict --fabric} reads it. The nodes are those of
   * the file, in its order.
   *
   * @param adaptive whether switches spread the traffic evenly over equal links
   */
  record Listed(String name, Path file, boolean adaptive, SourceLocation location)
      implements Switches {}

  /**
   * Leaf switches of one size below one spine, built for each number of nodes.
   *
   * @param rail whether each leaf connects the same one port of each of its nodes (rail-optimized);
   *     otherwise all ports of a node go to one leaf
   * @param ports number of ports of a leaf to nodes
   * @param oversubscription bandwidth of the ports of a leaf to nodes, divided by that of its links
   *     to the spine; 1 is non-blocking
   * @param adaptive whether leaves spread the traffic evenly over their links to the spine
   */
  record Leaves(
      String name,
      boolean rail,
      int ports,
      double oversubscription,
      boolean adaptive,
      SourceLocation location)
      implements Switches {}
}
