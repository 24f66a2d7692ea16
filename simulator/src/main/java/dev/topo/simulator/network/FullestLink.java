package dev.topo.simulator.network;

import java.util.Arrays;

/**
 * Distribution of the number of flows on the fullest of equal links, if each flow takes a random
 * link independently of the others: the largest cell of a multinomial distribution. Up to {@link
 * #MAX_EXACT_FLOWS} flows it is exact, computed link by link: of n flows, a binomially distributed
 * number x is on the first of k links, and n - x are on the others. For more flows the links are
 * taken as independent, a good approximation for many links (V. Kolchin, B. Sevastyanov and V.
 * Chistyakov, "Random Allocations", 1978): with a Poisson distribution if a link has few flows, and
 * a normal one if it has many.
 */
final class FullestLink {
  /** Largest number of flows for which the distribution is exact. */
  static final int MAX_EXACT_FLOWS = 256;

  /** Mean number of flows per link from which on it is taken as normally distributed. */
  private static final double MIN_NORMAL_MEAN = 64;

  /** Probabilities closer to 1 than this count as 1. */
  private static final double NEARLY_ONE = 1 - 1e-9;

  private final double flows;
  private final int links;

  /**
   * Probability that the fullest link has at most {@link #minFullest} + i flows, by i; empty for
   * the normal approximation.
   */
  private final double[] cumulative;

  /** Smallest possible number of flows on the fullest link. */
  private final int minFullest;

  /** Distribution of {@code flows} flows over {@code links} links. */
  FullestLink(double flows, int links) {
    this.flows = flows;
    this.links = links;
    this.minFullest = (int) Math.ceil(Math.min(flows, 1e9) / links);
    this.cumulative =
        flows <= MAX_EXACT_FLOWS
            ? exact((int) Math.round(flows))
            : isPoisson() ? poisson() : new double[0];
  }

  private boolean isPoisson() {
    return flows / links < MIN_NORMAL_MEAN;
  }

  /** Probability that no link has more than {@code number} flows. */
  double atMost(double number) {
    if (number >= flows) {
      return 1;
    }
    if (flows > MAX_EXACT_FLOWS && !isPoisson()) {
      double mean = flows / links;
      double deviation = Math.sqrt(mean * (1 - 1.0 / links));
      return links == 1
          ? (number < flows ? 0 : 1)
          : Math.pow(normal((number - mean) / deviation), links);
    }
    int index = (int) Math.floor(number + 1e-9) - minFullest;
    return index < 0 ? 0 : index >= cumulative.length ? 1 : cumulative[index];
  }

  private double[] exact(int n) {
    double[] result = new double[n + 1 - Math.min(n, minFullest)];
    for (int i = 0; i < result.length; i++) {
      result[i] = i > 0 && result[i - 1] > NEARLY_ONE ? 1 : exact(n, minFullest + i);
    }
    return result;
  }

  /**
   * Exact probability that no link has more than {@code max} of {@code n} flows. Runs in time
   * proportional to flows times links times {@code max}.
   */
  private double exact(int n, int max) {
    double[] fewerLinks = new double[n + 1];
    Arrays.fill(fewerLinks, 0, Math.min(n, max) + 1, 1);
    for (int k = 2; k <= links; k++) {
      double[] next = new double[n + 1];
      double otherLinks = 1 - 1.0 / k;
      for (int flows = 0; flows <= n; flows++) {
        double probability = Math.pow(otherLinks, flows);
        for (int x = 0; x <= Math.min(max, flows); x++) {
          next[flows] += probability * fewerLinks[flows - x];
          probability *= (flows - x) / (double) (x + 1) / (k - 1);
        }
      }
      fewerLinks = next;
    }
    return fewerLinks[n];
  }

  private double[] poisson() {
    double mean = flows / links;
    int span = (int) (10 * Math.sqrt(mean) + 30);
    double[] result = new double[span];
    double term = Math.exp(-mean);
    double sum = term;
    for (int x = 0; x < minFullest + span; x++) {
      if (x >= minFullest) {
        result[x - minFullest] = Math.pow(Math.min(1, sum), links);
      }
      term *= mean / (x + 1);
      sum += term;
    }
    return result;
  }

  /** Normal distribution function (M. Abramowitz and I. Stegun, 26.2.17; error below 1e-7). */
  private static double normal(double z) {
    double t = 1 / (1 + 0.2316419 * Math.abs(z));
    double tail =
        Math.exp(-z * z / 2)
            / Math.sqrt(2 * Math.PI)
            * t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return z >= 0 ? 1 - tail : tail;
  }
}
