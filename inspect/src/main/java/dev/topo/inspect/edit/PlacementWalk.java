package dev.topo.inspect.edit;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Enumerates distributions of cards over slots, one for each class of equal ones, those that move
 * the fewest cards first. A step moves one card to a slot with room, or exchanges two cards of
 * different kinds; distributions are compared by their canonical form. Single use.
 *
 * <p>The enumeration is complete: from each distribution a step leads to one that moves fewer
 * cards, unless it already moves the fewest, and steps connect all distributions that move the
 * fewest. Hence a distribution that moves k cards is reached through distributions that move at
 * most k. Because of symmetry, a step has to consider only one of several equal sources, and only
 * two of several equal targets, as one may be the source itself.
 */
final class PlacementWalk {
  private final SlotTree tree;
  private final int perSlot;
  private final int[][] current;
  private final int maxCounted;
  private final int maxSteps;
  private final Set<IntBuffer> forms = new HashSet<>();

  /** Placements found, by the number of cards that stay. */
  private final List<List<int[][]>> byStaying = new ArrayList<>();

  private int nSteps;
  private boolean isComplete = true;

  /**
   * Creates a walk over distributions with at most {@code perSlot} cards in a slot; {@code current}
   * may have more. It gives up counting after {@code maxCounted} classes or {@code maxSteps} steps.
   */
  PlacementWalk(SlotTree tree, int perSlot, int[][] current, int maxCounted, int maxSteps) {
    this.tree = tree;
    this.perSlot = perSlot;
    this.current = current;
    this.maxCounted = maxCounted;
    this.maxSteps = maxSteps;
  }

  /**
   * Walks until all classes are found, or, if there are too many to count, until more than {@code
   * limit} are. In the start distribution as many cards as possible must stay.
   */
  List<int[][]> from(int[][] start, int limit) {
    int maxStaying = tree.staying(current, start);
    for (int stay = 0; stay <= maxStaying; stay++) {
      byStaying.add(new ArrayList<>());
    }
    addNew(start);
    List<int[][]> found = new ArrayList<>();
    for (int stay = maxStaying; stay >= 0; stay--) {
      List<int[][]> level = byStaying.get(stay);
      // Steps add to the level that they start from.
      for (int i = 0; i < level.size() && isComplete; i++) {
        isComplete = isCounting() || found.size() + level.size() <= limit;
        if (isComplete) {
          step(level.get(i));
        }
      }
      found.addAll(level);
    }
    return found;
  }

  /** True if all classes were found. */
  boolean isComplete() {
    return isComplete;
  }

  /** True if there are more classes than can be counted. */
  boolean exceedsCount() {
    return forms.size() > maxCounted;
  }

  private boolean isCounting() {
    return !exceedsCount() && nSteps <= maxSteps;
  }

  private void step(int[][] loads) {
    List<Integer> sources = new ArrayList<>();
    tree.representatives(loads, 1, sources);
    List<Integer> targets = new ArrayList<>();
    tree.representatives(loads, 2, targets);
    for (int from : sources) {
      for (int kind = 0; kind < loads[from].length; kind++) {
        if (loads[from][kind] > 0) {
          for (int to : targets) {
            step(loads, from, kind, to);
          }
        }
      }
    }
  }

  private void step(int[][] loads, int from, int kind, int to) {
    if (to == from) {
      return;
    }
    if (cards(loads[to]) < perSlot) {
      addNew(moved(loads, from, kind, to));
    }
    // An exchange in the other direction is the same.
    for (int other = kind + 1; other < loads[to].length; other++) {
      if (loads[to][other] > 0) {
        addNew(moved(moved(loads, from, kind, to), to, other, from));
      }
    }
  }

  private void addNew(int[][] loads) {
    nSteps++;
    if (forms.add(tree.form(loads))) {
      byStaying.get(tree.staying(current, loads)).add(loads);
    }
  }

  private static int[][] moved(int[][] loads, int from, int kind, int to) {
    int[][] moved = loads.clone();
    moved[from] = changed(loads[from], kind, -1);
    moved[to] = changed(loads[to], kind, 1);
    return moved;
  }

  private static int[] changed(int[] load, int kind, int by) {
    int[] changed = load.clone();
    changed[kind] += by;
    return changed;
  }

  /** Number of cards of all kinds in a slot. */
  static int cards(int[] load) {
    int cards = 0;
    for (int n : load) {
      cards += n;
    }
    return cards;
  }
}
