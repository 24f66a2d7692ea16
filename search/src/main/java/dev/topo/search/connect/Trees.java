package dev.topo.search.connect;

import dev.topo.model.NodeId;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.engine.ChannelPlan;
import java.util.Optional;

/**
 * The trees over all ranks: a double binary tree over the nodes, and on each node the chain of the
 * channel, whose first two GPUs go to other nodes ({@code connectTrees}, {@code
 * nccl:src/graph/connect.cc}). Links are found in O(log nodes). Immutable.
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
    NodeTemplate kind = nodes.kind(node);
    int self = nodes.toMachine(rank);
    Links links = insideNode(kind.order(GraphKind.TREE, searched), node, self);
    boolean isParentEnd = self == kind.treeToParent(searched);
    boolean isChild0End = self == kind.treeToChild0(searched);
    boolean isChild1End = self == kind.treeToChild1(searched);
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
   * The port by which a rank reaches other nodes in a tree: the first of the channel for its first
   * GPU, the second for the others; empty for a job of one node ({@code ncclTopoGetNetDev}, {@code
   * nccl:src/graph/search.cc}).
   */
  public Optional<NodeId> net(int channel, int rank) {
    NodeTemplate kind = nodes.kind(nodes.nodeOf(rank));
    int searched = plan.searched(channel);
    boolean first = kind.order(GraphKind.TREE, searched).first() == nodes.toMachine(rank);
    return kind.graphs()
        .get(GraphKind.TREE)
        .channels()
        .get(searched)
        .nets()
        .map(nets -> first ? nets.in() : nets.out());
  }

  private Links insideNode(ChannelOrder order, int node, int self) {
    int place = order.placeOf(self);
    return new Links(
        place == 0 ? NONE : nodes.toJob(node, order.at(place - 1)),
        place == order.size() - 1 ? NONE : nodes.toJob(node, order.at(place + 1)),
        NONE,
        NONE);
  }

  private int parentEnd(int node, int searched) {
    return nodes.toJob(node, nodes.kind(node).treeToParent(searched));
  }

  private int childEnd(int node, int searched, boolean ofFirstChild) {
    NodeTemplate kind = nodes.kind(node);
    return nodes.toJob(
        node, ofFirstChild ? kind.treeToChild0(searched) : kind.treeToChild1(searched));
  }
}
