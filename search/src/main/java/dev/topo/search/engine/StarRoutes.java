package dev.topo.search.engine;

/**
 * The routes of a channel that one GPU leads and all others join at once: through the NVSwitch, or
 * to and from its head ({@code ncclTopoSearchTryNvls} and {@code ncclTopoSearchTryCollnetDirect},
 * {@code nccl:src/graph/search.cc}).
 */
final class StarRoutes {
  private final SearchSpace space;
  private final RouteTaker routes;

  StarRoutes(SearchSpace space, RouteTaker routes) {
    this.space = space;
    this.routes = routes;
  }

  /**
   * Every GPU sends to the switch and receives from it once, the head twice. What is taken is given
   * back afterwards.
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
   * The head exchanges an equal part with every GPU. What is taken is given back afterwards.
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
