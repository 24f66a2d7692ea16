package dev.topo.simulator.packing;

import java.util.Arrays;
import java.util.stream.IntStream;

/** The links that a part of a channel loads, each with the same part of the channel's rate. */
final class Usage {
  static final Usage NONE = new Usage(new int[0], 0);

  private final int[] links;
  private final double part;

  private Usage(int[] links, double part) {
    this.links = links;
    this.part = part;
  }

  /**
   * Links that data takes at the rate of the channel; a link that is passed twice is twice there.
   */
  static Usage of(int[] links) {
    return new Usage(links, 1);
  }

  /** These links and others, at a part of the rate. */
  Usage and(Usage other, double newPart) {
    return new Usage(
        IntStream.concat(Arrays.stream(links), Arrays.stream(other.links)).toArray(), newPart);
  }

  void addTo(double[] loads, double sign) {
    for (int link : links) {
      loads[link] += sign * part;
    }
  }

  double cost(double[] prices) {
    double sum = 0;
    for (int link : links) {
      sum += prices[link];
    }
    return part * sum;
  }
}
