package dev.topo.inspect.edit;

import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SpecException;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlTreeNode;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All distributions of a machine's network cards over its slots, without duplicates. A slot is a
 * switch or CPU that currently has a GPU or a card, or a switch with nothing below it. Two
 * distributions are equal if a symmetry of the machine maps one to the other; the one that moves
 * the fewest cards represents them.
 */
public final class NicPlacements {
  /** Largest number of placements that is counted; more cannot all be tried. */
  private static final int MAX_COUNTED = 20_000;

  /** Most steps of the enumeration for counting, about two seconds. */
  private static final int MAX_STEPS = 1_000_000;

  /** Most cards in a slot, unless the machine already has more in one. */
  private static final int USUAL_CARDS = 2;

  private final int[] kindOf;
  private final int nKinds;
  private final int[] slotNow;
  private final List<XmlTreeNode> slots = new ArrayList<>();
  private final SlotTree tree;
  private final CardAssignment assignment;
  private final int perSlot;
  private final int maxCounted;
  private final int maxSteps;

  /**
   * Placements of the cards of a machine.
   *
   * @param perSlot most cards in a slot; if empty 2, or the largest current number if that is more
   * @throws TopologyFormatException if the machine has no network card on PCI
   */
  public NicPlacements(XmlDocument document, OptionalInt perSlot) {
    this(document, perSlot, MAX_COUNTED, MAX_STEPS);
  }

  /** Placements, counted up to {@code maxCounted} within {@code maxSteps} steps. */
  NicPlacements(XmlDocument document, OptionalInt perSlot, int maxCounted, int maxSteps) {
    this.maxCounted = maxCounted;
    this.maxSteps = maxSteps;
    XmlTreeNode system = XmlTreeNode.of(document.root());
    List<XmlTreeNode> cards =
        system.all("nic").stream()
            .map(TopologyElements::device)
            .filter(card -> card.is("pci"))
            .toList();
    if (cards.isEmpty()) {
      throw new TopologyFormatException(
          document.root().location(), "<system>: has no network card to place");
    }
    Map<XmlTreeNode, Integer> held = new IdentityHashMap<>();
    List<XmlTreeNode> holders = cards.stream().map(card -> card.parent().orElseThrow()).toList();
    holders.forEach(holder -> held.merge(holder, 1, Integer::sum));
    List<String> keys = cards.stream().map(card -> SlotTree.key(card, List.of())).toList();
    List<String> kinds = keys.stream().distinct().toList();
    this.kindOf = keys.stream().mapToInt(kinds::indexOf).toArray();
    this.nKinds = kinds.size();
    cards.forEach(XmlTreeNode::detach);
    system.walk(
        part -> {
          boolean isUsed = held.containsKey(part) || holdsGpu(part);
          boolean isSwitch = TopologyElements.isSwitch(part);
          if ((part.is("cpu") && isUsed)
              || (isSwitch && (isUsed || part.children("pci").isEmpty()))) {
            slots.add(part);
          }
        });
    this.slotNow = holders.stream().mapToInt(slots::indexOf).toArray();
    this.tree = SlotTree.of(system, slots);
    this.assignment = new CardAssignment(document.root().location(), slots, cards, kindOf, slotNow);
    int most = held.values().stream().mapToInt(n -> n).max().orElse(1);
    this.perSlot = perSlot.orElse(Math.max(USUAL_CARDS, most));
  }

  private static boolean holdsGpu(XmlTreeNode part) {
    return part.children("pci").stream().anyMatch(pci -> pci.child("gpu").isPresent());
  }

  public int nCards() {
    return kindOf.length;
  }

  public int nSlots() {
    return slots.size();
  }

  /** Most cards in a slot. */
  public int perSlot() {
    return perSlot;
  }

  /** Cards by kind, as {@code nic:} selectors name them. */
  public List<List<String>> kinds() {
    return IntStream.range(0, nKinds)
        .mapToObj(
            kind ->
                IntStream.range(0, kindOf.length)
                    .filter(card -> kindOf[card] == kind)
                    .mapToObj(assignment::name)
                    .toList())
        .toList();
  }

  /**
   * Placements that move the fewest cards, in order of moved cards.
   *
   * @param limit most placements
   * @throws SpecException if the cards do not fit
   */
  public PlacementSelection nearest(int limit) {
    if (nCards() > slots.size() * perSlot) {
      throw SpecException.worded(
          SpecField.PER_SWITCH,
          SpecText.of(
              "%d network cards do not fit into %d places of %d each, expected a larger %s",
              nCards(), slots.size(), perSlot, SpecField.PER_SWITCH));
    }
    int[][] current = new int[slots.size()][nKinds];
    for (int card = 0; card < kindOf.length; card++) {
      if (slotNow[card] >= 0) {
        current[slotNow[card]][kindOf[card]]++;
      }
    }
    PlacementWalk walk = new PlacementWalk(tree, perSlot, current, maxCounted, maxSteps);
    List<int[][]> found = walk.from(start(), limit);
    if (!walk.isComplete()) {
      List<NicPlacement> nearest =
          found.stream().limit(limit).map(loads -> placement(current, loads)).toList();
      int different = Math.max(limit, walk.isOver() ? maxCounted : 0);
      return new PlacementSelection(nearest, different, 0, false);
    }
    List<NicPlacement> placements = inOrder(found).map(loads -> placement(current, loads)).toList();
    Comparator<NicPlacement> byMoves = Comparator.comparingInt(NicPlacement::movedCards);
    List<NicPlacement> nearest = placements.stream().sorted(byMoves).limit(limit).toList();
    long total = placements.stream().mapToLong(NicPlacement::equalPlacements).sum();
    return new PlacementSelection(nearest, placements.size(), total, true);
  }

  /** Distributions in the order of their canonical forms, in canonical form. */
  private Stream<int[][]> inOrder(List<int[][]> found) {
    return found.stream()
        .map(tree::form)
        .sorted(IntBuffer::compareTo)
        .map(form -> tree.loads(form, slots.size(), nKinds));
  }

  private NicPlacement placement(int[][] current, int[][] loads) {
    return assignment.placement(tree.nearest(current, loads), (long) tree.equal(loads));
  }

  /** Current distribution, with cards that cannot stay moved to the first slots with room. */
  private int[][] start() {
    int[][] loads = new int[slots.size()][nKinds];
    List<Integer> moving = new ArrayList<>();
    for (int card = 0; card < kindOf.length; card++) {
      int slot = slotNow[card];
      if (slot < 0 || PlacementWalk.cards(loads[slot]) == perSlot) {
        moving.add(card);
      } else {
        loads[slot][kindOf[card]]++;
      }
    }
    for (int card : moving) {
      Stream.of(loads)
          .filter(load -> PlacementWalk.cards(load) < perSlot)
          .findFirst()
          .ifPresent(load -> load[kindOf[card]]++);
    }
    return loads;
  }
}
