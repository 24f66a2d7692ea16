package dev.topo.visualizer.job;

import dev.topo.model.QuantityWords;
import java.util.List;
import java.util.Objects;

/**
 * The hops of a channel between the nodes of a job.
 *
 * @param shape ring or tree
 * @param channels the channels whose hops go between the same nodes; ranks and ports are those of
 *     the first
 * @param nNodes number of nodes
 * @param hops the hops, by the node that they leave; in a tree from a child to its parent
 */
public record JobFlow(Shape shape, List<Integer> channels, int nNodes, List<Hop> hops) {
  /** Copies the lists. */
  public JobFlow {
    Objects.requireNonNull(shape, "shape");
    channels = List.copyOf(channels);
    hops = List.copyOf(hops);
  }

  /** The channels in words. */
  public String title() {
    String which =
        channels.size() == 1
            ? "channel " + channels.get(0)
            : "channels "
                + QuantityWords.ranges(channels)
                + " (ranks and ports: channel "
                + channels.get(0)
                + ")";
    return (shape == Shape.RING ? "ring" : "tree") + ", " + which;
  }

  /** Ring or tree. */
  public enum Shape {
    /** Every node sends to the next one. */
    RING,
    /** Every node but one has a parent. */
    TREE
  }

  /**
   * One end of a hop.
   *
   * @param node number of the node
   * @param rank rank of the GPU in the job
   * @param port name of the port; empty if unknown
   */
  public record End(int node, int rank, String port) {
    @Override
    public String toString() {
      return (port.isEmpty() ? "" : port + " · ") + "rank " + rank;
    }
  }

  /**
   * A hop from a node to another.
   *
   * @param from the sender; in a tree the child
   * @param to the receiver; in a tree the parent
   */
  public record Hop(End from, End to) {}
}
