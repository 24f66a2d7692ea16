package dev.topo.simulator.packing;

/** Costs of the parts of channels at given prices of links, in arrays that each update reuses. */
final class SpaceCosts {
  final int gpus;
  final int ports;

  /** Price of a hop by sending and receiving GPU. */
  final double[] step;

  /** Price of the first GPU by port and GPU. */
  final double[] first;

  final double[] second;
  final double[] last;

  private final ChannelSpace space;

  SpaceCosts(ChannelSpace space) {
    this.space = space;
    this.gpus = space.gpus();
    this.ports = space.ports();
    this.step = new double[gpus * gpus];
    this.first = new double[ports * gpus];
    this.second = new double[ports * gpus];
    this.last = new double[ports * gpus];
  }

  /** Recomputes all costs for given prices of the links. */
  void update(double[] prices) {
    for (int a = 0; a < gpus; a++) {
      for (int b = 0; b < gpus; b++) {
        step[a * gpus + b] = a == b ? 0 : space.step(a, b, prices);
      }
      for (int p = 0; p < ports; p++) {
        first[p * gpus + a] = space.first(p, a, prices);
        second[p * gpus + a] = space.second(p, a, prices);
        last[p * gpus + a] = space.last(p, a, prices);
      }
    }
  }
}
