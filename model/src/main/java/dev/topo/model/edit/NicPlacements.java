package dev.topo.model.edit;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.settings.SettingException;
import dev.topo.model.xml.XmlDocument;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * All ways to distribute the network cards of a machine over its switches, those that are equal by
 * symmetry once. Cards may go where a GPU or a card is now and below switches that hold nothing.
 *
 * <p>Placements are built from the leaves up: those of a switch from those of what is below, and
 * for equal switches as multisets, so that no two equal ones are ever made. The work is
 * proportional to the number of results. Used once.
 */
public final class NicPlacements {
  /** More than can be tried in minutes. */
  private static final int MAX_PLACEMENTS = 20_000;

  /** Cards at a place, unless the machine has more at one now. */
  private static final int USUAL_CARDS = 2;

  private final SourceLocation source;
  private final Part system;
  private final List<Part> cards;
  private final List<Part> placeNow = new ArrayList<>();
  private final List<String> classOf = new ArrayList<>();
  private final List<String> classes;
  private final Site root;
  private final List<Part> places;
  private final int perPlace;

  /**
   * The placements of the cards of a machine.
   *
   * @param perPlace most cards at a place; if empty 2, or as many as one place holds now
   * @throws TopologyFormatException if the machine has no network card on PCI
   */
  public NicPlacements(XmlDocument document, OptionalInt perPlace) {
    this.source = document.root().location();
    this.system = Part.of(document.root());
    this.cards =
        system.all("nic").stream().map(Part::device).filter(card -> card.is("pci")).toList();
    if (cards.isEmpty()) {
      throw new TopologyFormatException(source, "<system>: has no network card to place");
    }
    Map<Part, Integer> held = new IdentityHashMap<>();
    for (Part card : cards) {
      Part place = card.parent().orElseThrow();
      placeNow.add(place);
      held.merge(place, 1, Integer::sum);
      classOf.add(Site.key(card, Set.of()));
    }
    this.classes = classOf.stream().distinct().toList();
    cards.forEach(Part::detach);
    Set<Part> found = new LinkedHashSet<>();
    system.walk(
        part -> {
          boolean holds = held.containsKey(part) || holdsGpu(part);
          if ((part.is("cpu") && holds) || (part.isSwitch() && (holds || isLeaf(part)))) {
            found.add(part);
          }
        });
    this.root = Site.of(system, found);
    this.places = root.places();
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

  /**
   * The placements, the one that the machine has now first.
   *
   * @throws SettingException if there are too many to try
   */
  public List<Placement> all() {
    int[] wanted = new int[classes.size()];
    classOf.forEach(name -> wanted[classes.indexOf(name)]++);
    List<Config> configs =
        new ConfigBuilder(wanted, perPlace, MAX_PLACEMENTS)
            .configs(root).stream().filter(config -> config.isTotal(wanted)).toList();
    if (configs.size() > MAX_PLACEMENTS) {
      throw ConfigBuilder.tooMany(MAX_PLACEMENTS);
    }
    if (configs.isEmpty()) {
      throw new SettingException(
          cards.size()
              + " network cards do not fit into "
              + places.size()
              + " places of "
              + perPlace
              + " each, expected a larger --per-switch");
    }
    String present = signature(root, loadsNow());
    List<Placement> placements = new ArrayList<>();
    for (Config config : configs) {
      Map<Part, int[]> loads = new IdentityHashMap<>();
      for (int p = 0; p < places.size(); p++) {
        loads.put(places.get(p), config.loads().get(p));
      }
      boolean isPresent = signature(root, loads).equals(present);
      placements.add(placement(isPresent ? loadsNow() : loads, config.equal()));
    }
    placements.sort(Comparator.comparing(placement -> !placement.isPresent()));
    return placements;
  }

  private Map<Part, int[]> loadsNow() {
    Map<Part, int[]> loads = new IdentityHashMap<>();
    places.forEach(place -> loads.put(place, new int[classes.size()]));
    for (int c = 0; c < cards.size(); c++) {
      int[] load = loads.get(placeNow.get(c));
      if (load != null) {
        load[classes.indexOf(classOf.get(c))]++;
      }
    }
    return loads;
  }

  /** The same for placements that are equal by symmetry. */
  private static String signature(Site site, Map<Part, int[]> loads) {
    StringBuilder text = new StringBuilder();
    int[] own = loads.get(site.part());
    if (own != null) {
      for (int n : own) {
        text.append(n).append(' ');
      }
    }
    for (List<Site> group : site.groups()) {
      text.append(group.stream().map(member -> signature(member, loads)).sorted().toList());
    }
    return text.toString();
  }

  private Placement placement(Map<Part, int[]> target, long equal) {
    List<Part> inFile = new ArrayList<>();
    system.walk(
        part -> {
          if (target.containsKey(part)) {
            inFile.add(part);
          }
        });
    List<Placement.Load> loads = new ArrayList<>();
    for (Part place : inFile) {
      loads.add(new Placement.Load(cpu(place), name(place), sum(load(target, place))));
    }
    return new Placement(loads, moves(inFile, target), equal);
  }

  private static int[] load(Map<Part, int[]> loads, Part place) {
    int[] load = loads.get(place);
    return load == null ? new int[0] : load;
  }

  private static int sum(int[] numbers) {
    int sum = 0;
    for (int n : numbers) {
      sum += n;
    }
    return sum;
  }

  /** Moves as few cards as possible, the first of those that are too many to the first place. */
  private List<Edit> moves(List<Part> inFile, Map<Part, int[]> target) {
    Map<Part, int[]> free = new IdentityHashMap<>();
    target.forEach((place, load) -> free.put(place, load.clone()));
    List<Integer> surplus = new ArrayList<>();
    for (int c = 0; c < cards.size(); c++) {
      int[] load = load(free, placeNow.get(c));
      int kind = classes.indexOf(classOf.get(c));
      if (load.length > 0 && load[kind] > 0) {
        load[kind]--;
      } else {
        surplus.add(c);
      }
    }
    Map<String, List<Selector>> moved = new LinkedHashMap<>();
    for (Part place : inFile) {
      int[] load = load(free, place);
      for (int c : List.copyOf(surplus)) {
        int kind = classes.indexOf(classOf.get(c));
        if (load[kind] > 0) {
          load[kind]--;
          surplus.remove((Object) c);
          moved.computeIfAbsent(name(place), key -> new ArrayList<>()).add(card(cards.get(c)));
        }
      }
    }
    List<Edit> edits = new ArrayList<>();
    moved.forEach(
        (place, what) -> edits.add(new Edit.Move(what, Selector.parse(place, source), source)));
    return edits;
  }

  private Selector card(Part card) {
    String name = card.all("net").stream().map(net -> net.attribute("name")).findFirst().orElse("");
    long same =
        cards.stream()
            .flatMap(other -> other.all("net").stream())
            .filter(net -> net.attribute("name").equals(name))
            .count();
    boolean isName = same == 1 && !name.isEmpty() && name.matches("[^*:;#\\s]+");
    return new Selector(Selector.Kind.NIC, isName ? name : card.attribute("busid"), source);
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
