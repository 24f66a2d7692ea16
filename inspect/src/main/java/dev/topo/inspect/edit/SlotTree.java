package dev.topo.inspect.edit;

import dev.topo.inspect.difference.Assignment;
import dev.topo.model.xml.XmlTreeNode;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The tree of a machine reduced to its slots (switches and CPUs that may hold network cards), with
 * interchangeable subtrees in one group. Two subtrees are interchangeable if they differ only in
 * names: bus ids, numbers of devices and CPUs. A GPU with NVLinks to other GPUs is interchangeable
 * with none, because its links may not have that symmetry.
 *
 * <p>Cards are given as counts: {@code loads[slot][kind]}. Two distributions of cards are equal by
 * symmetry exactly if their canonical forms are equal.
 *
 * @param slot index of the slot at the top; negative if that holds no cards
 * @param groups interchangeable subtrees; interchangeable trees have their groups in the same order
 */
record SlotTree(int slot, String key, List<List<SlotTree>> groups) {
  /** Attributes that identify a device but do not describe it. */
  private static final Set<String> NAMES =
      Set.of("busid", "numaid", "affinity", "dev", "rank", "name", "guid");

  private static final int NO_SLOT = -1;

  /**
   * Creates the slot tree of a machine whose cards were removed; slots are identified by their
   * index.
   */
  static SlotTree of(XmlTreeNode node, List<XmlTreeNode> slots) {
    Map<String, List<SlotTree>> groups = new LinkedHashMap<>();
    for (XmlTreeNode child : node.children()) {
      SlotTree tree = of(child, slots);
      if (tree.slot != NO_SLOT || !tree.groups.isEmpty()) {
        List<SlotTree> group = groups.computeIfAbsent(tree.key, key -> new ArrayList<>());
        group.add(group.isEmpty() ? tree : tree.inOrderOf(group.get(0)));
      }
    }
    return new SlotTree(slots.indexOf(node), key(node, slots), List.copyOf(groups.values()));
  }

  /** This tree with its groups in the order of an interchangeable tree. */
  private SlotTree inOrderOf(SlotTree other) {
    List<List<SlotTree>> ordered = new ArrayList<>();
    for (List<SlotTree> wanted : other.groups) {
      SlotTree first = wanted.get(0);
      List<SlotTree> group =
          groups.stream()
              .filter(candidate -> candidate.get(0).key.equals(first.key))
              .findFirst()
              .orElseThrow();
      ordered.add(group.stream().map(member -> member.inOrderOf(first)).toList());
    }
    return new SlotTree(slot, key, ordered);
  }

  /** Description of a part without names; equal for interchangeable parts. */
  static String key(XmlTreeNode part, List<XmlTreeNode> slots) {
    Map<String, String> attributes = new TreeMap<>(part.attributes());
    attributes.keySet().removeAll(NAMES);
    if (part.is("nvlink") && isToGpu(attributes) || part.is("pcilink")) {
      // The target identifies the device.
      attributes.put("from", part.parent().map(TopologyElements::busId).orElse(""));
    } else if (part.is("nvlink")) {
      attributes.remove("target");
    }
    String below =
        part.children().stream()
            .map(child -> key(child, slots))
            .sorted()
            .collect(Collectors.joining(","));
    return part.name() + (slots.contains(part) ? "!" : "") + attributes + "[" + below + "]";
  }

  private static boolean isToGpu(Map<String, String> nvlink) {
    return nvlink.getOrDefault("tclass", "0x03").startsWith("0x03");
  }

  /**
   * Canonical form of a distribution: the number of cards in total and of each kind, then the
   * number of each kind in the own slot, then for each group its totals and the sorted forms of its
   * members. Counts are negated, so that fuller subtrees come first.
   */
  IntBuffer form(int[][] loads) {
    return IntBuffer.wrap(formOf(loads));
  }

  private int[] formOf(int[][] loads) {
    int[] form = new int[totalLength(loads)];
    if (slot != NO_SLOT) {
      int[] load = loads[slot];
      form = Arrays.copyOf(form, form.length + load.length);
      for (int kind = 0; kind < load.length; kind++) {
        form[0] -= load[kind];
        form[1 + kind] = -load[kind];
        form[1 + load.length + kind] = -load[kind];
      }
    }
    for (List<SlotTree> group : groups) {
      int[][] members = new int[group.size()][];
      for (int m = 0; m < members.length; m++) {
        members[m] = group.get(m).formOf(loads);
      }
      Arrays.sort(members, Arrays::compare);
      int total = form.length;
      int length = members[0].length;
      form = Arrays.copyOf(form, total + totalLength(loads) + members.length * length);
      for (int m = 0; m < members.length; m++) {
        for (int i = 0; i < totalLength(loads); i++) {
          form[i] += members[m][i];
          form[total + i] += members[m][i];
        }
        System.arraycopy(members[m], 0, form, total + totalLength(loads) + m * length, length);
      }
    }
    return form;
  }

