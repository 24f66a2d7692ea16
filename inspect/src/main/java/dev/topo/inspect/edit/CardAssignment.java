package dev.topo.inspect.edit;

import dev.topo.model.diagnostic.SourceLocation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Says which card goes where, so that places hold as many of each kind as they should. */
final class CardAssignment {
  private final SourceLocation source;
  private final List<Part> cards;
  private final int[] kindOf;
  private final List<Part> placeNow;
  private final List<Part> placesInFile;
  private final Map<Part, String> names;

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
      List<Part> cards,
      int[] kindOf,
      List<Part> placeNow,
      List<Part> placesInFile) {
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
  NicPlacement placement(Map<Part, int[]> wanted, long equal) {
    Map<Part, List<Integer>> seats = seats(wanted);
    List<NicPlacement.Load> loads = new ArrayList<>();
    List<Edit> moves = new ArrayList<>();
    for (Part place : placesInFile) {
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
  private Map<Part, List<Integer>> seats(Map<Part, int[]> target) {
    Map<Part, int[]> free = new IdentityHashMap<>();
    target.forEach((place, load) -> free.put(place, load.clone()));
    Map<Part, List<Integer>> seats = new IdentityHashMap<>();
    List<Integer> surplus = new ArrayList<>();
    for (int c = 0; c < cards.size(); c++) {
      if (!sit(c, placeNow.get(c), free, seats)) {
        surplus.add(c);
      }
    }
    for (Part place : placesInFile) {
      surplus.removeIf(c -> sit(c, place, free, seats));
    }
    return seats;
  }

  /** Puts a card at a place if there is room for one of its kind. */
  private boolean sit(int card, Part place, Map<Part, int[]> free, Map<Part, List<Integer>> seats) {
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
    Part part = cards.get(card);
    String name = names.getOrDefault(part, "");
    boolean isName = !name.isEmpty() && name.matches("[^*:;#\\s]+");
    return new Selector(Selector.Kind.NIC, isName ? name : part.attribute("busid"), source);
  }

  /** The name of the first port of each card, where no other port has it. */
  private static Map<Part, String> names(List<Part> cards) {
    Map<String, Integer> ports = new HashMap<>();
    for (Part card : cards) {
      card.all("net").forEach(net -> ports.merge(net.attribute("name"), 1, Integer::sum));
    }
    Map<Part, String> names = new IdentityHashMap<>();
    for (Part card : cards) {
      card.all("net").stream()
          .map(net -> net.attribute("name"))
          .findFirst()
          .filter(name -> ports.getOrDefault(name, 0) == 1)
          .ifPresent(name -> names.put(card, name));
    }
    return names;
  }

  private static String name(Part place) {
    return place.is("cpu")
        ? "cpu:" + place.attribute("numaid")
        : "switch:" + place.attribute("busid");
  }

  private static String cpu(Part place) {
    Part part = place;
    while (!part.is("cpu")) {
      part = part.parent().orElseThrow();
    }
    return part.attribute("numaid");
  }
}
