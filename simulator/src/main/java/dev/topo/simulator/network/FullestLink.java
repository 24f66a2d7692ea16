package dev.topo.simulator.network;

import java.util.Arrays;

/**
 * The number of flows on the fullest of equal links, where each flow takes a random link,
 * independently of the others: the largest cell of a multinomial distribution. Up to {@link
 * #MOST_EXACT} flows the distribution is exact, link by link: of n flows, a binomial number x is on
 * the first of k links, and n - x are on the others. For more flows the links count as independent,
 * which holds for many links (V. Kolchin, B. Sevastyanov and V. Chistyakov, "Random Allocations",
 * 1978): Poisson distributed where a link has few flows, normally where it has many.
 */
final class FullestLink {
  /** Largest number of flows with an exact distribution. */
  static final int MOST_EXACT = 256;

  /** Least number of flows per link that is taken as normally distributed. */
  private static final double MANY = 64;

  /** Probabilities closer to 1 than this count as 1. */
  private static final double NEARLY_ONE = 1 - 1e-9;

  private final double flows;
  private final int links;

  /**
   * Probability by number of flows, from {@link #least} on; empty where flows are not counted one
   * by one.
   */
  private final double[] atMost;

  private final int least;

  /** Distribution of {@code flows} flows over {@code links} links. */
  FullestLink(double flows, int links) {
    this.flows = flows;
    this.links = links;
    this.least = (int) Math.ceil(Math.min(flows, 1e9) / links);
    this.atMost =
        flows <= MOST_EXACT ? exact((int) Math.round(flows)) : few() ? poisson() : new double[0];
  }

  private boolean few() {
    return flows / links < MANY;
  }

  /** Probability that no link has more than {@code number} flows. */
  double atMost(double number) {
    if (number >= flows) {
      return 1;
    }
    if (flows > MOST_EXACT && !few()) {
      double mean = flows / links;
      double deviation = Math.sqrt(mean * (1 - 1.0 / links));
      return links == 1
          ? (number < flows ? 0 : 1)
          : Math.pow(normal((number - mean) / deviation), links);
    }
    int place = (int) Math.floor(number + 1e-9) - least;
    return place < 0 ? 0 : place >= atMost.length ? 1 : atMost[place];
  }

  private double[] exact(int n) {
    double[] found = new double[n + 1 - Math.min(n, least)];
    for (int place = 0; place < found.length; place++) {
      found[place] = place > 0 && found[place - 1] > NEARLY_ONE ? 1 : exact(n, least + place);
    }
    return found;
  }

  /**
   * Exact probability that none of the links has more than {@code most} of {@code n} flows. Runs in
   * time proportional to flows times links times {@code most}.
   */
  private double exact(int n, int most) {
    double[] ofRest = new double[n + 1];
    Arrays.fill(ofRest, 0, Math.min(n, most) + 1, 1);
    for (int k = 2; k <= links; k++) {
      double[] next = new double[n + 1];
      double none = 1 - 1.0 / k;
      for (int flows = 0; flows <= n; flows++) {
        double probability = Math.pow(none, flows);
        for (int x = 0; x <= Math.min(most, flows); x++) {
          next[flows] += probability * ofRest[flows - x];
          probability *= (flows - x) / (double) (x + 1) / (k - 1);
        }
      }
      ofRest = next;
    }
    return ofRest[n];
  }

  private double[] poisson() {
    double mean = flows / links;
    int span = (int) (10 * Math.sqrt(mean) + 30);
    double[] found = new double[span];
    double term = Math.exp(-mean);
    double sum = term;
    for (int x = 0; x < least + span; x++) {
      if (x >= least) {
        found[x - least] = Math.pow(Math.min(1, sum), links);
      }
      term *= mean / (x + 1);
      sum += term;
    }
    return found;
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
