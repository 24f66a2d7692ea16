package dev.topo.search.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.search.connect.Trees.DoubleBinaryTree;
import dev.topo.search.connect.Trees.DoubleBinaryTree.Place;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DoubleBinaryTreeTest {
  private static final int NONE = DoubleBinaryTree.NONE;

  @Test
  void joinsFourAsNcclDoes() {
    DoubleBinaryTree trees = new DoubleBinaryTree(4);
    assertEquals(new Place(NONE, NONE, 2, false), trees.first(0));
    assertEquals(new Place(2, NONE, NONE, true), trees.first(1));
    assertEquals(new Place(0, 1, 3, false), trees.first(2));
    assertEquals(new Place(2, NONE, NONE, false), trees.first(3));
    assertEquals(new Place(NONE, NONE, 1, false), trees.second(3));
    assertEquals(new Place(3, 2, 0, false), trees.second(1));
  }

  @Test
  void shiftsTheSecondTreeOfAnOddNumber() {
    DoubleBinaryTree trees = new DoubleBinaryTree(3);
    assertEquals(new Place(NONE, NONE, 0, false), trees.second(1));
    assertEquals(new Place(0, NONE, NONE, true), trees.second(2));
    assertEquals(new Place(1, 2, NONE, false), trees.second(0));
  }

  @Test
  void oneAloneHasNoNeighbours() {
    DoubleBinaryTree trees = new DoubleBinaryTree(1);
    assertEquals(new Place(NONE, NONE, NONE, false), trees.first(0));
    assertEquals(new Place(NONE, NONE, NONE, false), trees.second(0));
  }

  @Test
  void bothAreTreesOverAllNumbersForEverySizeUpTo600() {
    for (int size = 1; size <= 600; size++) {
      verify(size);
    }
  }

  @Test
  void bothAreTreesOverAllNumbersForSomeSizesUpTo4096() {
    long seed = Long.getLong("test.seed", 1);
    Random random = new Random(seed);
    for (int i = 0; i < Integer.getInteger("test.iters", 40); i++) {
      verify(600 + random.nextInt(4096 - 600 + 1));
    }
    verify(4095);
    verify(4096);
  }

  private static void verify(int size) {
    DoubleBinaryTree trees = new DoubleBinaryTree(size);
    for (boolean second : new boolean[] {false, true}) {
      int roots = 0;
      int children = 0;
      for (int number = 0; number < size; number++) {
        Place place = trees.place(second, number);
        roots += place.parent() == NONE ? 1 : 0;
        children += verifyChild(trees, second, number, place.child0(), true);
        children += verifyChild(trees, second, number, place.child1(), false);
        assertTrue(depth(trees, second, number) <= 2 + Integer.SIZE, "no cycle, size " + size);
      }
      assertEquals(1, roots, "roots, size " + size);
      assertEquals(size - 1, children, "children, size " + size);
    }
    if (size % 2 == 0) {
      for (int number = 0; number < size; number++) {
        assertTrue(
            isLeaf(trees.first(number)) || isLeaf(trees.second(number)),
            number + " has children in both trees, size " + size);
      }
    }
  }

  private static int verifyChild(
      DoubleBinaryTree trees, boolean second, int parent, int child, boolean isFirst) {
    if (child == NONE) {
      return 0;
    }
    Place place = trees.place(second, child);
    assertEquals(parent, place.parent(), "parent of " + child);
    assertEquals(isFirst, place.isFirstChild(), child + " is the first child");
    return 1;
  }

  private static int depth(DoubleBinaryTree trees, boolean second, int number) {
    int depth = 0;
    for (int n = number; n != NONE && depth < 100; n = trees.place(second, n).parent()) {
      depth++;
    }
    return depth;
  }

  private static boolean isLeaf(Place place) {
    return place.child0() == NONE && place.child1() == NONE;
  }
}
