package dev.topo.inspect.difference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Maps the parts of one machine to those of another. From the root down, parts of the same kind
 * below two partners are paired so that the total cost of the differences below them is minimal (a
 * tree edit distance for unordered trees in which children of partners are partners, after Zhang,
 * polynomial by way of assignments); branches left over on both sides are then paired as moved.
 * Names, bus ids and numbers distinguish equal parts and weigh less than their properties.
 */
final class Alignment {
  // Costs: only their order matters. The properties of a part come before its identity.
  private static final long LEFT_OVER = 20_000;
  private static final long ATTRIBUTE = 10_000;
  private static final long MAX_ATTRIBUTES = 25_000;
  private static final long NUMA_ID = 200_000;
  private static final long LINKS = 5_000;
  private static final long NAME = 2_000;
  private static final long BUS_ID = 1_000;
  private static final long NUMBER = 10;
  private static final long MAX_NUMBER = 3_000;

  private final MachineTree a;
  private final MachineTree b;
  private final boolean byBusIds;
  private final boolean byNumbers;
  private final Map<Long, Long> costs = new HashMap<>();
  private final Map<MachinePart, MachinePart> inB = new HashMap<>();
  private final Map<MachinePart, MachinePart> inA = new HashMap<>();

  /**
   * Aligns two machines.
   *
   * @param byBusIds whether bus ids identify devices, as in nodes of one model; for other machines
   *     they are misleading
   */
  Alignment(MachineTree a, MachineTree b, boolean byBusIds) {
    this.a = a;
    this.b = b;
    this.byBusIds = byBusIds;
    this.byNumbers = a.parts(PartKind.GPU).size() == b.parts(PartKind.GPU).size();
    pair(a.root(), b.root());
    pairMoved();
  }

  MachineTree a() {
    return a;
  }

  MachineTree b() {
    return b;
  }

  /** Partner of a part of the first machine. */
  Optional<MachinePart> inB(MachinePart part) {
    return Optional.ofNullable(inB.get(part));
  }

  /** Partner of a part of the second machine. */
  Optional<MachinePart> inA(MachinePart part) {
    return Optional.ofNullable(inA.get(part));
  }

  /** Parts of the first machine with a partner, in the order of its file. */
  List<MachinePart> pairedInA() {
    return a.parts().stream().filter(inB::containsKey).toList();
  }

  /** The places of some parts. */
  List<Difference.Place> places(List<MachinePart> parts) {
    return parts.stream().map(this::place).toList();
  }

  /** Place of a part of the first machine and of its partner. */
  Difference.Place place(MachinePart partA) {
    return new Difference.Place(
        a.name(partA),
        Optional.of(partA.element().location()),
        inB(partA).map(partB -> partB.element().location()));
  }

  /** True if the parents of two partners are not partners. */
  boolean isMoved(MachinePart partA) {
    return inB(partA).isPresent()
        && !inB(partA).flatMap(MachinePart::parent).equals(partA.parent().flatMap(this::inB));
  }

  /** True if a part of the first machine is the top of a branch that the second lacks. */
  boolean isMissing(MachinePart partA) {
    return inB(partA).isEmpty() && partA.parent().flatMap(this::inB).isPresent();
  }

  /** True if a part of the second machine is the top of a branch that the first lacks. */
  boolean isAdded(MachinePart partB) {
    return inA(partB).isEmpty() && partB.parent().flatMap(this::inA).isPresent();
  }

  private void pair(MachinePart partA, MachinePart partB) {
    inB.put(partA, partB);
    inA.put(partB, partA);
    for (PartKind kind : kinds(partA, partB)) {
      List<MachinePart> childrenA = free(partA, kind, inB);
      List<MachinePart> childrenB = free(partB, kind, inA);
      int[] partner = assign(childrenA, childrenB);
      for (int i = 0; i < partner.length; i++) {
        if (partner[i] < childrenB.size()) {
          pair(childrenA.get(i), childrenB.get(partner[i]));
        }
      }
    }
  }

