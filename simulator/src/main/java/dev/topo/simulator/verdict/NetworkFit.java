package dev.topo.simulator.verdict;

import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.NetworkModel;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Fits the constants of a network to measured times, one constant after the other, so that the
 * weighted sum of the logarithms by which times are off is smallest. Constants that no time depends
 * on keep their typical value. Deterministic; takes time in the number of constants times that of
 * times.
 */
public final class NetworkFit {
  /**
   * A measured time.
   *
   * @param predictedUs the time by a model
   * @param weight what it counts
   */
  public record Observation(
      ToDoubleFunction<NetworkModel> predictedUs, double timeUs, double weight) {}

  /** What is known of constants before times are measured. */
  private enum Prior {
    /** Little: a cost of such constants that hardly matter, to keep them. */
    KIND {
      @Override
      double cost(double log, int times) {
        return 0.003 * log * log;
      }
    },
    /**
     * They are those of a network of the same kind, and most are those of the cluster, too: one is
     * another where more than a tenth of the times, and more than two of them, say so, weighted by
     * how much they depend on it. What few times would change by chance stays so
     * (docs/accuracy.md).
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
     * The cost of a constant, as a part of what all times would cost if they were off by e.
     *
     * @param log the logarithm by which it is off
     * @param times how many are measured
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

  /** Times that are off by more than this logarithm do not count more: something else is wrong. */
  private static final double MOST = 0.4;

  /** By which logarithms neighbouring values of a constant differ, round by round. */
  private static final double[] STEPS = {0.25, 0.25, 0.25, 0.1, 0.1, 0.03, 0.03, 0.01, 0.003};

  /** Values of a constant that are tried to both sides. */
  private static final int TRIED = 8;

  /** By which factor a constant is off that times determine. */
  private static final double OFF = 1.1;

  /** Mean by which more times are then off. */
  private static final double NOTICED = 0.001;

  private NetworkFit() {}

  /** The constants that fit best, from typical ones on. */
  public static NetworkCalibration fit(List<Observation> observations) {
    return fit(observations, NetworkCalibration.typical());
  }

  /** The constants that fit best, from others on, which those that do not matter keep. */
  public static NetworkCalibration fit(List<Observation> observations, NetworkCalibration from) {
    return fit(observations, from, Set.of());
  }

  /** Fits with some constants as they are, because more times of other networks have them. */
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
   * The constants that times determine: with one that is off by a tenth they are off by more,
   * however it is off.
   */
  public static Set<NetworkConstant> determined(
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
