package dev.topo.accuracy;

import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.NetworkModel;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Fits the constants of a network to measured times by coordinate descent: one constant after the
 * other is chosen to minimize the weighted sum of the absolute logarithmic errors. Constants
 * without influence on the times keep their values. Deterministic; the cost grows with the product
 * of the numbers of constants and times.
 */
final class NetworkFit {
  /**
   * A measured time.
   *
   * @param predictedUs predicts the time in microseconds, given a model
   * @param timeUs measured time in microseconds
   * @param weight weight of its error
   */
  record Observation(ToDoubleFunction<NetworkModel> predictedUs, double timeUs, double weight) {}

  /** Prior knowledge of constants. */
  private enum Prior {
    /**
     * The constants are of another kind of network, or none is known: a small cost keeps only those
     * with hardly any influence.
     */
    KIND {
      @Override
      double cost(double log, int times) {
        return 0.003 * log * log;
      }
    },
    /**
     * The constants are those of the same kind of network, and most hold for the cluster, too. A
     * constant changes only if more than a tenth of the times, and more than two of them, support
     * it, weighted by their dependence on it, so that it does not follow a few times by chance
     * (docs/accuracy.md).
     */
    CLUSTER {
      @Override
      double cost(double log, int times) {
        return Math.max(LEAST_FRACTION, LEAST_TIMES / times) * Math.abs(log) + log * log;
      }
    };

    private static final double LEAST_FRACTION = 0.1;
    private static final double LEAST_TIMES = 2;

    /**
     * The cost of a change of one constant, on a scale where 1 is the cost of a logarithmic error
     * of 1 in all times.
     *
     * @param log logarithm of the factor by which it changes
     * @param times number of measured times
     */
    abstract double cost(double log, int times);

    double cost(NetworkCalibration tried, NetworkCalibration from, int times) {
      double cost = 0;
      for (NetworkConstant constant : NetworkConstant.values()) {
        cost += cost(Math.log(tried.value(constant) / from.value(constant)), times);
      }
      return cost;
    }
  }

  /** Largest logarithmic error that counts: larger ones have other causes. */
  private static final double MOST_ERROR = 0.4;

  /** Logarithmic distance between the values tried for a constant, by round. */
  private static final double[] STEPS = {0.25, 0.25, 0.25, 0.1, 0.1, 0.03, 0.03, 0.01, 0.003};

  /** Number of values tried on each side of the current one. */
  private static final int TRIED_PER_SIDE = 8;

  /** Factor by which a constant is changed to see whether the times determine it. */
  private static final double CHANGE = 1.1;

  /** Least increase of the mean error that such a change must cause. */
  private static final double LEAST_INCREASE = 0.001;

  private NetworkFit() {}

  /**
   * Fits constants to the times of a kind of network.
   *
   * @param kept constants to leave unchanged, which other networks determine better
   */
  static NetworkCalibration fit(
      List<Observation> observations, NetworkCalibration from, Set<NetworkConstant> kept) {
    return descend(observations, from, from, MOST_ERROR, kept, Prior.KIND);
  }

  /** Fits to the times of one cluster, starting from the constants of its kind of network. */
  static NetworkCalibration fitNear(List<Observation> observations, NetworkCalibration from) {
    return descend(observations, from, from, MOST_ERROR, Set.of(), Prior.CLUSTER);
  }

  /**
   * Fits to the times of one cluster, starting from the constants of another kind of network: first
   * with the full weight of large errors.
   */
  static NetworkCalibration fitFromAfar(List<Observation> observations, NetworkCalibration from) {
    NetworkCalibration near =
        descend(observations, from, from, Double.MAX_VALUE, Set.of(), Prior.KIND);
    return descend(observations, from, near, MOST_ERROR, Set.of(), Prior.KIND);
  }

  private static NetworkCalibration descend(
      List<Observation> observations,
      NetworkCalibration from,
      NetworkCalibration start,
      double mostError,
      Set<NetworkConstant> kept,
      Prior prior) {
    NetworkCalibration best = start;
    double least = cost(observations, best, from, mostError, prior);
    for (double step : STEPS) {
      for (NetworkConstant constant : NetworkConstant.values()) {
        double middle = best.value(constant);
        for (int i = -TRIED_PER_SIDE; i <= TRIED_PER_SIDE; i++) {
          double value = middle * Math.exp(i * step);
          if (kept.contains(constant) || (constant.isShare() && value > 1)) {
            continue;
          }
          NetworkCalibration tried = best.with(constant, value);
          double cost = cost(observations, tried, from, mostError, prior);
          if (cost < least - 1e-9) {
            least = cost;
            best = tried;
          }
        }
      }
    }
    return best;
  }

  /**
   * Returns the constants that the times determine: changing one by a tenth, in either direction,
   * increases the errors.
   */
  static Set<NetworkConstant> determined(
      List<Observation> observations, NetworkCalibration fitted) {
    double least = cost(observations, fitted, fitted, MOST_ERROR, Prior.KIND);
    double weights = observations.stream().mapToDouble(Observation::weight).sum();
    Set<NetworkConstant> determined = EnumSet.noneOf(NetworkConstant.class);
    for (NetworkConstant constant : NetworkConstant.values()) {
      double value = fitted.value(constant);
      double less =
          cost(observations, fitted.with(constant, value / CHANGE), fitted, MOST_ERROR, Prior.KIND);
      double more =
          constant.isShare() && value * CHANGE > 1
              ? less
              : cost(
                  observations,
                  fitted.with(constant, value * CHANGE),
                  fitted,
                  MOST_ERROR,
                  Prior.KIND);
      if (Math.min(less, more) - least > LEAST_INCREASE * weights) {
        determined.add(constant);
      }
    }
    return determined;
  }

  private static double cost(
      List<Observation> observations,
      NetworkCalibration tried,
      NetworkCalibration from,
      double mostError,
      Prior prior) {
    NetworkModel model = new NetworkModel(tried);
    double cost = 0;
    double weights = 0;
    for (Observation observation : observations) {
      cost +=
          observation.weight
              * Math.min(
                  mostError,
                  Math.abs(
                      Math.log(observation.predictedUs.applyAsDouble(model) / observation.timeUs)));
      weights += observation.weight;
    }
    return cost + weights * prior.cost(tried, from, observations.size());
  }
}