  private static Set<PartKind> kinds(MachinePart partA, MachinePart partB) {
    return Stream.concat(partA.children().stream(), partB.children().stream())
        .map(MachinePart::kind)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<MachinePart> free(
      MachinePart parent, PartKind kind, Map<MachinePart, MachinePart> taken) {
    return parent.children(kind).stream().filter(child -> !taken.containsKey(child)).toList();
  }

  /**
   * For each part of the first list the index of its partner; indices beyond the second list mean
   * none.
   */
  private int[] assign(List<MachinePart> partsA, List<MachinePart> partsB) {
    int columns = Math.max(partsA.size(), partsB.size());
    long[][] cost = new long[partsA.size()][columns];
    for (int i = 0; i < partsA.size(); i++) {
      for (int j = 0; j < partsB.size(); j++) {
        MachinePart partA = partsA.get(i);
        MachinePart partB = partsB.get(j);
        cost[i][j] = cost(partA, partB) - LEFT_OVER * (partA.size() + partB.size());
      }
    }
    return Assignment.leastCost(cost);
  }

  /** Cost of changing one branch into the other. */
  private long cost(MachinePart partA, MachinePart partB) {
    long key = ((long) partA.index() << Integer.SIZE) + partB.index();
    Long known = costs.get(key);
    if (known != null) {
      return known;
    }
    long cost = ownCost(partA, partB);
    for (PartKind kind : kinds(partA, partB)) {
      List<MachinePart> childrenA = partA.children(kind);
      List<MachinePart> childrenB = partB.children(kind);
      int[] partner = assign(childrenA, childrenB);
      Set<MachinePart> left = new HashSet<>(childrenB);
      for (int i = 0; i < partner.length; i++) {
        if (partner[i] < childrenB.size()) {
          cost += cost(childrenA.get(i), childrenB.get(partner[i]));
          left.remove(childrenB.get(partner[i]));
        } else {
          cost += LEFT_OVER * childrenA.get(i).size();
        }
      }
      cost += left.stream().mapToLong(part -> LEFT_OVER * part.size()).sum();
    }
    costs.put(key, cost);
    return cost;
  }

  private long ownCost(MachinePart partA, MachinePart partB) {
    Set<String> names = new HashSet<>(partA.attributes().keySet());
    names.addAll(partB.attributes().keySet());
    long attributes = 0;
    long which = 0;
    for (String name : names) {
      if (Objects.equals(partA.attributes().get(name), partB.attributes().get(name))) {
        continue;
      }
      if (partA.kind() == PartKind.PORT && name.equals("name")) {
        which += NAME;
      } else if (partA.kind() == PartKind.CPU && name.equals("numaid")) {
        which += NUMA_ID;
      } else {
        attributes += ATTRIBUTE;
      }
    }
    if (byBusIds && partA.isPci() && !partA.busId().equals(partB.busId())) {
      which += BUS_ID;
    }
    // Squares keep the order after a missing device: shifting two devices by 1 beats shifting one
    // by 2.
    long off = a.number(partA) - b.number(partB);
    which += Math.min(NUMBER * off * off, MAX_NUMBER);
    long links = linkCounts(a, partA).equals(linkCounts(b, partB)) ? 0 : LINKS;
    return Math.min(attributes, MAX_ATTRIBUTES) + links + which;
  }

  private Map<String, Integer> linkCounts(MachineTree tree, MachinePart part) {
    Map<String, Integer> counts = new HashMap<>();
    for (MachineTree.Link link : tree.links(part)) {
      String target = link.target().map(slot -> target(tree, slot)).orElse(link.targetKind());
      counts.merge(target, link.count(), Integer::sum);
    }
    return counts;
  }

  /** Target of a link: the number of a GPU, unless a missing GPU shifts the numbers after it. */
  private String target(MachineTree tree, MachinePart slot) {
    return slot.all().stream()
        .filter(part -> byNumbers && part.kind() == PartKind.GPU)
        .map(gpu -> String.valueOf(tree.number(gpu)))
        .findFirst()
        .orElse("device");
  }

  private record Move(MachinePart partA, MachinePart partB, long cost) {}

  /** Pairs branches left over on both sides, large and similar ones first. */
  private void pairMoved() {
    List<Move> moves = new ArrayList<>();
    for (MachinePart partA : a.parts()) {
      for (MachinePart partB : b.parts()) {
        if (canMove(partA) && partA.kind() == partB.kind() && isFree(partA, partB)) {
          long cost = cost(partA, partB);
          if (cost <= LEFT_OVER * Math.max(partA.size(), partB.size())) {
            moves.add(new Move(partA, partB, cost));
          }
        }
      }
    }
    moves.sort(
        Comparator.comparingInt((Move move) -> -Math.min(move.partA.size(), move.partB.size()))
            .thenComparingLong(Move::cost)
            .thenComparingInt(move -> move.partA.index())
            .thenComparingInt(move -> move.partB.index()));
    for (Move move : moves) {
      if (isFree(move.partA, move.partB)) {
        pair(move.partA, move.partB);
      }
    }
  }

  private boolean isFree(MachinePart partA, MachinePart partB) {
    return !inB.containsKey(partA) && !inA.containsKey(partB);
  }

  /** True if a branch is worth pairing as moved; a bridge with nothing below it is not. */
  private static boolean canMove(MachinePart part) {
    return switch (part.kind()) {
      case GPU_SLOT, NIC_SLOT, NIC -> true;
      case BRIDGE ->
          part.all().stream().anyMatch(p -> p.kind() == PartKind.GPU || p.kind() == PartKind.PORT);
      default -> false;
    };
  }
}
