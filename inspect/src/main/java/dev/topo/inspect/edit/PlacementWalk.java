package dev.topo.inspect.edit;

import dev.topo.model.xml.XmlTreeNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Goes from one way to place cards to others: a card moves to a place with room, or two cards of
 * different kinds change places. Those with the fewest cards that are elsewhere now come first, of
 * them those that are found first; ways that are equal by symmetry come once. For machines with
 * more ways than can be listed.
 *
 * <p>None is missed: from each way a step leads to one with fewer cards elsewhere, until no more
 * can stay, and among those that move the fewest steps lead from each to each. So the ways with up
 * to k moved cards are all found on the way over such.
 */
final class PlacementWalk {
  private final SlotSymmetry symmetry;
  private final List<XmlTreeNode> places;
  private final int perPlace;
  private final Map<XmlTreeNode, int[]> now;
  private final int limit;
  private final Set<String> seen = new HashSet<>();

  /** Ways that were found, by the number of cards that stay. */
  private final List<List<Map<XmlTreeNode, int[]>>> byStaying = new ArrayList<>();

  /**
   * A walk.
   *
   * @param places where cards may go
   * @param perPlace most cards at a place
   * @param now what they hold now, which may be more
   * @param limit most ways to find
   */
  PlacementWalk(
      SlotSymmetry symmetry, List<XmlTreeNode> places, int perPlace, Map<XmlTreeNode, int[]> now, int limit) {
    this.symmetry = symmetry;
    this.places = places;
    this.perPlace = perPlace;
    this.now = now;
    this.limit = limit;
  }

  /** The first ways, of which {@code start} leaves as many cards as can stay. To be called once. */
  List<Map<XmlTreeNode, int[]>> from(Map<XmlTreeNode, int[]> start) {
    int most = symmetry.staying(now, start);
    for (int stay = 0; stay <= most; stay++) {
      byStaying.add(new ArrayList<>());
    }
    addNew(start);
    List<Map<XmlTreeNode, int[]>> found = new ArrayList<>();
    for (int stay = most; stay >= 0 && found.size() < limit; stay--) {
      List<Map<XmlTreeNode, int[]>> ways = byStaying.get(stay);
      // Ways of the same number are added on the way.
      for (int i = 0; i < ways.size() && found.size() + ways.size() < limit; i++) {
        step(ways.get(i));
      }
      found.addAll(ways);
    }
    return found.size() > limit ? found.subList(0, limit) : found;
  }

  /** Finds what one step makes of a way. */
  private void step(Map<XmlTreeNode, int[]> way) {
    for (XmlTreeNode from : places) {
      for (int kind = 0; kind < load(way, from).length; kind++) {
        if (load(way, from)[kind] > 0) {
          for (XmlTreeNode to : places) {
            step(way, from, kind, to);
          }
        }
      }
    }
  }

  private void step(Map<XmlTreeNode, int[]> way, XmlTreeNode from, int kind, XmlTreeNode to) {
    if (to == from) {
      return;
    }
    if (Placement.sum(load(way, to)) < perPlace) {
      addNew(moved(way, from, kind, to));
    }
    // The other way round is the same exchange.
    for (int other = kind + 1; other < load(way, to).length; other++) {
      if (load(way, to)[other] > 0) {
        addNew(moved(moved(way, from, kind, to), to, other, from));
      }
    }
  }

  private void addNew(Map<XmlTreeNode, int[]> way) {
    if (seen.add(symmetry.signature(way))) {
      byStaying.get(symmetry.staying(now, way)).add(way);
    }
  }

  private static Map<XmlTreeNode, int[]> moved(Map<XmlTreeNode, int[]> way, XmlTreeNode from, int kind, XmlTreeNode to) {
    Map<XmlTreeNode, int[]> moved = new IdentityHashMap<>(way);
    moved.put(from, changed(load(way, from), kind, -1));
    moved.put(to, changed(load(way, to), kind, 1));
    return moved;
  }

  private static int[] load(Map<XmlTreeNode, int[]> way, XmlTreeNode place) {
    return way.getOrDefault(place, new int[0]);
  }

  private static int[] changed(int[] load, int kind, int by) {
    int[] changed = load.clone();
    changed[kind] += by;
    return changed;
  }
}
