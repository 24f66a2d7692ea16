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
  /** Maximum number of placements that is counted; more could not be tried anyway. */
  private static final int MAX_COUNTED = 20_000;

  /** Maximum number of steps for counting: about two seconds. */
  private static final int MAX_STEPS = 1_000_000;

  /** Default maximum of cards in a slot, unless the machine already has more in one. */
  private static final int DEFAULT_CARDS = 2;

  private final int[] kindOf;
  private final int nKinds;
  private final int[] currentSlot;
  private final List<XmlTreeNode> slots = new ArrayList<>();
  private final SlotTree tree;
  private final CardAssignment assignment;
  private final int perSlot;
  private final int maxCounted;
  private final int maxSteps;

  /**
   * Prepares the placements of a machine's cards.
   *
   * @param perSlot maximum number of cards in a slot; if empty, 2 or the largest current number
   * @throws TopologyFormatException if the machine has no network card on PCI
   */
  public NicPlacements(XmlDocument document, OptionalInt perSlot) {
    this(document, perSlot, MAX_COUNTED, MAX_STEPS);
  }

  /** Prepares placements; counts up to {@code maxCounted} of them within {@code maxSteps} steps. */
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
    this.currentSlot = holders.stream().mapToInt(slots::indexOf).toArray();
    this.tree = SlotTree.of(system, slots);
    this.assignment =
        new CardAssignment(document.root().location(), slots, cards, kindOf, currentSlot);
    int maxHeld = held.values().stream().mapToInt(n -> n).max().orElse(1);
    this.perSlot = perSlot.orElse(Math.max(DEFAULT_CARDS, maxHeld));
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

  /** Maximum number of cards in a slot. */
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
   * Returns the placements that move the fewest cards, ordered by the number of moved cards.
   *
   * @param limit maximum number of placements
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
      if (currentSlot[card] >= 0) {
        current[currentSlot[card]][kindOf[card]]++;
      }
    }
    PlacementWalk walk = new PlacementWalk(tree, perSlot, current, maxCounted, maxSteps);
    List<int[][]> found = walk.from(initialLoads(), limit);
    if (!walk.isComplete()) {
      List<NicPlacement> nearest =
          found.stream().limit(limit).map(loads -> placement(current, loads)).toList();
      int different = Math.max(limit, walk.exceedsCount() ? maxCounted : 0);
      return new PlacementSelection(nearest, different, 0, false);
    }
    List<NicPlacement> placements = inOrder(found).map(loads -> placement(current, loads)).toList();
    Comparator<NicPlacement> byMoves = Comparator.comparingInt(NicPlacement::movedCards);
    List<NicPlacement> nearest = placements.stream().sorted(byMoves).limit(limit).toList();
    long total = placements.stream().mapToLong(NicPlacement::equalPlacements).sum();
    return new PlacementSelection(nearest, placements.size(), total, true);
  }

  /** Distributions in canonical form, sorted by that form. */
  private Stream<int[][]> inOrder(List<int[][]> found) {
    return found.stream()
        .map(tree::form)
        .sorted(IntBuffer::compareTo)
        .map(form -> tree.loads(form, slots.size(), nKinds));
  }

  private NicPlacement placement(int[][] current, int[][] loads) {
    return assignment.placement(tree.nearest(current, loads), (long) tree.equal(loads));
  }

  /**
   * The current distribution, except that cards that cannot stay are moved to the first slots with
   * room.
   */
  private int[][] initialLoads() {
    int[][] loads = new int[slots.size()][nKinds];
    List<Integer> moving = new ArrayList<>();
    for (int card = 0; card < kindOf.length; card++) {
      int slot = currentSlot[card];
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
