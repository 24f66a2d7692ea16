package dev.topo.search.engine;

import dev.topo.search.path.LinkTable;
import dev.topo.search.rules.SearchRules;

/**
 * The bandwidth that is left on each link while channels take from it and give back. NCCL rounds to
 * thousandths after every change and goes on with the rounded numbers, through all searches of a
 * node; so does this. Mutable, for one node.
 */
final class BandwidthLedger {
  private final SearchRules rules;
  private final float[] left;
  private int blocked = -1;

  BandwidthLedger(LinkTable links, SearchRules rules) {
    this.rules = rules;
    left = new float[links.size()];
    for (int l = 0; l < left.length; l++) {
      left[l] = links.bwGBps(l);
    }
  }

  /** The bandwidth left on each link in GB/s. */
  float[] left() {
    return left.clone();
  }

  /** The bandwidth that is left on a link, in GB/s. */
  float left(int link) {
    return left[link];
  }

  /** The link that had too little the last time that {@link #take} took nothing. */
  int blocked() {
    return blocked;
  }

  /**
   * Takes bandwidth from every link of a route; takes nothing and returns false where one has too
   * little.
   */
  boolean take(PathRoute route, float bw) {
    int taken = follow(route, route.links.length, bw);
    if (taken == route.links.length) {
      return true;
    }
    follow(route, taken, -bw);
    blocked = route.links[taken];
    return false;
  }

  /**
   * Takes from the first links of a route until one has too little; returns how many it took from.
   */
  private int follow(PathRoute route, int steps, float bw) {
    float pciBw = route.intelOverhead ? rules.withIntelOverhead(bw) : bw;
    for (int i = 0; i < steps; i++) {
      int link = route.links[i];
      float forth = route.pci[i] ? pciBw : bw;
      int back = route.back[i];
      if (back < 0) {
        if (left[link] < forth) {
          return i;
        }
        left[link] = rounded(left[link] - forth);
      } else {
        float backBw = forth / route.backDivisor[i];
        if (left[link] < forth || (backBw != 0 && left[back] < backBw)) {
          return i;
        }
        left[link] = rounded(left[link] - forth);
        if (backBw != 0) {
          left[back] = rounded(left[back] - backBw);
        }
      }
    }
    return steps;
  }

  /** To thousandths, halves away from zero, in single precision as C's {@code roundf}. */
  private static float rounded(float bw) {
    float thousandths = bw * 1000;
    float whole =
        thousandths < 0 ? -(float) (long) (0.5 - thousandths) : (float) (long) (thousandths + 0.5);
    return whole / 1000;
  }
}
