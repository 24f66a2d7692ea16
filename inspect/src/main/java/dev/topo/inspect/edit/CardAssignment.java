package dev.topo.inspect.edit;

import dev.topo.model.xml.XmlTreeNode;
import dev.topo.model.diagnostic.SourceLocation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Says which card goes where, so that places hold as many of each kind as they should. */
final class CardAssignment {
  private final SourceLocation source;
  private final List<XmlTreeNode> cards;
  private final int[] kindOf;
  private final List<XmlTreeNode> placeNow;
  private final List<XmlTreeNode> placesInFile;
  private final Map<XmlTreeNode, String> names;

  /**
   * The seating of some cards.
   *
   * @param source the machine
   * @param kindOf the kind of each card
   * @param placeNow where each card is now
   * @param placesInFile where cards may go, in the order of the file
   */
  CardAssignment(
      SourceLocation source,
      List<XmlTreeNode> cards,
      int[] kindOf,
      List<XmlTreeNode> placeNow,
      List<XmlTreeNode> placesInFile) {
    this.source = source;
    this.cards = cards;
    this.kindOf = kindOf.clone();
    this.placeNow = placeNow;
    this.placesInFile = placesInFile;
    this.names = names(cards);
  }

  /**
   * A placement.
   *
   * @param wanted how many cards of each kind each place holds
   * @param equal how many placements are equal to it
   */
  NicPlacement placement(Map<XmlTreeNode, int[]> wanted, long equal) {
    Map<XmlTreeNode, List<Integer>> seats = seats(wanted);
    List<NicPlacement.Load> loads = new ArrayList<>();
    List<Edit> moves = new ArrayList<>();
    for (XmlTreeNode place : placesInFile) {
      List<Integer> here = seats.getOrDefault(place, List.of());
      loads.add(
          new NicPlacement.Load(
              cpu(place), name(place), here.stream().sorted().map(c -> name(c)).toList()));
      List<Selector> moved =
          here.stream().filter(c -> placeNow.get(c) != place).map(c -> selector(c)).toList();
      if (!moved.isEmpty()) {
        moves.add(new Edit.Move(moved, Selector.parse(name(place), source), source));
      }
    }
    return new NicPlacement(loads, moves, equal);
  }

  /**
   * Which cards are at each place: as many as may stay, the first of those that are too many at the
   * first place.
   */
  private Map<XmlTreeNode, List<Integer>> seats(Map<XmlTreeNode, int[]> target) {
    Map<XmlTreeNode, int[]> free = new IdentityHashMap<>();
    target.forEach((place, load) -> free.put(place, load.clone()));
    Map<XmlTreeNode, List<Integer>> seats = new IdentityHashMap<>();
    List<Integer> surplus = new ArrayList<>();
    for (int c = 0; c < cards.size(); c++) {
      if (!sit(c, placeNow.get(c), free, seats)) {
        surplus.add(c);
      }
    }
    for (XmlTreeNode place : placesInFile) {
      surplus.removeIf(c -> sit(c, place, free, seats));
    }
    return seats;
  }

  /** Puts a card at a place if there is room for one of its kind. */
  private boolean sit(int card, XmlTreeNode place, Map<XmlTreeNode, int[]> free, Map<XmlTreeNode, List<Integer>> seats) {
    int[] room = free.get(place);
    if (room == null || room[kindOf[card]] == 0) {
      return false;
    }
    room[kindOf[card]]--;
    seats.computeIfAbsent(place, key -> new ArrayList<>()).add(card);
    return true;
  }

  /** A card as a {@code nic:} selector names it. */
  String name(int card) {
    return selector(card).value();
  }

  private Selector selector(int card) {
    XmlTreeNode part = cards.get(card);
    String name = names.getOrDefault(part, "");
    boolean isName = !name.isEmpty() && name.matches("[^*:;#\\s]+");
    return new Selector(Selector.Kind.NIC, isName ? name : part.value("busid"), source);
  }

  /** The name of the first port of each card, where no other port has it. */
  private static Map<XmlTreeNode, String> names(List<XmlTreeNode> cards) {
    Map<String, Integer> ports = new HashMap<>();
    for (XmlTreeNode card : cards) {
      card.all("net").forEach(net -> ports.merge(net.value("name"), 1, Integer::sum));
    }
    Map<XmlTreeNode, String> names = new IdentityHashMap<>();
    for (XmlTreeNode card : cards) {
      card.all("net").stream()
          .map(net -> net.value("name"))
          .findFirst()
          .filter(name -> ports.getOrDefault(name, 0) == 1)
          .ifPresent(name -> names.put(card, name));
    }
    return names;
  }

  private static String name(XmlTreeNode place) {
    return place.is("cpu")
        ? "cpu:" + place.value("numaid")
        : "switch:" + place.value("busid");
  }

  private static String cpu(XmlTreeNode place) {
    XmlTreeNode part = place;
    while (!part.is("cpu")) {
      part = part.parent().orElseThrow();
    }
    return part.value("numaid");
  }
}
