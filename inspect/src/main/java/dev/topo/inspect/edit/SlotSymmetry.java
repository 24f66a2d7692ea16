package dev.topo.inspect.edit;

import dev.topo.inspect.matching.Assignment;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which ways to put cards at the places of a machine are equal by its symmetry, how many there are
 * of them, and which is the nearest to another. Cards at a place are numbers of each kind.
 */
final class SlotSymmetry {
  private final SlotTree root;

  /** The symmetry of a machine. */
  SlotSymmetry(SlotTree root) {
    this.root = root;
  }

  /** The same for ways that are equal. */
  String signature(Map<Part, int[]> loads) {
    return signature(root, loads);
  }

  private static String signature(SlotTree site, Map<Part, int[]> loads) {
    StringBuilder text = new StringBuilder();
    if (site.isPlace()) {
      for (int n : at(loads, site)) {
        text.append(n).append(' ');
      }
    }
    for (List<SlotTree> group : site.groups()) {
      text.append(group.stream().map(member -> signature(member, loads)).sorted().toList());
    }
    return text.toString();
  }

  /** How many ways are equal to one, itself included; at most what a long holds. */
  long equal(Map<Part, int[]> loads) {
    return (long) equal(root, loads);
  }

  /** In double precision: a count that large is exact to nobody. */
  private static double equal(SlotTree site, Map<Part, int[]> loads) {
    double equal = 1;
    for (List<SlotTree> group : site.groups()) {
      Map<String, Integer> alike = new TreeMap<>();
      int members = 0;
      for (SlotTree member : group) {
        // n!/(n1! n2! …), factor by factor.
        members++;
        int run = alike.merge(signature(member, loads), 1, Integer::sum);
        equal = equal * equal(member, loads) * members / run;
      }
    }
    return Math.rint(equal);
  }

  /** Of all ways that are equal to one that which leaves most cards where they are. */
  Map<Part, int[]> nearest(Map<Part, int[]> now, Map<Part, int[]> loads) {
    Map<Part, int[]> nearest = new IdentityHashMap<>();
    lay(root, root, now, loads, nearest);
    return nearest;
  }

  private static void lay(
      SlotTree here,
      SlotTree from,
      Map<Part, int[]> now,
      Map<Part, int[]> loads,
      Map<Part, int[]> into) {
    if (here.isPlace()) {
      into.put(here.part(), at(loads, from));
    }
    for (int g = 0; g < here.groups().size(); g++) {
      List<SlotTree> group = here.groups().get(g);
      List<SlotTree> others = from.groups().get(g);
      int[] other = pairs(group, others, now, loads);
      for (int m = 0; m < group.size(); m++) {
        lay(group.get(m), others.get(other[m]), now, loads, into);
      }
    }
  }

  /** Cards that stay where they are in the nearest of all ways that are equal to one. */
  int staying(Map<Part, int[]> now, Map<Part, int[]> loads) {
    return stay(root, root, now, loads);
  }

  /** Cards that stay where they are if the place {@code from} of a way comes to {@code here}. */
  private static int stay(
      SlotTree here, SlotTree from, Map<Part, int[]> now, Map<Part, int[]> loads) {
    int stay = 0;
    if (here.isPlace()) {
      int[] is = at(now, here);
      int[] shall = at(loads, from);
      for (int kind = 0; kind < is.length; kind++) {
        stay += Math.min(is[kind], shall[kind]);
      }
    }
    for (int g = 0; g < here.groups().size(); g++) {
      List<SlotTree> group = here.groups().get(g);
      List<SlotTree> others = from.groups().get(g);
      int[] other = pairs(group, others, now, loads);
      for (int m = 0; m < group.size(); m++) {
        stay += stay(group.get(m), others.get(other[m]), now, loads);
      }
    }
    return stay;
  }

  /** What comes to each of some equal sites; where nothing is gained by a change none is made. */
  private static int[] pairs(
      List<SlotTree> group, List<SlotTree> others, Map<Part, int[]> now, Map<Part, int[]> loads) {
    int members = group.size();
    long[][] cost = new long[members][members];
    if (members > 1) {
      for (int i = 0; i < members; i++) {
        for (int j = 0; j < members; j++) {
          int stay = stay(group.get(i), others.get(j), now, loads);
          cost[i][j] = -stay * (members + 1L) - (i == j ? 1 : 0);
        }
      }
    }
    return Assignment.leastCost(cost);
  }

  private static int[] at(Map<Part, int[]> loads, SlotTree site) {
    int[] load = loads.get(site.part());
    return load == null ? new int[0] : load;
  }
}
