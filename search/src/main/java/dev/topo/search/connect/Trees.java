package dev.topo.search.connect;

import dev.topo.model.Node.NodeId;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.connect.JobNodes.NodeTemplate;
import dev.topo.search.connect.JobNodes.NodeTemplate.ChannelOrder;
import dev.topo.search.engine.ChannelPlan;
import java.util.Optional;

/**
 * The trees over all ranks: a double binary tree over the nodes, and on each node the chain of the
 * channel, whose first two GPUs link to other nodes ({@code connectTrees}, {@code
 * nccl:src/graph/connect.cc}). Looking up the links of a rank takes O(log nodes). Immutable.
 */
public final class Trees {
  private static final int NONE = Connection.NONE;

  private final JobNodes nodes;
  private final ChannelPlan plan;
  private final DoubleBinaryTree nodeTrees;

  Trees(JobNodes nodes, ChannelPlan plan) {
    this.nodes = nodes;
    this.plan = plan;
    this.nodeTrees = new DoubleBinaryTree(nodes.nNodes());
  }

  /**
   * The neighbours of a rank in a tree, {@link Connection#NONE} where there is none.
   *
   * @param up its parent
   * @param down0 its first child
   * @param down1 its second child
   * @param down2 its third child
   */
  public record Links(int up, int down0, int down1, int down2) {
    private Links withUp(int newUp) {
      return new Links(newUp, down0, down1, down2);
    }

    private Links withDown(int down) {
      if (down0 == NONE) {
        return new Links(up, down, down1, down2);
      }
      return down1 == NONE ? new Links(up, down0, down, down2) : new Links(up, down0, down1, down);
    }
  }

  public Links links(int channel, int rank) {
    int node = nodes.nodeOf(rank);
    int searched = plan.searched(channel);
    NodeTemplate template = nodes.template(node);
    int self = nodes.machineRank(rank);
    Links links = insideNode(template.order(GraphKind.TREE, searched), node, self);
    boolean isParentEnd = self == template.treeToParent(searched);
    boolean isChild0End = self == template.treeToChild0(searched);
    boolean isChild1End = self == template.treeToChild1(searched);
    if (!isParentEnd && !isChild0End && !isChild1End) {
      return links;
    }
    DoubleBinaryTree.Place place = nodeTrees.place(plan.hasSecondTree(channel), node);
    if (isParentEnd && place.parent() != DoubleBinaryTree.NONE) {
      links = links.withUp(childEnd(place.parent(), searched, place.isFirstChild()));
    }
    if (isChild0End && place.child0() != DoubleBinaryTree.NONE) {
      links = links.withDown(parentEnd(place.child0(), searched));
    }
    if (isChild1End && place.child1() != DoubleBinaryTree.NONE) {
      links = links.withDown(parentEnd(place.child1(), searched));
    }
    return links;
  }

  /**
   * The port by which a rank reaches other nodes in a tree ({@code ncclTopoGetNetDev}, {@code
   * nccl:src/graph/search.cc}). The first GPU of the channel uses the channel's first port, all
   * others its second. Empty for a job of one node.
   */
  public Optional<NodeId> net(int channel, int rank) {
    NodeTemplate template = nodes.template(nodes.nodeOf(rank));
    int searched = plan.searched(channel);
    boolean first = template.order(GraphKind.TREE, searched).first() == nodes.machineRank(rank);
    return template
        .graphs()
        .get(GraphKind.TREE)
        .channels()
        .get(searched)
        .nets()
        .map(nets -> first ? nets.in() : nets.out());
  }

  private Links insideNode(ChannelOrder order, int node, int self) {
    int position = order.positionOf(self);
    return new Links(
        position == 0 ? NONE : nodes.jobRank(node, order.at(position - 1)),
        position == order.size() - 1 ? NONE : nodes.jobRank(node, order.at(position + 1)),
        NONE,
        NONE);
  }

  /** The rank of a node that links the tree to the node's parent. */
  private int parentEnd(int node, int searched) {
    return nodes.jobRank(node, nodes.template(node).treeToParent(searched));
  }

  /** The rank of a node that links the tree to one of the node's children. */
  private int childEnd(int node, int searched, boolean ofFirstChild) {
    NodeTemplate template = nodes.template(node);
    return nodes.jobRank(
        node, ofFirstChild ? template.treeToChild0(searched) : template.treeToChild1(searched));
  }

  /**
   * Two binary trees over the numbers 0 to {@code size} - 1 that share the work: if {@code size} is
   * even, a number has children in at most one of them ({@code ncclGetBtree} and {@code
   * ncclGetDtree}, {@code nccl:src/graph/trees.cc}; the idea is from Sanders, Speck and Träff,
   * "Two-tree algorithms for full bandwidth broadcast, reduction and scan", 2009).
   *
   * <p>In the first tree, the parent of a number is the number with its lowest set bit moved up by
   * one position, so odd numbers are leaves. The root is 0; its only child is the highest power of
   * two. The second tree is the first one mirrored if {@code size} is even, otherwise shifted by
   * one. The neighbours of a number are computed in O(log size); nothing is stored.
   */
  record DoubleBinaryTree(int size) {
    /** Stands for a missing parent or child. */
    static final int NONE = -1;

    /**
     * The neighbours of a number in a tree.
     *
     * @param parent its parent; {@link #NONE} at the root
     * @param child0 its first child, or {@link #NONE}
     * @param child1 its second child, or {@link #NONE}
     * @param isFirstChild whether the number is its parent's first child
     */
    record Place(int parent, int child0, int child1, boolean isFirstChild) {}

    /** The neighbours of a number in one of the trees. */
    Place place(boolean inSecondTree, int number) {
      return inSecondTree ? second(number) : first(number);
    }

    /** The neighbours of a number in the first tree. */
    Place first(int number) {
      if (number == 0) {
        return new Place(NONE, NONE, size > 1 ? Integer.highestOneBit(size - 1) : NONE, false);
      }
      int bit = Integer.lowestOneBit(number);
      int above = (number ^ bit) | (bit << 1);
      int parent = above < size ? above : number ^ bit;
      int child0 = bit == 1 ? NONE : number - bit / 2;
      return new Place(parent, child0, upperChild(number, bit), number < parent);
    }

    private int upperChild(int number, int bit) {
      for (int step = bit / 2; step > 0; step /= 2) {
        if (number + step < size) {
          return number + step;
        }
      }
      return NONE;
    }

    Place second(int number) {
      Place mirrored = first(toFirst(number));
      return new Place(
          fromFirst(mirrored.parent),
          fromFirst(mirrored.child0),
          fromFirst(mirrored.child1),
          mirrored.isFirstChild);
    }

    private int toFirst(int number) {
      return size % 2 == 0 ? size - 1 - number : (number - 1 + size) % size;
    }

    private int fromFirst(int number) {
      if (number == NONE) {
        return NONE;
      }
      return size % 2 == 0 ? size - 1 - number : (number + 1) % size;
    }
  }
}
