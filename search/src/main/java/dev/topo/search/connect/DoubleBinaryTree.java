package dev.topo.search.connect;

/**
 * Two binary trees over numbers 0 to n-1 that share the work: with an even n a number has children
 * in at most one of them ({@code ncclGetBtree} and {@code ncclGetDtree}, {@code
 * nccl:src/graph/trees.cc}; the idea is from Sanders, Speck and Träff, "Two-tree algorithms for
 * full bandwidth broadcast, reduction and scan", 2009).
 *
 * <p>In the first tree a number hangs below the one that it becomes when its lowest bit moves up by
 * one place, so odd numbers are leaves; 0 is the root and has a single child, the highest power of
 * two. The second tree is the first one read backwards, or shifted by one if n is odd. A place is
 * found in O(log n), nothing is stored.
 */
final class DoubleBinaryTree {
  /** In place of a number where there is none. */
  static final int NONE = -1;

  private final int size;

  /** The trees over 0 to {@code size} minus 1. */
  DoubleBinaryTree(int size) {
    this.size = size;
  }

  /**
   * The place of a number in a tree.
   *
   * @param parent its parent; {@link #NONE} at the root
   * @param child0 its first child, or {@link #NONE}
   * @param child1 its second child, or {@link #NONE}
   * @param isFirstChild whether it is its parent's first child
   */
  record Place(int parent, int child0, int child1, boolean isFirstChild) {}

  /** The place of a number in one of the trees. */
  Place place(boolean inSecondTree, int number) {
    return inSecondTree ? second(number) : first(number);
  }

  /** The place of a number in the first tree. */
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
