package dev.topo.simulator.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds a cheap channel for many GPUs by local search (Or-opt; Or, 1976). Starting from the given
 * order and several nearest-neighbour orders, it moves up to three consecutive GPUs elsewhere, also
 * in reverse, as long as that is cheaper.
 */
final class LocalOrders implements ChannelOracle {
  private static final int STARTS = 4;

  private static final int LONGEST_MOVE = 3;

  /** Least relative saving of a move; guards against endless moves due to rounding. */
  private static final double LEAST_GAIN = 1e-12;

  private final ChannelSpace space;
  private final PortRule portChoice;
  private final SpaceCosts costs;
  private final int gpus;
  private final int ports;

  LocalOrders(ChannelSpace space, PortRule portChoice) {
    this.space = space;
    this.portChoice = portChoice;
    this.costs = new SpaceCosts(space);
    this.gpus = space.gpus();
    this.ports = space.ports();
  }

  @Override
  public boolean isExact() {
    return false;
  }

  @Override
  public long steps() {
    return (long) STARTS * LONGEST_MOVE * 2 * gpus * gpus * (gpus + ports) * 4;
  }

  @Override
  public Answer cheapest(double[] prices) {
    costs.update(prices);
    if (portChoice == PortRule.SAME) {
      Laid laid = best(-1, -1);
      return new Answer(List.of(laid.placed()), laid.cost);
    }
    Laid forth = best(-1, -1);
    Laid back = best(forth.out, forth.in);
    return new Answer(List.of(forth.placed(), back.placed()), (forth.cost + back.cost) / 2);
  }

  private record Laid(int[] order, int in, int out, double cost) {
    PlacedChannel placed() {
      return new PlacedChannel(Arrays.stream(order).boxed().toList(), in, out);
    }
  }

  /** Finds the best order between two ports; -1 means any port. */
  private Laid best(int in, int out) {
    List<int[]> starts = new ArrayList<>();
    int[] inFileOrder = new int[gpus];
    Arrays.setAll(inFileOrder, i -> i);
    starts.add(inFileOrder);
    for (int start = 1; start < STARTS; start++) {
      starts.add(nearestNext(start * gpus / STARTS));
    }
    Laid best = improved(starts.get(0), in, out);
    for (int[] start : starts.subList(1, starts.size())) {
      Laid laid = improved(start, in, out);
      best = laid.cost < best.cost ? laid : best;
    }
    return best;
  }

  private int[] nearestNext(int start) {
    int[] order = new int[gpus];
    boolean[] used = new boolean[gpus];
    order[0] = start;
    used[start] = true;
    for (int i = 1; i < gpus; i++) {
      int from = order[i - 1] * gpus;
      int nearest = -1;
      for (int next = 0; next < gpus; next++) {
        if (!used[next] && (nearest < 0 || costs.step[from + next] < costs.step[from + nearest])) {
          nearest = next;
        }
      }
      order[i] = nearest;
      used[nearest] = true;
    }
    return order;
  }

  private Laid improved(int[] order, int in, int out) {
    Laid best = laid(order, in, out);
    boolean better = true;
    while (better) {
      better = false;
      for (int length = 1; length <= Math.min(LONGEST_MOVE, gpus - 1); length++) {
        for (int from = 0; from + length <= gpus; from++) {
          Laid moved = bestMove(best, from, length, in, out);
          better |= moved != best;
          best = moved;
        }
      }
    }
    return best;
  }

  /** Finds the best place for some consecutive GPUs of an order. */
  private Laid bestMove(Laid current, int from, int length, int in, int out) {
    Laid best = current;
    for (int to = 0; to + length <= gpus; to++) {
      for (int reversed = 0; reversed < Math.min(2, length); reversed++) {
        if (from != to || reversed == 1) {
          Laid moved = laid(moved(current.order, from, length, to, reversed == 1), in, out);
          best = moved.cost < best.cost * (1 - LEAST_GAIN) ? moved : best;
        }
      }
    }
    return best;
  }

  private int[] moved(int[] order, int from, int length, int to, boolean reversed) {
    int[] moved = new int[gpus];
    int source = 0;
    for (int i = 0; i < gpus; i++) {
      if (i >= to && i < to + length) {
        moved[i] = order[reversed ? from + length - 1 - (i - to) : from + i - to];
      } else {
        source = source == from ? from + length : source;
        moved[i] = order[source++];
      }
    }
    return moved;
  }

  private Laid laid(int[] order, int in, int out) {
    double cost = space.isClosed() ? costs.step[order[gpus - 1] * gpus + order[0]] : 0;
    for (int i = 1; i < gpus; i++) {
      cost += costs.step[order[i - 1] * gpus + order[i]];
    }
    if (in >= 0) {
      return new Laid(order, in, out, cost + atFirst(order, in, out) + atLast(order, out));
    }
    return portChoice == PortRule.SAME ? bySamePort(order, cost) : byTwoPorts(order, cost);
  }

  private Laid bySamePort(int[] order, double cost) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int p = 0; p < ports; p++) {
      double costOfPort = atFirst(order, p, p) + atLast(order, p);
      if (costOfPort < least) {
        least = costOfPort;
        best = p;
      }
    }
    return new Laid(order, best, best, cost + least);
  }

  private Laid byTwoPorts(int[] order, double cost) {
    int in = 0;
    int out = 0;
    for (int p = 1; p < ports; p++) {
      in = atFirst(order, p, out) < atFirst(order, in, out) ? p : in;
      out = atLast(order, p) < atLast(order, out) ? p : out;
    }
    return new Laid(order, in, out, cost + atFirst(order, in, out) + atLast(order, out));
  }

  private double atFirst(int[] order, int in, int out) {
    return costs.first[in * gpus + order[0]] + costs.second[out * gpus + order[1]];
  }

  private double atLast(int[] order, int out) {
    return costs.last[out * gpus + order[gpus - 1]];
  }
}
