package dev.topo.model.edit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Goes from one way to place cards to others, one card at a time: those with the fewest moved cards
 * come first, ways that are equal by symmetry once. For machines with more ways than can be listed.
 * A way with k moved cards is one move away from a way with k - 1, so that no nearer one is missed.
 */
final class PlacementWalk {
  private final SiteSymmetry symmetry;
  private final List<Part> places;
  private final int perPlace;
  private final Set<String> seen = new HashSet<>();

  /**
   * A walk.
   *
   * @param places where cards may go
   * @param perPlace most cards at a place
   */
  PlacementWalk(SiteSymmetry symmetry, List<Part> places, int perPlace) {
    this.symmetry = symmetry;
    this.places = places;
    this.perPlace = perPlace;
  }

  /** The first {@code limit} ways from {@code start}, that one first. To be called once. */
  List<Map<Part, int[]>> from(Map<Part, int[]> start, int limit) {
    List<Map<Part, int[]>> found = new ArrayList<>();
    addNew(start, found);
    for (int i = 0; i < found.size() && found.size() < limit; i++) {
      step(found.get(i), found, limit);
    }
    return found;
  }

  /** Adds what one move makes of a way. */
  private void step(Map<Part, int[]> way, List<Map<Part, int[]>> into, int limit) {
    for (Part from : places) {
      for (int kind = 0; kind < load(way, from).length; kind++) {
        if (load(way, from)[kind] == 0) {
          continue;
        }
        for (Part to : places) {
          if (to == from || sum(load(way, to)) == perPlace) {
            continue;
          }
          Map<Part, int[]> next = new IdentityHashMap<>(way);
          next.put(from, changed(load(way, from), kind, -1));
          next.put(to, changed(load(way, to), kind, 1));
          addNew(next, into);
          if (into.size() == limit) {
            return;
          }
        }
      }
    }
  }

  private void addNew(Map<Part, int[]> way, List<Map<Part, int[]>> into) {
    if (seen.add(symmetry.signature(way))) {
      into.add(way);
    }
  }

  private static int[] load(Map<Part, int[]> way, Part place) {
    return way.getOrDefault(place, new int[0]);
  }

  private static int[] changed(int[] load, int kind, int by) {
    int[] changed = load.clone();
    changed[kind] += by;
    return changed;
  }

  private static int sum(int[] numbers) {
    int sum = 0;
    for (int n : numbers) {
      sum += n;
    }
    return sum;
  }
}
