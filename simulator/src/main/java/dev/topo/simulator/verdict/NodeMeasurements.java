package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.Topology;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.simulator.verdict.CalibrationFit.FitObservation;
import dev.topo.simulator.verdict.CalibrationFit.FitResult;
import dev.topo.simulator.verdict.CalibrationReport.CalibrationSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * Measurements on single nodes for the calibration of the timing model.
 *
 * @param file the file to name in messages about all of them
 * @param fitted sets to which constants are fitted
 * @param others sets that only show errors
 */
public record NodeMeasurements(String file, List<MeasuredSet> fitted, List<MeasuredSet> others) {
  /** Copies the lists. */
  public NodeMeasurements {
    fitted = List.copyOf(fitted);
    others = List.copyOf(others);
  }

  /**
   * Selects measurements of runs.
   *
   * @param file the file to name in messages about all of them
   * @param machines finds the machines of the runs
   * @param fitted the runs to fit to
   * @param others runs that only show errors
   * @throws TopologyFormatException if there is no run, or if the machine of a run is unknown or
   *     none of its measurements is selected
   */
  public static NodeMeasurements of(
      String file,
      MeasuredFiles machines,
      List<MeasuredRun> fitted,
      List<MeasuredRun> others,
      MeasurementSelection selection,
      NcclProfile profile) {
    NodeMeasurements times =
        new NodeMeasurements(
            file,
            sets(machines, fitted, selection, profile),
            sets(machines, others, selection, profile));
    if (times.fitted.isEmpty() && times.others.isEmpty()) {
      throw times.unusable(
          "and the other files have no measurement of a collective that has algorithms");
    }
    return times;
  }

  private TopologyFormatException unusable(String why) {
    return new TopologyFormatException(file, why);
  }

  private static List<MeasuredSet> sets(
      MeasuredFiles machines,
      List<MeasuredRun> runs,
      MeasurementSelection selection,
      NcclProfile profile) {
    List<MeasuredSet> sets = new ArrayList<>();
    for (MeasuredRun run : runs) {
      for (MeasuredSet set : machines.sets(run, profile)) {
        MeasuredSet wanted = set.only(selection.isWanted());
        if (wanted.measurements().isEmpty()) {
          throw new TopologyFormatException(
              run.file(), "contains no requested measurement (" + selection.label() + ")");
        }
        sets.add(wanted);
      }
    }
    return sets;
  }

  /** The declared machine of the first measurements. */
  public Topology topology() {
    return (fitted.isEmpty() ? others : fitted).get(0).topology();
  }

  /**
   * Returns the observations to fit constants to.
   *
   * @throws TopologyFormatException if the model covers none of the measurements
   */
  public List<FitObservation> observations() {
    List<FitObservation> observations =
        fitted.stream().flatMap(set -> set.observations(m -> true, 1).stream()).toList();
    if (observations.isEmpty()) {
      throw unusable(
          "contains nothing that the timing model covers, "
              + CalibrationReport.COVERED
              + ", as NCCL would run it on this machine with these settings");
    }
    return observations;
  }

  /**
   * Fits constants and reports their errors.
   *
   * @param observations the observations to fit to
   * @param start start of the fit; if it has no calibration, the fit starts from that of the
   *     nearest GPU generation, or from typical constants if the user asks for NCCL's model
   * @param free the constants to find
   * @param naming the name of the new calibration
   * @param actual the actual machine, if it is not the declared one
   * @param rounds receives the number of each round, from 1, as it begins
   * @throws TopologyFormatException if the measured times cannot be right
   */
  public CalibrationReport fit(
      List<FitObservation> observations,
      SelectedCalibration start,
      Set<Constant> free,
      CalibrationNaming naming,
      Optional<Topology> actual,
      IntConsumer rounds) {
    Calibration first = start(start);
    String origin =
        naming.origin(
            observations.size(), fitted.stream().map(MeasuredSet::name).toList(), first.name());
    FitResult result =
        new HeldOutFit(
                observations,
                first.withMeasuredOn(MeasuredSet.measuredOn(fitted, actual)),
                free,
                TimingModel::new)
            .run(naming.name(), origin, rounds);
    result
        .doubt()
        .ifPresent(
            why -> {
              throw unusable(why);
            });
    return report(result.calibration(), Optional.of(result), start);
  }

  /**
   * Reports the errors of an existing calibration or, without one, of the constants at which a fit
   * would start.
   */
  public CalibrationReport judge(SelectedCalibration calibration) {
    return report(start(calibration), Optional.empty(), calibration);
  }

  private Calibration start(SelectedCalibration selected) {
    return selected
        .calibration()
        .orElseGet(
            () ->
                selected.isNcclModel()
                    ? Calibration.typical()
                    : CalibrationChoice.nearest(topology()));
  }

  private CalibrationReport report(
      Calibration used, Optional<FitResult> fit, SelectedCalibration start) {
    return new CalibrationReport(
        used,
        fit,
        start.calibration().isPresent()
            ? start.reason()
            : "from %s constants: %s".formatted(start(start).name(), start.reason()),
        Stream.concat(
                fitted.stream().map(set -> new CalibrationSet(set, true)),
                others.stream().map(set -> new CalibrationSet(set, false)))
            .toList());
  }
}
