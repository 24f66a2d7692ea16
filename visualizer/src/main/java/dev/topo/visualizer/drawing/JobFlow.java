package dev.topo.visualizer.drawing;

import dev.topo.model.QuantityFormat;
import java.util.List;

/**
 * The hops of a channel between the nodes of a job.
 *
 * @param shape ring or a kind of tree
 * @param channels the channels whose hops connect the same nodes; ranks and ports are those of the
 *     first
 * @param nNodes number of nodes
 * @param hops the hops, by sending node; in a tree from a child to its parent
 */
public record JobFlow(Shape shape, List<Integer> channels, int nNodes, List<Hop> hops) {
  public JobFlow {
    channels = List.copyOf(channels);
    hops = List.copyOf(hops);
  }

  /**
   * The channels in words.
   *
   * @param isDetailed whether the drawing shows the ranks and, if known, the ports of the first
   *     channel
   */
  public String title(boolean isDetailed) {
    String kind = shape.label();
    if (channels.size() == 1) {
      return kind + ", channel " + channels.get(0);
    }
    String all = kind + ", channels " + QuantityFormat.ranges(channels);
    String shown = hops.stream().anyMatch(Hop::hasPort) ? "ranks and ports" : "ranks";
    return isDetailed ? "%s (%s: channel %s)".formatted(all, shown, channels.get(0)) : all;
  }

  /** Ring or tree. */
  public enum Shape {
    /** Every node sends to the next one. */
    RING("ring"),
    /** Every node except the root has a parent. */
    TREE("tree"),
    /** NVLS across nodes: each head has a tree with the same head of the other nodes. */
    NVLS("NVLS tree of head 0");

    private final String label;

    Shape(String label) {
      this.label = label;
    }

    /** Its name in a title. */
    String label() {
      return label;
    }
  }

  /**
   * One end of a hop.
   *
   * @param node the number of the node
   * @param rank the rank of the GPU in the job
   * @param port the name of the port; empty if unknown
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
  public record Hop(End from, End to) {
    private boolean hasPort() {
      return !from.port().isEmpty() || !to.port().isEmpty();
    }
  }
}
