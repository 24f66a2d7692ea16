package dev.topo.search.connect;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/**
 * Checks a connection by definition, whatever it was computed from: a ring is one cycle through all
 * ranks, a tree reaches every rank once from a single root, and with an even number of nodes no
 * node has children in both trees of a pair. Takes time proportional to ranks times channels.
 */
public final class ConnectionVerifier {
  private static final int NONE = Connection.NONE;

  private ConnectionVerifier() {}

  /**
   * The problems found, at most one line for each ring, tree and pair of trees; empty if all is
   * right.
   */
  public static List<String> verify(Connection connection) {
    int nRanks = connection.nRanks();
    Rings rings = connection.rings();
    Trees trees = connection.trees();
    List<String> violations = new ArrayList<>();
    for (int c = 0; c < connection.nChannels(); c++) {
      int channel = c;
      ringViolation(nRanks, rank -> rings.prev(channel, rank), rank -> rings.next(channel, rank))
          .ifPresent(text -> violations.add("ring " + channel + ": " + text));
      treeViolation(nRanks, rank -> trees.links(channel, rank))
          .ifPresent(text -> violations.add("tree " + channel + ": " + text));
    }
    if (connection.nNodes() % 2 == 0) {
      for (int searched = 0; searched < connection.searchedChannels(); searched++) {
        verifyPair(connection, searched).ifPresent(violations::add);
      }
    }
    return List.copyOf(violations);
  }

  /** Why the neighbours do not make one cycle through all ranks; empty if they do. */
  static Optional<String> ringViolation(int nRanks, IntUnaryOperator prev, IntUnaryOperator next) {
    BitSet seen = new BitSet(nRanks);
    int rank = 0;
    while (!seen.get(rank)) {
      seen.set(rank);
      int after = next.applyAsInt(rank);
      if (prev.applyAsInt(after) != rank) {
        return Optional.of(
            "rank %s sends to %s, which receives from %s"
                .formatted(rank, after, prev.applyAsInt(after)));
      }
      rank = after;
    }
    return rank == 0 && seen.cardinality() == nRanks
        ? Optional.empty()
        : Optional.of(
            "comes back to rank %s after %s of %s ranks"
                .formatted(rank, seen.cardinality(), nRanks));
  }

  /** Why the neighbours do not make one tree over all ranks; empty if they do. */
  static Optional<String> treeViolation(int nRanks, IntFunction<Trees.Links> links) {
    int root = NONE;
    for (int rank = 0; rank < nRanks; rank++) {
      if (links.apply(rank).up() == NONE) {
        if (root != NONE) {
          return Optional.of("has roots " + root + " and " + rank);
        }
        root = rank;
      }
    }
    return root == NONE ? Optional.of("has no root") : reachViolation(nRanks, root, links);
  }

  private static Optional<String> reachViolation(
      int nRanks, int root, IntFunction<Trees.Links> links) {
    BitSet seen = new BitSet(nRanks);
    int[] reached = new int[nRanks];
    int count = 0;
    seen.set(root);
    reached[count++] = root;
    for (int i = 0; i < count; i++) {
      int rank = reached[i];
      Trees.Links below = links.apply(rank);
      for (int down : new int[] {below.down0(), below.down1(), below.down2()}) {
        if (down == NONE) {
          continue;
        }
        if (seen.get(down)) {
          return Optional.of("reaches rank " + down + " twice, again from " + rank);
        }
        if (links.apply(down).up() != rank) {
          return Optional.of(
              "rank %s has child %s, whose parent is %s"
                  .formatted(rank, down, links.apply(down).up()));
        }
        seen.set(down);
        reached[count++] = down;
      }
    }
    return count == nRanks
        ? Optional.empty()
        : Optional.of("reaches " + count + " of " + nRanks + " ranks from root " + root);
  }

  private static Optional<String> verifyPair(Connection connection, int searched) {
    int[] first = connection.channelsWithTree(searched, false);
    int[] second = connection.channelsWithTree(searched, true);
    if (first.length == 0 || second.length == 0) {
      return Optional.empty();
    }
    BitSet both = nodesWithChildren(connection, first[0]);
    both.and(nodesWithChildren(connection, second[0]));
    return both.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "trees %s and %s: node %s has children in both"
                .formatted(first[0], second[0], both.nextSetBit(0)));
  }

  private static BitSet nodesWithChildren(Connection connection, int channel) {
    BitSet parents = new BitSet(connection.nNodes());
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      int up = connection.trees().links(channel, rank).up();
      if (up != NONE && connection.nodeOf(up) != connection.nodeOf(rank)) {
        parents.set(connection.nodeOf(up));
      }
    }
    return parents;
  }
}
