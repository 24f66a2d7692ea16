package dev.topo.inspect.edit;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.xml.XmlTreeNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Assigns individual cards to slots, given how many cards of each kind each slot gets. */
final class CardAssignment {
  private final SourceLocation source;
  private final List<XmlTreeNode> slots;
  private final List<Selector> cards;
  private final int[] kindOf;
  private final int[] currentSlot;

  /**
   * Creates an assignment for the cards of a machine.
   *
   * @param currentSlot current slot of each card; negative if it is not one of the slots
   */
  CardAssignment(
      SourceLocation source,
      List<XmlTreeNode> slots,
      List<XmlTreeNode> cards,
      int[] kindOf,
      int[] currentSlot) {
    this.source = source;
    this.slots = slots;
    this.cards = selectors(cards, source);
    this.kindOf = kindOf.clone();
    this.currentSlot = currentSlot.clone();
  }

  /**
   * Returns the placement for given loads. As many cards as possible stay; the others are assigned
   * in order to the first slots with room.
   */
  NicPlacement placement(int[][] loads, long equalPlacements) {
    int[][] room = Arrays.stream(loads).map(int[]::clone).toArray(int[][]::new);
    List<List<Integer>> assigned = new ArrayList<>();
    slots.forEach(slot -> assigned.add(new ArrayList<>()));
    List<Integer> moving = new ArrayList<>(IntStream.range(0, cards.size()).boxed().toList());
    moving.removeIf(card -> assign(card, currentSlot[card], room, assigned));
    for (int s = 0; s < slots.size(); s++) {
      int slot = s;
      moving.removeIf(card -> assign(card, slot, room, assigned));
    }
    List<NicPlacement.Load> placed = new ArrayList<>();
    List<Edit> moves = new ArrayList<>();
    for (int s = 0; s < slots.size(); s++) {
      int slot = s;
      String name = name(slots.get(slot));
      List<Integer> cardsInSlot = assigned.get(slot);
      List<String> names = cardsInSlot.stream().sorted().map(this::name).toList();
      placed.add(new NicPlacement.Load(cpu(slots.get(slot)), name, names));
      List<Selector> moved =
          cardsInSlot.stream().filter(card -> currentSlot[card] != slot).map(cards::get).toList();
      if (!moved.isEmpty()) {
        moves.add(new Edit.Move(moved, Selector.parse(name, source), source));
      }
    }
    return new NicPlacement(placed, moves, equalPlacements);
  }

  /** Puts a card into a slot if the slot has room for one of its kind. Returns true if it had. */
  private boolean assign(int card, int slot, int[][] room, List<List<Integer>> assigned) {
    if (slot < 0 || room[slot][kindOf[card]] == 0) {
      return false;
    }
    room[slot][kindOf[card]]--;
    assigned.get(slot).add(card);
    return true;
  }

  /** Name of a card in a {@code nic:} selector. */
  String name(int card) {
    return cards.get(card).value();
  }

  /**
   * Selectors of cards: by the name of their first port, or by bus id if that name is not unique.
   */
  private static List<Selector> selectors(List<XmlTreeNode> cards, SourceLocation source) {
    List<String> ports = cards.stream().flatMap(CardAssignment::ports).toList();
    return cards.stream()
        .map(
            card ->
                ports(card)
                    .findFirst()
                    .filter(first -> Collections.frequency(ports, first) == 1)
                    .filter(first -> first.matches("[^*:;#\\s]+"))
                    .orElse(card.value("busid")))
        .map(name -> new Selector(Selector.Kind.NIC, name, source))
        .toList();
  }

  private static Stream<String> ports(XmlTreeNode card) {
    return card.all("net").stream().map(net -> net.value("name"));
  }

  private static String name(XmlTreeNode slot) {
    return slot.is("cpu") ? "cpu:" + slot.value("numaid") : "switch:" + slot.value("busid");
  }

  private static String cpu(XmlTreeNode slot) {
    XmlTreeNode node = slot;
    while (!node.is("cpu")) {
      node = node.parent().orElseThrow();
    }
    return node.value("numaid");
  }
}
