package dev.topo.simulator.packing;

import java.util.Arrays;
import java.util.stream.IntStream;

/** The links that a part of a channel loads, each with the same fraction of the channel's rate. */
record Usage(int[] links, double part) {
  static final Usage NONE = new Usage(new int[0], 0);

  /** Usage of links at the full rate of the channel; a link that is passed twice occurs twice. */
  static Usage of(int[] links) {
    return new Usage(links, 1);
  }

  /** The links of this usage and another, all at a given fraction of the rate. */
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
