package dev.topo.cli.diff;

import dev.topo.cli.option.CalibrationOptions;
import dev.topo.cli.option.call.CallOptions;
import dev.topo.cli.option.job.InputOptions;
import dev.topo.cli.output.Streams;
import dev.topo.simulator.compare.DiffSettings;
import dev.topo.cli.terminal.SearchProgress;
import dev.topo.model.job.Machine;
import dev.topo.model.operation.Collective;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.XmlElement;
import dev.topo.search.cost.CollectiveCall;
import dev.topo.simulator.Prediction.Source;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.SelectedCalibration;
import dev.topo.simulator.compare.DifferenceCost;
import dev.topo.simulator.compare.JobAnswer;
import dev.topo.simulator.compare.JobChange;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The job in which differences are tried: how many nodes, under which settings, which calls. */
public final class DiffJob {
  /** Sizes at which the text states busbw where the user names none. */
  private static final List<Long> SHOWN = List.of(1L << 20, 64L << 20, 1L << 30);

  private final InputOptions input;
  private final CallOptions calls;
  private final NcclSettings settings;
  private final Optional<Integer> nodes;
  private final CalibrationOptions calibration;
  private final Streams streams;

  /** The job with the options of the command. */
  public DiffJob(
      InputOptions input,
      CallOptions calls,
      NcclSettings settings,
      Optional<Integer> nodes,
      CalibrationOptions calibration,
      Streams streams) {
    this.input = input;
    this.calls = calls;
    this.settings = settings;
    this.nodes = nodes;
    this.calibration = calibration;
    this.streams = streams;
  }

  /** How files are read. */
  public InputOptions input() {
    return input;
  }

  /** The machine of a file; prints diagnostics about the file. */
  public Machine machine(Path file) {
    return new Machine(input.topology(file, streams), settings);
  }

  /** Number of nodes for a job of this machine. */
  public int nodes(Machine machine) {
    return nodes.orElse(machine.topology().nets().isEmpty() ? 1 : 2);
  }

  /** The machine of an edited file, which may be unusable by itself. */
  public Machine machine(XmlElement edited) {
    return new Machine(input.edited(edited), settings);
  }

  /** Evaluates what differences cost, in a job of equal machines. */
  public DifferenceCost cost(Machine reference) {
    List<CollectiveCall> list = new ArrayList<>();
    for (Collective collective : calls.collectives()) {
      calls.sizes().forEach(size -> list.add(calls.call(collective, size)));
    }
    return new DifferenceCost(
        new JobEvaluator(SearchProgress.search(streams.progress())),
        job -> calibration.applyTo(JobRequest.of(job, list)),
        reference,
        nodes(reference));
  }

  /** The calibration that the user names, else the one that goes with a machine. */
  private SelectedCalibration calibration(Machine machine) {
    return calibration.use(machine.topology());
  }

  /**
   * The description of the job in the output.
   *
   * @param before the job before any difference
   * @param changes what the differences change
   * @param machines whose calibrations are used
   */
  public DiffSettings describe(
      int count, JobAnswer before, List<JobChange> changes, List<Machine> machines) {
    List<String> calibrations =
        machines.stream()
            .flatMap(machine -> calibration(machine).calibration().stream())
            .map(Calibration::name)
            .distinct()
            .toList();
    Set<Source> sources = new HashSet<>(before.sources());
    changes.forEach(change -> change.busbw().forEach(one -> sources.addAll(one.sources())));
    return new DiffSettings(
        count,
        before.nRanks(),
        before.failure(),
        calibrations,
        sources,
        calls.hasSizes() ? calls.sizes() : SHOWN);
  }
}
