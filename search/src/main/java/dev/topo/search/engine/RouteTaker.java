package dev.topo.search.engine;

import dev.topo.model.Link.PathType;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.engine.PathRoute.BandwidthLedger;
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

  /** Sets the hop count; later changes are truncated to whole numbers. */
  void countFrom(int number) {
    hops = number;
  }

  /** Total number of hops of the taken routes. */
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

  /** Takes the bandwidth {@code bw} in GB/s between a GPU and a port. */
  boolean takeToPort(PathRoute route, PathRoute back, float bw) {
    return take(route, back, farthestInter, bw, 1);
  }

  void giveBackToPort(PathRoute route, float bw) {
    giveBack(route, bw, 1);
  }

  /**
   * Takes bandwidth along a route if it is near enough and has enough left. Distance is checked for
   * a multiple of 1 only, as in NCCL; for trees also for the path back.
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

  /**
   * The routes of a channel with one GPU as head, which all others join at once: through the
   * NVSwitch, or to and from its head ({@code ncclTopoSearchTryNvls} and {@code
   * ncclTopoSearchTryCollnetDirect}, {@code nccl:src/graph/search.cc}).
   */
  record StarRoutes(SearchSpace space, RouteTaker routes) {
    /**
     * Every GPU sends to the switch and receives from it once, the head twice. All bandwidth is
     * given back afterwards.
     *
     * @param found runs if all routes have enough bandwidth
     */
    void throughSwitch(int head, Runnable found) {
      int down = takeAll(space.nvsToGpu, space.gpuToNvs, head);
      if (down == space.gpus) {
        int up = takeAll(space.gpuToNvs, space.nvsToGpu, head);
        if (up == space.gpus) {
          found.run();
        }
        giveBackAll(space.gpuToNvs, head, up);
      }
      giveBackAll(space.nvsToGpu, head, down);
    }

    private int takeAll(PathRoute[] forth, PathRoute[] reverse, int head) {
      int taken = 0;
      while (taken < space.gpus
          && routes.takeInside(forth[taken], reverse[taken], taken == head ? 2 : 1)) {
        taken++;
      }
      return taken;
    }

    private void giveBackAll(PathRoute[] forth, int head, int taken) {
      for (int g = taken - 1; g >= 0; g--) {
        routes.giveBackInside(forth[g], g == head ? 2 : 1);
      }
    }

    /**
     * The head exchanges an equal part with every GPU. All bandwidth is given back afterwards.
     *
     * @param found runs if all routes have enough bandwidth
     */
    void toHead(int head, Runnable found) {
      float share = (float) (1.0 / (float) (space.gpus - 1));
      int forth = 0;
      while (forth < space.gpus
          && routes.takeInside(space.gpuToGpu(head, forth), space.gpuToGpu(forth, head), share)) {
        forth++;
      }
      if (forth == space.gpus) {
        int back = 0;
        while (back < space.gpus
            && routes.takeInside(space.gpuToGpu(back, head), space.gpuToGpu(head, back), share)) {
          back++;
        }
        if (back == space.gpus) {
          found.run();
        }
        for (int g = back - 1; g >= 0; g--) {
          routes.giveBackInside(space.gpuToGpu(g, head), share);
        }
      }
      for (int g = forth - 1; g >= 0; g--) {
        routes.giveBackInside(space.gpuToGpu(head, g), share);
      }
    }
  }
}