  /** Length of the totals: cards of all kinds together, then those of each kind. */
  private static int totalLength(int[][] loads) {
    return 1 + loads[0].length;
  }

  /**
   * Distribution that a canonical form describes, with members of groups in the order of the form.
   */
  int[][] loads(IntBuffer form, int nSlots, int nKinds) {
    int[][] loads = new int[nSlots][nKinds];
    read(form.array(), 0, loads);
    return loads;
  }

  /** Reads the form of this subtree from an index and returns the index after it. */
  private int read(int[] form, int from, int[][] into) {
    int at = from + totalLength(into);
    if (slot != NO_SLOT) {
      for (int kind = 0; kind < into[slot].length; kind++) {
        into[slot][kind] = -form[at + kind];
      }
      at += into[slot].length;
    }
    for (List<SlotTree> group : groups) {
      at += totalLength(into);
      for (SlotTree member : group) {
        at = member.read(form, at, into);
      }
    }
    return at;
  }

  /**
   * Number of distributions that are equal by symmetry, including the given one; a count beyond the
   * precision of a double is approximate.
   */
  double equal(int[][] loads) {
    double equal = 1;
    for (List<SlotTree> group : groups) {
      Map<IntBuffer, Integer> countByForm = new HashMap<>();
      int members = 0;
      for (SlotTree member : group) {
        // n!/(n1! n2! …), factor by factor.
        members++;
        int run = countByForm.merge(member.form(loads), 1, Integer::sum);
        equal = equal * member.equal(loads) * members / run;
      }
    }
    return Math.rint(equal);
  }

  /**
   * Adds representative slots in the order of the tree: each slot that is left out is equal to one
   * of them. Of the members of a group with the same cards at most {@code perForm} are visited.
   */
  void representatives(int[][] loads, int perForm, List<Integer> into) {
    if (slot != NO_SLOT) {
      into.add(slot);
    }
    for (List<SlotTree> group : groups) {
      Map<IntBuffer, Integer> countByForm = new HashMap<>();
      for (SlotTree member : group) {
        if (countByForm.merge(member.form(loads), 1, Integer::sum) <= perForm) {
          member.representatives(loads, perForm, into);
        }
      }
    }
  }

  /** Of all distributions that are equal by symmetry, the one in which the most cards stay. */
  int[][] nearest(int[][] current, int[][] loads) {
    int[][] nearest = new int[loads.length][];
    assign(this, current, loads, nearest);
    return nearest;
  }

  /** Number of cards that stay in the nearest of all equal distributions. */
  int staying(int[][] current, int[][] loads) {
    return assign(this, current, loads, new int[loads.length][]);
  }

  /**
   * Assigns the cards of an interchangeable tree to this one so that as many as possible stay.
   * Returns the number of cards that stay.
   */
  private int assign(SlotTree from, int[][] current, int[][] loads, int[][] into) {
    int staying = 0;
    if (slot != NO_SLOT) {
      into[slot] = loads[from.slot];
      for (int kind = 0; kind < current[slot].length; kind++) {
        staying += Math.min(current[slot][kind], loads[from.slot][kind]);
      }
    }
    for (int g = 0; g < groups.size(); g++) {
      List<SlotTree> group = groups.get(g);
      List<SlotTree> sources = from.groups.get(g);
      int[] sourceOf = pairs(group, sources, current, loads, into);
      for (int m = 0; m < group.size(); m++) {
        staying += group.get(m).assign(sources.get(sourceOf[m]), current, loads, into);
      }
    }
    return staying;
  }

  /**
   * Returns for each member the index of the member whose cards it gets. Members keep their own
   * cards unless a swap is a gain.
   */
  private static int[] pairs(
      List<SlotTree> group,
      List<SlotTree> sources,
      int[][] current,
      int[][] loads,
      int[][] scratch) {
    int members = group.size();
    long[][] cost = new long[members][members];
    if (members > 1) {
      for (int i = 0; i < members; i++) {
        for (int j = 0; j < members; j++) {
          int stay = group.get(i).assign(sources.get(j), current, loads, scratch);
          cost[i][j] = -stay * (members + 1L) - (i == j ? 1 : 0);
        }
      }
    }
    return Assignment.leastCost(cost);
  }
}
