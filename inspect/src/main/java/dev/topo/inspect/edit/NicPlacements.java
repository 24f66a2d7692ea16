package dev.topo.inspect.edit;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.settings.SettingException;
import dev.topo.model.xml.XmlDocument;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * All ways to distribute the network cards of a machine over its switches, those that are equal by
 * symmetry once. Cards may go where a GPU or a card is now and below switches that hold nothing.
 *
 * <p>Placements are built from the leaves up: those of a switch from those of what is below, and
 * for equal switches as multisets, so that no two equal ones are ever made, and none whose other
 * cards would find no place. Where there are too many to build all, or where that takes too many
 * tries, those with the fewest moved cards are looked for. Of equal placements the one that moves
 * the fewest cards stands for all. Used once.
 */
public final class NicPlacements {
  /** More are not counted: nobody could try them. */
  private static final int MAX_COUNTED = 20_000;

  /** More combinations are not looked at to count the placements: these take a second or two. */
  private static final int MAX_TRIED = 10_000_000;

  /** Cards at a place, unless the machine has more at one now. */
  private static final int USUAL_CARDS = 2;

  private final SourceLocation source;
  private final Part system;
  private final List<Part> cards;
  private final List<Part> placeNow = new ArrayList<>();
  private final int[] kindOf;
  private final int nKinds;
  private final SlotTree root;
  private final SlotSymmetry symmetry;
  private final List<Part> places;
  private final List<Part> placesInFile = new ArrayList<>();
  private final CardAssignment seating;
  private final int perPlace;
  private final int maxCounted;
  private final int maxTried;

  /**
   * The placements of the cards of a machine.
   *
   * @param perPlace most cards at a place; if empty 2, or as many as one place holds now
   * @throws TopologyFormatException if the machine has no network card on PCI
   */
  public NicPlacements(XmlDocument document, OptionalInt perPlace) {
    this(document, perPlace, MAX_COUNTED, MAX_TRIED);
  }

  /**
   * The placements, of which at most {@code maxCounted} different ones are counted, with at most
   * {@code maxTried} combinations.
   */
  NicPlacements(XmlDocument document, OptionalInt perPlace, int maxCounted, int maxTried) {
    this.maxCounted = maxCounted;
    this.maxTried = maxTried;
    this.source = document.root().location();
    this.system = Part.of(document.root());
    this.cards =
        system.all("nic").stream().map(Part::device).filter(card -> card.is("pci")).toList();
    if (cards.isEmpty()) {
      throw new TopologyFormatException(source, "<system>: has no network card to place");
    }
    List<String> classOf = new ArrayList<>();
    Map<Part, Integer> held = new IdentityHashMap<>();
    for (Part card : cards) {
      Part place = card.parent().orElseThrow();
      placeNow.add(place);
      held.merge(place, 1, Integer::sum);
      classOf.add(SlotTree.key(card, Set.of()));
    }
    List<String> classes = classOf.stream().distinct().toList();
    this.kindOf = classOf.stream().mapToInt(classes::indexOf).toArray();
    this.nKinds = classes.size();
    cards.forEach(Part::detach);
    Set<Part> found = new LinkedHashSet<>();
    system.walk(
        part -> {
          boolean holds = held.containsKey(part) || holdsGpu(part);
          if ((part.is("cpu") && holds) || (part.isSwitch() && (holds || isLeaf(part)))) {
            found.add(part);
          }
        });
    this.root = SlotTree.of(system, found);
    this.symmetry = new SlotSymmetry(root);
    this.places = root.places();
    system.walk(
        part -> {
          if (places.contains(part)) {
            placesInFile.add(part);
          }
        });
    this.seating = new CardAssignment(source, cards, kindOf, placeNow, placesInFile);
    this.perPlace =
        perPlace.orElse(
            Math.max(USUAL_CARDS, held.values().stream().mapToInt(n -> n).max().orElse(1)));
  }

  private static boolean holdsGpu(Part part) {
    return part.children("pci").stream().anyMatch(pci -> !pci.children("gpu").isEmpty());
  }

  private static boolean isLeaf(Part part) {
    return part.children("pci").isEmpty();
  }

  /** Number of cards. */
  public int nCards() {
    return cards.size();
  }

  /** Number of places where they may go. */
  public int nPlaces() {
    return places.size();
  }

