package dev.topo.simulator.verdict;

import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.simulator.verdict.CalibrationFit.FitObservation;
import dev.topo.simulator.verdict.CalibrationFit.FitResult;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * A fit that moves away from known constants only as far as the times support it
 * (cross-validation). The sizes are divided into parts, and each part is predicted by fits to the
 * other parts. The weight of the start with the least errors is chosen. If no weight improves both
 * the median and the 90th percentile of the errors over those of the start, the constants of the
 * start are kept.
 *
 * @param start the initial constants, and the values of those that are not free
 * @param free the constants to fit
 * @param model creates the model with given constants
 */
public record HeldOutFit(
    List<FitObservation> observations,
    Calibration start,
    Set<Constant> free,
    Function<Calibration, TimingModel> model) {
  public HeldOutFit {
    observations = List.copyOf(observations);
    free = Set.copyOf(free);
  }

  /**
   * Number of parts; neighbouring sizes are in different parts, as predictions are for any size.
   */
  private static final int PARTS = 4;

  /** Weights of the start, from a free fit to one that barely moves. */
  private static final double[] DRAWS = {CalibrationFit.DRAW, 0.1, 0.3, 1};

  /** Least relative reduction of the errors that is not chance. */
  private static final double LEAST_GAIN = 0.05;

  /**
   * Fits the constants; if all calls have one size, without holding any out.
   *
   * @param name name of the calibration to make
   * @param rounds receives the number of each round, from 1, as it begins
   */
  public FitResult run(String name, String origin, IntConsumer rounds) {
    List<Long> sizes =
        observations.stream().map(FitObservation::sizeBytes).distinct().sorted().toList();
    if (sizes.size() < 2) {
      return fit(observations, CalibrationFit.DRAW).run(name, origin, rounds);
    }
    Errors before = Errors.of(errors(observations, start));
    double leastSum = 2 * (1 - LEAST_GAIN);
    double draw = 0;
    Errors after = before;
    for (double candidate : DRAWS) {
      Errors held = heldOut(sizes, candidate);
      double sumOfRatios =
          ratio(held.median(), before.median()) + ratio(held.percentile90(), before.percentile90());
      boolean isNowhereWorse =
          held.median() <= before.median() && held.percentile90() <= before.percentile90();
      if (isNowhereWorse && sumOfRatios < leastSum) {
        leastSum = sumOfRatios;
        draw = candidate;
        after = held;
      }
    }
    boolean isKept = draw == 0;
    CalibrationFit calibrationFit = fit(observations, isKept ? CalibrationFit.DRAW : draw);
    FitResult result =
        isKept ? calibrationFit.kept(name, origin) : calibrationFit.run(name, origin, rounds);
    return new FitResult(
        result.calibration(),
        result.relativeErrors(),
        result.rounds(),
        Optional.of(new HeldOut(before, after, isKept)));
  }

  private static double ratio(double after, double before) {
    return before > 0 ? after / before : 1;
  }

  private CalibrationFit fit(List<FitObservation> to, double draw) {
    return new CalibrationFit(to, start, free, model, draw);
  }

  private Errors heldOut(List<Long> sizes, double draw) {
    int parts = Math.min(PARTS, sizes.size());
    List<Double> errors = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      int held = part;
      List<FitObservation> seen = withSizes(sizes, index -> index % parts != held);
      Calibration fitted =
          fit(seen, draw).run(start.name(), start.origin(), round -> {}).calibration();
      for (double error : errors(withSizes(sizes, index -> index % parts == held), fitted)) {
        errors.add(error);
      }
    }
    return Errors.of(errors, Double::doubleValue);
  }

  private List<FitObservation> withSizes(List<Long> sizes, IntPredicate wanted) {
    return observations.stream()
        .filter(observation -> wanted.test(sizes.indexOf(observation.sizeBytes())))
        .toList();
  }

  private double[] errors(List<FitObservation> of, Calibration constants) {
    TimingModel times = model.apply(constants);
    return of.stream()
        .mapToDouble(observation -> times.timeUs(observation.shape()) / observation.timeUs() - 1)
        .toArray();
  }
}
