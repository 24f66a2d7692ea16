package dev.topo.simulator.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cheapest channel exactly: an asymmetric travelling salesman problem, solved by dynamic
 * programming over sets of GPUs (Held and Karp, 1962), in n² 2ⁿ steps for n GPUs. Rings between
 * nodes take as much for each first GPU, as both of their ends are at ports.
 */
final class ExactOrders implements ChannelOracle {
  /** Largest number of GPUs; an answer takes about a millisecond. */
  static final int MOST_GPUS = 11;

  private final ChannelSpace space;
  private final PortRule portChoice;
  private final SpaceCosts costs;
  private final int gpus;
  private final int ports;
  private final int allGpus;

  /** Cost of the cheapest order of a set of GPUs, by set (as bits) and last GPU. */
  private final double[] leastCost;

  /** GPU before the last one in that order. */
  private final byte[] predecessor;

  /** Cost of the cheapest order of all GPUs, by first and last GPU. */
  private final double[] ends;

  ExactOrders(ChannelSpace space, PortRule portChoice) {
    this.space = space;
    this.portChoice = portChoice;
    this.costs = new SpaceCosts(space);
    this.gpus = space.gpus();
    this.ports = space.ports();
    this.allGpus = (1 << gpus) - 1;
    this.leastCost = new double[gpus * (allGpus + 1)];
    this.predecessor = new byte[gpus * (allGpus + 1)];
    this.ends = new double[gpus * gpus];
  }

  @Override
  public boolean isExact() {
    return true;
  }

  @Override
  public long steps() {
    long fill = (long) gpus * gpus << gpus;
    return space.hasLast() ? fill * gpus / 4 : fill / 2;
  }

  @Override
  public Answer cheapest(double[] prices) {
    costs.update(prices);
    if (space.isClosed()) {
      return ring();
    }
    return space.hasLast() ? betweenPorts() : chain();
  }

  /** Finds the cheapest ring. A ring may begin at any GPU, so it begins at GPU 0. */
  private Answer ring() {
    fill(1, costs.step);
    int end = 0;
    double cost = Double.POSITIVE_INFINITY;
    for (int g = 0; g < gpus; g++) {
      double closed = leastCost[allGpus * gpus + g] + costs.step[g * gpus];
      if (closed < cost) {
        cost = closed;
        end = g;
      }
    }
    return cost < Double.POSITIVE_INFINITY
        ? new Answer(List.of(new PlacedChannel(order(allGpus, end), 0, 0)), cost)
        : impossible();
  }

  /**
   * Finds the cheapest chain. Orders are built from the end of the chain, as its ports are at its
   * first and second GPU.
   */
  private Answer chain() {
    double[] back = new double[gpus * gpus];
    for (int a = 0; a < gpus; a++) {
      for (int b = 0; b < gpus; b++) {
        back[a * gpus + b] = costs.step[b * gpus + a];
      }
    }
    fill(allGpus, back);
    double cost = Double.POSITIVE_INFINITY;
    int port = 0;
    int first = 0;
    int second = 0;
    for (int f = 0; f < gpus; f++) {
      for (int s = 0; s < gpus; s++) {
        double rest =
            gpus == 1 ? 0 : leastCost[(allGpus & ~(1 << f)) * gpus + s] + costs.step[f * gpus + s];
        for (int p = 0; p < ports && (s != f || gpus == 1); p++) {
          double total =
              rest + costs.first[p * gpus + f] + (gpus == 1 ? 0 : costs.second[p * gpus + s]);
          if (total < cost) {
            cost = total;
            port = p;
            first = f;
            second = s;
          }
        }
      }
    }
    if (cost == Double.POSITIVE_INFINITY) {
      return impossible();
    }
    List<Integer> order = new ArrayList<>(List.of(first));
    if (gpus > 1) {
      List<Integer> rest = new ArrayList<>(order(allGpus & ~(1 << first), second));
      Collections.reverse(rest);
      order.addAll(rest);
    }
    return new Answer(List.of(new PlacedChannel(order, port, port)), cost);
  }

