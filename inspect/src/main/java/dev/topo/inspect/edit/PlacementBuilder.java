package dev.topo.inspect.edit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Builds all ways to put cards at a site, those that are equal by symmetry once. A way at a part of
 * the machine is kept only where the cards that are left fit elsewhere: it is part of a way for all
 * cards then, so that many of the parts are a proof of many of the whole. Used once.
 */
final class PlacementBuilder {
  private final int[] wanted;
  private final int nCards;
  private final int perPlace;
  private final int limit;
  private final int maxTried;
  private int nPlaces;
  private int nTried;
  private boolean isOver;

  /**
   * A builder.
   *
   * @param wanted cards of each kind
   * @param perPlace most cards at a place
   * @param limit most results
   * @param maxTried most combinations to look at, also those that come to nothing
   */
  PlacementBuilder(int[] wanted, int perPlace, int limit, int maxTried) {
    this.wanted = wanted.clone();
    this.nCards = Placement.sum(wanted);
    this.perPlace = perPlace;
    this.limit = limit;
    this.maxTried = maxTried;
  }

  /**
   * The ways to put all cards at the places of a machine; empty if there are more than the limit or
   * if that cannot be said with so few tries.
   */
  Optional<List<Placement>> all(SlotTree root) {
    nPlaces = root.places().size();
    List<Placement> configs = configs(root, 1);
    return isStopped() ? Optional.empty() : Optional.of(configs);
  }

  /** Whether there are more than the limit. */
  boolean isOver() {
    return isOver;
  }

  private boolean isStopped() {
    return isOver || nTried > maxTried;
  }

  /**
   * The ways to put some of the cards at a site.
   *
   * @param sites number of sites of the machine that are equal to it
   */
  private List<Placement> configs(SlotTree site, int sites) {
    List<Placement> configs = new ArrayList<>();
    if (site.isPlace()) {
      own(0, perPlace, new int[wanted.length], configs, sites);
    } else {
      configs.add(empty());
    }
    for (List<SlotTree> group : site.groups()) {
      ByTotal ofMember = ByTotal.of(configs(group.get(0), sites * group.size()));
      List<Placement> ofGroup = new ArrayList<>();
      multisets(ofMember, group.size(), 0, new Begun(empty(), 0, 0), ofGroup, sites);
      configs = combined(configs, ByTotal.of(ofGroup), sites);
    }
    return configs;
  }

  private Placement empty() {
    return new Placement(List.of(), new int[wanted.length], 1);
  }

  private void own(int kind, int left, int[] load, List<Placement> into, int sites) {
    nTried++;
    if (kind == load.length) {
      Placement config = new Placement(List.of(load.clone()), load.clone(), 1);
      if (isPossible(empty(), config, 1)) {
        add(config, into, sites);
      }
      return;
    }
    for (int n = Math.min(left, wanted[kind]); n >= 0 && !isStopped(); n--) {
      load[kind] = n;
      own(kind + 1, left - n, load, into, sites);
    }
    load[kind] = 0;
  }

  /**
   * Members of a group that have their cards.
   *
   * @param config what they have
   * @param members how many they are
   * @param run how many of them, at the end, have the same
   */
  private record Begun(Placement config, int members, int run) {}

  /**
   * Adds each multiset of a size once, as a sequence of configs that never goes back in the list.
   *
   * @param from the config that was taken last
   */
  private void multisets(
      ByTotal of, int left, int from, Begun begun, List<Placement> into, int sites) {
    if (left == 0) {
      add(begun.config, into, sites);
      return;
    }
    int i = from;
    while (i < of.configs.size() && !isStopped()) {
      Placement member = of.configs.get(i);
      if (isPossible(begun.config, member, left)) {
        int run = i == from ? begun.run + 1 : 1;
        int members = begun.members + 1;
        // n!/(n1! n2! …), factor by factor: the members so far over the length of the run.
        long equal = begun.config.equal() * member.equal() * members / run;
        Placement next = join(begun.config, member, equal);
        multisets(of, left - 1, i, new Begun(next, members, run), into, sites);
        i++;
      } else {
        i = of.next[i];
      }
    }
  }

  private List<Placement> combined(List<Placement> first, ByTotal second, int sites) {
    List<Placement> all = new ArrayList<>();
    for (Placement a : first) {
      int i = 0;
      while (i < second.configs.size() && !isStopped()) {
        Placement b = second.configs.get(i);
        if (isPossible(a, b, 1)) {
          add(join(a, b, a.equal() * b.equal()), all, sites);
          i++;
        } else {
          i = second.next[i];
        }
      }
    }
    return all;
  }

  /**
   * Adds a way at a site. Each way at the whole machine has one for each of the equal sites, so
   * that it holds at most as many different ones as there are sites.
   */
  private void add(Placement config, List<Placement> into, int sites) {
    into.add(config);
    isOver |= into.size() > (long) limit * sites;
  }

  private static Placement join(Placement a, Placement b, long equal) {
    List<int[]> loads = new ArrayList<>(a.loads());
    loads.addAll(b.loads());
    int[] total = a.total().clone();
    for (int kind = 0; kind < total.length; kind++) {
      total[kind] += b.total()[kind];
    }
    return new Placement(loads, total, equal);
  }

  /**
   * Whether two ways together take no more cards than there are and leave no more than fit
   * elsewhere.
   *
   * @param times how many parts are to get the cards of {@code b}, or fewer
   */
  private boolean isPossible(Placement a, Placement b, int times) {
    nTried++;
    int cards = 0;
    for (int kind = 0; kind < wanted.length; kind++) {
      if (a.total()[kind] + b.total()[kind] > wanted[kind]) {
        return false;
      }
      cards += a.total()[kind] + times * b.total()[kind];
    }
    int placesElsewhere = nPlaces - a.loads().size() - times * b.loads().size();
    return nCards - cards <= placesElsewhere * perPlace;
  }

  /**
   * Ways at a site, those with the same totals together, as all or none of them fit; fuller ones
   * first.
   *
   * @param next for each the index of the first after it that has other totals
   */
  private record ByTotal(List<Placement> configs, int[] next) {
    private static final Comparator<Placement> ORDER =
        Comparator.comparingInt(Placement::cards).thenComparing(Placement::total, Arrays::compare);

    static ByTotal of(List<Placement> configs) {
      List<Placement> sorted = configs.stream().sorted(ORDER.reversed()).toList();
      int[] next = new int[sorted.size()];
      for (int i = sorted.size() - 1; i >= 0; i--) {
        boolean isLast = i + 1 == sorted.size();
        boolean isSame = !isLast && sorted.get(i + 1).isTotal(sorted.get(i).total());
        next[i] = isSame ? next[i + 1] : i + 1;
      }
      return new ByTotal(sorted, next);
    }
  }
}
