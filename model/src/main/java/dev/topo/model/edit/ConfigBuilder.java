package dev.topo.model.edit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Builds all ways to put cards at a site, those that are equal by symmetry once. Used once. */
final class ConfigBuilder {
  /** Ways at parts of a machine can be more than at the whole, where all cards must be used. */
  private static final int PARTS_TO_WHOLE = 20;

  private final int[] wanted;
  private final int perPlace;
  private final int limit;

  /** There are more than wanted: no use to go on. */
  private boolean isOver;

  /**
   * A builder.
   *
   * @param wanted cards of each kind
   * @param perPlace most cards at a place
   * @param limit most results
   */
  ConfigBuilder(int[] wanted, int perPlace, int limit) {
    this.wanted = wanted.clone();
    this.perPlace = perPlace;
    this.limit = limit;
  }

  /** The ways to put all cards at the places of a machine; empty if there are more than wanted. */
  Optional<List<Config>> all(Site root) {
    List<Config> configs = configs(root).stream().filter(config -> config.isTotal(wanted)).toList();
    return isOver || configs.size() > limit ? Optional.empty() : Optional.of(configs);
  }

  /** The ways to put at most the wanted cards at a site, fuller ones first. */
  private List<Config> configs(Site site) {
    List<Config> configs = new ArrayList<>();
    if (site.isPlace()) {
      own(0, perPlace, new int[wanted.length], configs);
    } else {
      configs.add(new Config(List.of(), new int[wanted.length], 1));
    }
    for (List<Site> group : site.groups()) {
      List<Config> ofMember = configs(group.get(0));
      List<Config> ofGroup = new ArrayList<>();
      multisets(ofMember, group.size(), 0, 0, empty(), ofGroup);
      configs = combined(configs, ofGroup);
    }
    configs.sort(Comparator.comparingInt(Config::cards).reversed());
    return configs;
  }

  private Config empty() {
    return new Config(List.of(), new int[wanted.length], 1);
  }

  private void own(int kind, int left, int[] load, List<Config> into) {
    if (kind == load.length) {
      into.add(new Config(List.of(load.clone()), load.clone(), 1));
      return;
    }
    for (int n = Math.min(left, wanted[kind]); n >= 0; n--) {
      load[kind] = n;
      own(kind + 1, left - n, load, into);
    }
    load[kind] = 0;
  }

  /**
   * Adds each multiset of a size once, as a sequence of configs that never goes back in the list.
   *
   * @param from the config that was taken last
   * @param run how often it was taken at the end of the sequence
   */
  private void multisets(
      List<Config> of, int left, int from, int run, Config begun, List<Config> into) {
    if (left == 0) {
      into.add(begun);
      check(into);
      return;
    }
    for (int i = from; i < of.size() && !isOver; i++) {
      int newRun = i == from ? run + 1 : 1;
      Config next = join(begun, of.get(i));
      if (fits(next)) {
        // n!/(n1! n2! …), factor by factor: the members so far over the length of the run.
        int members = membersOf(begun, of) + 1;
        long equal = next.equal() * members / newRun;
        multisets(of, left - 1, i, newRun, new Config(next.loads(), next.total(), equal), into);
      }
    }
  }

  private static int membersOf(Config config, List<Config> of) {
    int placesEach = of.get(0).loads().size();
    return placesEach == 0 ? 0 : config.loads().size() / placesEach;
  }

  private List<Config> combined(List<Config> first, List<Config> second) {
    List<Config> all = new ArrayList<>();
    for (Config a : first) {
      for (Config b : second) {
        Config joined = join(a, b);
        if (fits(joined)) {
          all.add(joined);
          check(all);
        }
        if (isOver) {
          return all;
        }
      }
    }
    return all;
  }

  private void check(List<Config> configs) {
    if (configs.size() > limit * PARTS_TO_WHOLE) {
      isOver = true;
    }
  }

  private static Config join(Config a, Config b) {
    List<int[]> loads = new ArrayList<>(a.loads());
    loads.addAll(b.loads());
    int[] total = a.total().clone();
    for (int kind = 0; kind < total.length; kind++) {
      total[kind] += b.total()[kind];
    }
    return new Config(loads, total, a.equal() * b.equal());
  }

  private boolean fits(Config config) {
    for (int kind = 0; kind < wanted.length; kind++) {
      if (config.total()[kind] > wanted[kind]) {
        return false;
      }
    }
    return true;
  }
}