  private Answer betweenPorts() {
    for (int f = 0; f < gpus; f++) {
      fill(1 << f, costs.step);
      System.arraycopy(leastCost, allGpus * gpus, ends, f * gpus, gpus);
    }
    double[] byPorts = new double[ports * ports];
    for (int in = 0; in < ports; in++) {
      for (int out = 0; out < ports; out++) {
        byPorts[in * ports + out] =
            in == out || portChoice == PortRule.ALTERNATING
                ? throughEnds(in, out, null)
                : Double.POSITIVE_INFINITY;
      }
    }
    double cost = Double.POSITIVE_INFINITY;
    int in = 0;
    int out = 0;
    for (int a = 0; a < ports; a++) {
      for (int b = a; b < ports; b++) {
        double average = (byPorts[a * ports + b] + byPorts[b * ports + a]) / 2;
        if (average < cost) {
          cost = average;
          in = a;
          out = b;
        }
      }
    }
    if (cost == Double.POSITIVE_INFINITY) {
      return impossible();
    }
    return new Answer(
        portChoice == PortRule.SAME
            ? List.of(betweenPorts(in, in))
            : List.of(betweenPorts(in, out), betweenPorts(out, in)),
        cost);
  }

  private Answer impossible() {
    PlacedChannel inFileOrder = new PlacedChannel(IntStream.range(0, gpus).boxed().toList(), 0, 0);
    return new Answer(
        Collections.nCopies(portChoice.channels(), inFileOrder), Double.POSITIVE_INFINITY);
  }

  private PlacedChannel betweenPorts(int in, int out) {
    int[] firstAndLast = new int[2];
    throughEnds(in, out, firstAndLast);
    fill(1 << firstAndLast[0], costs.step);
    return new PlacedChannel(order(allGpus, firstAndLast[1]), in, out);
  }

  /**
   * Cost of the cheapest order between two ports.
   *
   * @param chosen receives its first and last GPU, if given
   */
  private double throughEnds(int in, int out, int @Nullable [] chosen) {
    double cost = Double.POSITIVE_INFINITY;
    for (int f = 0; f < gpus; f++) {
      for (int e = 0; e < gpus; e++) {
        double total = costs.first[in * gpus + f] + ends[f * gpus + e] + costs.last[out * gpus + e];
        if (total < cost) {
          cost = total;
          if (chosen != null) {
            chosen[0] = f;
            chosen[1] = e;
          }
        }
      }
    }
    return cost;
  }

  /**
   * Finds the cheapest orders of all sets.
   *
   * @param starts GPUs that an order may begin at, as bits
   */
  private void fill(int starts, double[] step) {
    Arrays.fill(leastCost, Double.POSITIVE_INFINITY);
    for (int g = 0; g < gpus; g++) {
      if ((starts & 1 << g) != 0) {
        leastCost[(1 << g) * gpus + g] = 0;
      }
    }
    for (int set = 1; set <= allGpus; set++) {
      for (int end = 0; end < gpus; end++) {
        double cost = leastCost[set * gpus + end];
        if (cost < Double.POSITIVE_INFINITY) {
          extend(set, end, cost, step);
        }
      }
    }
  }

  private void extend(int set, int end, double cost, double[] step) {
    for (int next = 0; next < gpus; next++) {
      if ((set & 1 << next) == 0) {
        double longer = cost + step[end * gpus + next];
        int state = (set | 1 << next) * gpus + next;
        if (longer < leastCost[state]) {
          leastCost[state] = longer;
          predecessor[state] = (byte) end;
        }
      }
    }
  }

  private List<Integer> order(int set, int end) {
    List<Integer> order = new ArrayList<>();
    int remaining = set;
    int gpu = end;
    while (remaining != 0) {
      order.add(gpu);
      int previous = predecessor[remaining * gpus + gpu];
      remaining &= ~(1 << gpu);
      gpu = previous;
    }
    Collections.reverse(order);
    return order;
  }
}
