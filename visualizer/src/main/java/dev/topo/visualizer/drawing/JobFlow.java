package dev.topo.visualizer.drawing;

import dev.topo.model.QuantityFormat;
import java.util.ArrayList;
import java.util.List;

/**
 * The hops of a channel between the nodes of a job.
 *
 * @param shape ring or a kind of tree
 * @param channels the channels whose hops go between the same nodes; ranks and ports are those of
 *     the first
 * @param nNodes number of nodes
 * @param hops the hops, by the node that they leave; in a tree from a child to its parent
 */
public record JobFlow(Shape shape, List<Integer> channels, int nNodes, List<Hop> hops) {
  public JobFlow {
    channels = List.copyOf(channels);
    hops = List.copyOf(hops);
  }

  /**
   * The channels in words, with the one whose ranks and ports are drawn.
   *
   * @param showsRanks whether the drawing shows ranks
   * @param showsPorts whether it shows ports, where they are known
   */
  public String title(boolean showsRanks, boolean showsPorts) {
    String kind = shape.label();
    if (channels.size() == 1) {
      return kind + ", channel " + channels.get(0);
    }
    List<String> shown = new ArrayList<>();
    if (showsRanks) {
      shown.add("ranks");
    }
    if (showsPorts && hops.stream().anyMatch(Hop::hasPort)) {
      shown.add("ports");
    }
    String first = " (" + String.join(" and ", shown) + ": channel " + channels.get(0) + ")";
    return kind + ", channels " + QuantityFormat.ranges(channels) + (shown.isEmpty() ? "" : first);
  }

  /** Ring or tree. */
  public enum Shape {
    /** Every node sends to the next one. */
    RING("ring"),
    /** Every node but one has a parent. */
    TREE("tree"),
    /** The flow of NVLS: each head has a tree with the same head of the others. */
    NVLS("NVLS tree of head 0");

    private final String label;

    Shape(String label) {
      this.label = label;
    }

    /** Its name in a title. */
    String label() {
      return label;
    }

    /** True if nodes have parents. */
    public boolean isTree() {
      return this != RING;
    }
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
  public record Hop(End from, End to) {
    /** The hop as an arrow points: in a tree from the parent to the child. */
    public Hop drawn(Shape shape) {
      return shape.isTree() ? new Hop(to, from) : this;
    }

    private boolean hasPort() {
      return !from.port().isEmpty() || !to.port().isEmpty();
    }
  }
}
