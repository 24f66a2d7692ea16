package dev.topo.simulator.flow;

import dev.topo.model.LinkType;

/**
 * A link and how many hops of channels go over it at the same time.
 *
 * @param type its type
 * @param from node where it begins, as an index into the machine that is there
 * @param to node where it ends
 * @param bwGBps what NCCL plans with for it, in GB/s
 * @param hops hops that share it
 */
public record BusyLink(LinkType type, int from, int to, float bwGBps, int hops) {

  /** Hops for each GB/s: what takes the longest is the busiest. */
  double load() {
    return hops / (double) bwGBps;
  }
}
