package dev.topo.search.engine;

import dev.topo.model.PathType;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.rules.PathRules;

/**
 * Takes bandwidth along routes for the channels of a search and counts their hops ({@code
 * ncclTopoFollowPath}, {@code nccl:src/graph/search.cc}).
 */
final class RouteTaker {
  private final BandwidthLedger ledger;
  private final boolean goesOnWithoutPath;
  private final PathRules paths;
  private Constraints constraints;
  private int farthestIntra;
  private int farthestInter;
  private GraphKind kind = GraphKind.RING;
  private SearchMonitor monitor = SearchMonitor.NONE;
  private boolean observesObstacles;
  private int hops;

  RouteTaker(BandwidthLedger ledger, SearchSpace space, Constraints constraints) {
    this.ledger = ledger;
    this.goesOnWithoutPath = space.rules.goesOnWithoutPath;
    this.paths = space.pathRules;
    this.constraints = constraints;
  }

  void begin(GraphKind graphKind, Constraints attempt, SearchMonitor watcher) {
    kind = graphKind;
    constraints = attempt;
    farthestIntra = paths.number(attempt.typeIntra());
    farthestInter = paths.number(attempt.typeInter());
    monitor = watcher;
    observesObstacles = watcher.observesObstacles();
  }

  /** Counts on from a number of hops; what routes add or take is cut to whole numbers. */
  void countFrom(int number) {
    hops = number;
  }

  /** Hops of all routes that are taken. */
  int hops() {
    return hops;
  }

  /** Takes a multiple of the bandwidth of a channel inside the node. */
  boolean takeInside(PathRoute route, PathRoute back, float multiple) {
    return take(route, back, farthestIntra, constraints.bwIntra(), multiple);
  }

  void giveBackInside(PathRoute route, float multiple) {
    giveBack(route, constraints.bwIntra(), multiple);
  }

  /** Takes some bandwidth between a GPU and a port, in GB/s. */
  boolean takeToPort(PathRoute route, PathRoute back, float bw) {
    return take(route, back, farthestInter, bw, 1);
  }

  void giveBackToPort(PathRoute route, float bw) {
    giveBack(route, bw, 1);
  }

  /**
   * Takes bandwidth along a route if it is near enough and has enough. Distance counts for whole
   * multiples only, as in NCCL; for trees also that of the path back.
   */
  private boolean take(PathRoute route, PathRoute back, int farthest, float bw, float multiple) {
    if (route.type == PathType.DIS && !goesOnWithoutPath) {
      return false;
    }
    if (multiple == 1) {
      if (route.typeNumber > farthest) {
        if (observesObstacles) {
          monitor.tooFar(kind, route.type);
        }
        return false;
      }
      if (constraints.pattern().isTree() && back.typeNumber > farthest) {
        return false;
      }
    }
    if (!ledger.take(route, bw * multiple)) {
      if (observesObstacles) {
        monitor.blocked(kind, ledger.blocked());
      }
      return false;
    }
    hops = (int) (hops + multiple * route.hops());
    return true;
  }

  private void giveBack(PathRoute route, float bw, float multiple) {
    ledger.take(route, bw * -multiple);
    hops = (int) (hops - multiple * route.hops());
  }
}
