package dev.topo.simulator.packing;

import dev.topo.model.Last;
import dev.topo.model.graph.GraphKind.Pattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The link model of the channels of one pattern: the links that each part of a channel loads, and
 * the total bandwidth of channels. NCCL gives every channel an equal share of a call, so the link
 * with the highest load relative to its capacity limits all channels: the total bandwidth of n
 * channels is n times the least ratio of capacity to load.
 *
 * <ul>
 *   <li>A ring in a node passes each hop once and returns to its first GPU. Between nodes it enters
 *       at a port and leaves at one.
 *   <li>A tree is a chain inside a node. It passes each hop in both directions, up to be reduced
 *       and down again. Between nodes it is an inner node of one tree and a leaf of the other: its
 *       traffic passes the ports twice in each direction, at its first GPU, or once at the first
 *       and once at the second; half as often where there are two nodes.
 * </ul>
 */
public final class ChannelSpace {
  /**
   * Fraction of the port traffic of a tree if there are two nodes: each is the root of one tree and
   * a leaf of the other.
   */
  private static final double FRACTION_OF_TWO_NODES = 0.5;

  private final int gpus;
  private final int ports;
  private final boolean closed;
  private final boolean hasLast;
  private final double[] capacityGBps;

  /** Usage by a hop, by sending and receiving GPU; null if there is no path. */
  private final @Nullable Usage[] step;

  /** Usage between the ports and the first GPU of a channel, by port and GPU. */
  private final @Nullable Usage[] first;

  private final @Nullable Usage[] second;
  private final @Nullable Usage[] last;

  /**
   * Creates the link model of a pattern.
   *
   * @param pattern that of a ring, or one of the trees
   */
  public ChannelSpace(NodeLinks links, Pattern pattern) {
    gpus = links.gpus();
    ports = Math.max(1, links.ports());
    boolean crosses = links.ports() > 0;
    boolean ring = pattern == Pattern.RING;
    closed = ring && !crosses;
    hasLast = ring && crosses;
    capacityGBps = links.capacityGBps();
    step = new Usage[gpus * gpus];
    first = new Usage[ports * gpus];
    second = new Usage[ports * gpus];
    last = new Usage[ports * gpus];
    double treeFraction = links.nodes() == 2 ? FRACTION_OF_TWO_NODES : 1;
    boolean isAllAtFirst = pattern == Pattern.TREE || gpus == 1;
    for (int a = 0; a < gpus; a++) {
      for (int b = 0; b < gpus; b++) {
        if (a != b) {
          step[a * gpus + b] =
              ring ? links.hop(a, b) : bothDirections(links.hop(a, b), links.hop(b, a), 1);
        }
      }
      for (int p = 0; p < ports; p++) {
        int at = p * gpus + a;
        Usage in = crosses ? links.fromPort(p, a) : Usage.NONE;
        Usage out = crosses ? links.toPort(a, p) : Usage.NONE;
        first[at] =
            ring ? in : bothDirections(in, out, isAllAtFirst ? 2 * treeFraction : treeFraction);
        second[at] = ring || isAllAtFirst ? Usage.NONE : bothDirections(in, out, treeFraction);
        last[at] = ring ? out : Usage.NONE;
      }
    }
  }

  private static @Nullable Usage bothDirections(
      @Nullable Usage forth, @Nullable Usage back, double part) {
    return forth == null || back == null ? null : forth.and(back, part);
  }

  int gpus() {
    return gpus;
  }

  /** Number of ports; 1 where channels stay in the node. */
  int ports() {
    return ports;
  }

  /** True if a channel returns to its first GPU. */
  boolean isClosed() {
    return closed;
  }

  /** True if a channel leaves the node from its last GPU through a port. */
  boolean hasLast() {
    return hasLast;
  }

  /** Capacities of all links in GB/s. */
  double[] capacityGBps() {
    return capacityGBps;
  }

  /** Price of a hop; infinite if there is no path. */
  double step(int from, int to, double[] prices) {
    return cost(step[from * gpus + to], prices);
  }

  /** Price of the first GPU of a channel at a port. */
  double first(int port, int gpu, double[] prices) {
    return cost(first[port * gpus + gpu], prices);
  }

  /** Price of the second GPU of a channel at a port, besides the hop. */
  double second(int port, int gpu, double[] prices) {
    return cost(second[port * gpus + gpu], prices);
  }

  /** Price of the last GPU of a channel at a port, besides the hop. */
  double last(int port, int gpu, double[] prices) {
    return cost(last[port * gpus + gpu], prices);
  }

  private static double cost(@Nullable Usage usage, double[] prices) {
    return usage == null ? Double.POSITIVE_INFINITY : usage.cost(prices);
  }

  /**
   * Adds the load of a channel to that of the links, or removes it with a sign of -1. Returns false
   * if a hop has no path.
   */
  boolean add(PlacedChannel channel, double[] loads, double sign) {
    List<Integer> order = channel.gpus();
    boolean possible = add(first[channel.in() * gpus + order.get(0)], loads, sign);
    for (int i = 1; i < order.size(); i++) {
      possible &= add(step[order.get(i - 1) * gpus + order.get(i)], loads, sign);
    }
    int end = Last.of(order);
    if (order.size() > 1) {
      possible &= add(second[channel.out() * gpus + order.get(1)], loads, sign);
      possible &= !closed || add(step[end * gpus + order.get(0)], loads, sign);
    }
    return add(last[channel.out() * gpus + end], loads, sign) && possible;
  }

  private static boolean add(@Nullable Usage usage, double[] loads, double sign) {
    if (usage != null) {
      usage.addTo(loads, sign);
    }
    return usage != null;
  }

  /** Total bandwidth of channels in GB/s; 0 if one has a hop without a path. */
  public double totalGBps(List<PlacedChannel> channels) {
    double[] loads = new double[capacityGBps.length];
    for (PlacedChannel channel : channels) {
      if (!add(channel, loads, 1)) {
        return 0;
      }
    }
    return totalGBps(channels.size(), loads);
  }

  /**
   * Total bandwidth in GB/s of channels that load the links as given. Loads are relative to the
   * rate of one channel.
   */
  double totalGBps(int channels, double[] loads) {
    double least = Double.POSITIVE_INFINITY;
    for (int link = 0; link < loads.length; link++) {
      if (loads[link] > 0) {
        least = Math.min(least, capacityGBps[link] / loads[link]);
      }
    }
    return channels * least;
  }
}
