package dev.topo.simulator.accuracy;

import dev.topo.model.collective.Collective;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.calibration.Measurement;
import dev.topo.simulator.timing.Bottleneck;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether what was measured is what was to be expected. It is not if it took longer than predicted
 * by more than a tolerance, out of place and in place: one hiccup does not count.
 *
 * @param measurement what was measured
 * @param prediction what was predicted out of place
 * @param inPlace what was predicted in place
 * @param tolerance how much longer it may take, as a part of the predicted time
 */
public record Judgement(
    Measurement measurement, Prediction prediction, Prediction inPlace, double tolerance) {
  /** How many times the spread of a calibration a measurement may be off. */
  private static final double SPREADS = 2;

  /** Checks the tolerance. */
  public Judgement {
    Objects.requireNonNull(measurement, "measurement");
    Objects.requireNonNull(prediction, "prediction");
    Objects.requireNonNull(inPlace, "inPlace");
    if (!(tolerance >= 0)) {
      throw new IllegalArgumentException("tolerance " + tolerance + ": expected 0 or more");
    }
  }

  /**
   * Judges the measurements of some collectives, as far as NCCL would run them so, in their order.
   *
   * @param tolerance how much longer a call may take; if empty twice what 90 of 100 predictions are
   *     off by, on a host that is slow at launching kernels
   */
  public static List<Judgement> of(
      List<Measurement> measurements,
      Collection<Collective> collectives,
      Predictor predictor,
      OptionalDouble tolerance) {
    List<Judgement> judgements = new ArrayList<>();
    for (Measurement measurement : measurements) {
      Optional<Prediction> out = predict(predictor, measurement, false);
      Optional<Prediction> in = predict(predictor, measurement, true);
      if (collectives.contains(measurement.collective()) && out.isPresent() && in.isPresent()) {
        judgements.add(
            new Judgement(measurement, out.get(), in.get(), tolerance.orElse(usual(out.get()))));
      }
    }
    return judgements;
  }

  private static double usual(Prediction prediction) {
    return prediction.longestUs(SPREADS * prediction.spread()) / prediction.timeUs() - 1;
  }

  private static Optional<Prediction> predict(
      Predictor predictor, Measurement measurement, boolean inPlace) {
    CollectiveCall call = CollectiveCall.of(measurement.collective(), measurement.sizeBytes());
    return measurement.forced().isPresent()
        ? measurement
            .forced()
            .flatMap(pair -> predictor.predict(call, pair.algorithm(), pair.protocol(), inPlace))
        : predictor.predict(call, inPlace);
  }

  /** Whether it was as fast as expected, or faster. */
  public boolean passes() {
    return measurement.timeUs() <= prediction.timeUs() * (1 + tolerance)
        || measurement.inPlaceTimeUs() <= inPlace.timeUs() * (1 + tolerance);
  }

  /**
   * Whether it waited for launches, and longer than on the host of the calibration: what its CPU is
   * to blame for, and not the links.
   */
  public boolean hasSlowLaunches() {
    return prediction.estimate().bottleneck() == Bottleneck.LAUNCH
        && excess() > SPREADS * prediction.spread();
  }

  /** How much longer it took than predicted, out of place, as a part of the predicted time. */
  public double excess() {
    return measurement.timeUs() / prediction.timeUs() - 1;
  }
}