  /** Most cards at a place. */
  public int perPlace() {
    return perPlace;
  }

  /** The cards, those of one kind together: as {@code nic:} selectors name them. */
  public List<List<String>> kinds() {
    List<List<String>> kinds = new ArrayList<>();
    for (int kind = 0; kind < nKinds; kind++) {
      kinds.add(new ArrayList<>());
    }
    for (int c = 0; c < cards.size(); c++) {
      kinds.get(kindOf[c]).add(seating.name(c));
    }
    return kinds;
  }

  /**
   * The placements that are nearest to how the machine is now, that one first.
   *
   * @param limit most of them
   * @throws SettingException if the cards do not fit
   */
  public PlacementSelection nearest(int limit) {
    if (cards.size() > places.size() * perPlace) {
      throw new SettingException(
          cards.size()
              + " network cards do not fit into "
              + places.size()
              + " places of "
              + perPlace
              + " each, expected a larger --per-switch");
    }
    Map<Part, int[]> now = loadsNow();
    PlacementBuilder builder = new PlacementBuilder(wanted(), perPlace, maxCounted, maxTried);
    Optional<List<Placement>> configs = builder.all(root);
    if (configs.isPresent()) {
      List<NicPlacement> all =
          configs.get().stream()
              .map(config -> placement(now, loads(config), config.equal()))
              .toList();
      return all(all, limit);
    }
    // One more tells whether there are more.
    List<NicPlacement> found = walked(now, Math.max(limit, limit + 1));
    return found.size() <= limit
        ? all(found, limit)
        : new PlacementSelection(
            found.subList(0, limit), Math.max(limit, builder.isOver() ? maxCounted : 0), 0, false);
  }

  private static PlacementSelection all(List<NicPlacement> all, int limit) {
    List<NicPlacement> nearest =
        all.stream()
            .sorted(Comparator.comparingInt(NicPlacement::movedCards))
            .limit(limit)
            .toList();
    long ways = all.stream().mapToLong(NicPlacement::equalPlacements).sum();
    return new PlacementSelection(nearest, all.size(), ways, true);
  }

  private int[] wanted() {
    int[] wanted = new int[nKinds];
    for (int kind : kindOf) {
      wanted[kind]++;
    }
    return wanted;
  }

  private NicPlacement placement(Map<Part, int[]> now, Map<Part, int[]> loads, long equal) {
    return seating.placement(symmetry.nearest(now, loads), equal);
  }

  private Map<Part, int[]> loads(Placement config) {
    Map<Part, int[]> loads = new IdentityHashMap<>();
    for (int p = 0; p < places.size(); p++) {
      loads.put(places.get(p), config.loads().get(p));
    }
    return loads;
  }

  private List<NicPlacement> walked(Map<Part, int[]> now, int limit) {
    return new PlacementWalk(symmetry, places, perPlace, now, limit)
        .from(fitted()).stream()
            .map(loads -> placement(now, loads, symmetry.equal(loads)))
            .toList();
  }

  /** How the machine is now, cards that may not stay at the first places with room. */
  private Map<Part, int[]> fitted() {
    Map<Part, int[]> fitted = new IdentityHashMap<>();
    places.forEach(place -> fitted.put(place, new int[nKinds]));
    List<Integer> homeless = new ArrayList<>();
    for (int c = 0; c < cards.size(); c++) {
      int[] load = fitted.get(placeNow.get(c));
      if (load == null || Placement.sum(load) == perPlace) {
        homeless.add(c);
      } else {
        load[kindOf[c]]++;
      }
    }
    for (int c : homeless) {
      placesInFile.stream()
          .filter(place -> Placement.sum(fitted.getOrDefault(place, new int[0])) < perPlace)
          .findFirst()
          .ifPresent(place -> fitted.getOrDefault(place, new int[nKinds])[kindOf[c]]++);
    }
    return fitted;
  }

  private Map<Part, int[]> loadsNow() {
    Map<Part, int[]> loads = new IdentityHashMap<>();
    places.forEach(place -> loads.put(place, new int[nKinds]));
    for (int c = 0; c < cards.size(); c++) {
      int[] load = loads.get(placeNow.get(c));
      if (load != null) {
        load[kindOf[c]]++;
      }
    }
    return loads;
  }
}
