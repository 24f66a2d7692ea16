package dev.topo.simulator.verdict;

import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.NetworkModel;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Fits the constants of a network to measured times, one constant after the other, to minimize the
 * weighted sum of the logarithmic errors. Constants without influence on the times keep their
 * values. Deterministic; linear in the number of constants times that of times.
 */
public final class NetworkFit {
  /**
   * A measured time.
   *
   * @param predictedUs time of a model
   * @param weight its weight
   */
  public record Observation(
      ToDoubleFunction<NetworkModel> predictedUs, double timeUs, double weight) {}

  /** Prior knowledge of constants. */
  private enum Prior {
    /** Little: a small cost that keeps constants with hardly any influence. */
    KIND {
      @Override
      double cost(double log, int times) {
        return 0.003 * log * log;
      }
    },
    /**
     * They are those of a network of the same kind, and most hold for the cluster, too: one changes
     * only if more than a tenth of the times, and more than two of them, support it, weighted by
     * their dependence on it. Few times do not change it by chance (docs/accuracy.md).
     */
    CLUSTER {
      @Override
      double cost(double log, int times) {
        return Math.max(LEAST_PART, LEAST_TIMES / times) * Math.abs(log) + log * log;
      }
    };

    private static final double LEAST_PART = 0.1;
    private static final double LEAST_TIMES = 2;

    /**
     * The cost of a constant relative to that of all times with an error of e.
     *
     * @param log logarithm of its change
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
  private static final double MOST = 0.4;

  /** Logarithmic distances of the tried values of a constant, by round. */
  private static final double[] STEPS = {0.25, 0.25, 0.25, 0.1, 0.1, 0.03, 0.03, 0.01, 0.003};

  /** Number of values that are tried on each side. */
  private static final int TRIED = 8;

  /** Factor of a constant's change that must change the times if they determine it. */
  private static final double OFF = 1.1;

  /** Least mean increase of the errors by that change. */
  private static final double NOTICED = 0.001;

  private NetworkFit() {}

  /** Fits with some constants unchanged, which other networks determine better. */
  public static NetworkCalibration fit(
      List<Observation> observations, NetworkCalibration from, Set<NetworkConstant> kept) {
    return descend(observations, from, from, MOST, kept, Prior.KIND);
  }

  /** Fits to the times of one cluster, from the constants of its kind of network. */
  public static NetworkCalibration fitNear(
      List<Observation> observations, NetworkCalibration from) {
    return descend(observations, from, from, MOST, Set.of(), Prior.CLUSTER);
  }

  /** Fits from the constants of a network of another kind. */
  static NetworkCalibration fitFromAfar(List<Observation> observations, NetworkCalibration from) {
    NetworkCalibration near =
        descend(observations, from, from, Double.MAX_VALUE, Set.of(), Prior.KIND);
    return descend(observations, from, near, MOST, Set.of(), Prior.KIND);
  }

  private static NetworkCalibration descend(
      List<Observation> observations,
      NetworkCalibration from,
      NetworkCalibration start,
      double most,
      Set<NetworkConstant> kept,
      Prior prior) {
    NetworkCalibration best = start;
    double least = cost(observations, best, from, most, prior);
    for (double step : STEPS) {
      for (NetworkConstant constant : NetworkConstant.values()) {
        double middle = best.value(constant);
        for (int i = -TRIED; i <= TRIED; i++) {
          double value = middle * Math.exp(i * step);
          if (kept.contains(constant) || (constant.isShare() && value > 1)) {
            continue;
          }
          NetworkCalibration tried = best.with(constant, value);
          double cost = cost(observations, tried, from, most, prior);
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
   * The constants that times determine: a change by a tenth in either direction increases the
   * errors.
   */
  static Set<NetworkConstant> determined(
      List<Observation> observations, NetworkCalibration fitted) {
    double least = cost(observations, fitted, fitted, MOST, Prior.KIND);
    double weights = observations.stream().mapToDouble(Observation::weight).sum();
    Set<NetworkConstant> determined = EnumSet.noneOf(NetworkConstant.class);
    for (NetworkConstant constant : NetworkConstant.values()) {
      double value = fitted.value(constant);
      double less =
          cost(observations, fitted.with(constant, value / OFF), fitted, MOST, Prior.KIND);
      double more =
          constant.isShare() && value * OFF > 1
              ? less
              : cost(observations, fitted.with(constant, value * OFF), fitted, MOST, Prior.KIND);
      if (Math.min(less, more) - least > NOTICED * weights) {
        determined.add(constant);
      }
    }
    return determined;
  }

  private static double cost(
      List<Observation> observations,
      NetworkCalibration tried,
      NetworkCalibration from,
      double most,
      Prior prior) {
    NetworkModel model = new NetworkModel(tried);
    double cost = 0;
    double weights = 0;
    for (Observation observation : observations) {
      cost +=
          observation.weight
              * Math.min(
                  most,
                  Math.abs(
                      Math.log(observation.predictedUs.applyAsDouble(model) / observation.timeUs)));
      weights += observation.weight;
    }
    return cost + weights * prior.cost(tried, from, observations.size());
  }
}
