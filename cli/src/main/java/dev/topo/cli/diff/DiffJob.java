package dev.topo.cli.diff;

import dev.topo.cli.job.StatedGraphs;
import dev.topo.cli.option.CalibrationOptions;
import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.output.Streams;
import dev.topo.cli.output.change.DiffSettings;
import dev.topo.cli.predict.CalibrationUse;
import dev.topo.model.Topology;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.operation.Collective;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.XmlElement;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.Prediction.Source;
import dev.topo.simulator.compare.JobAnswer;
import dev.topo.simulator.compare.JobChange;
import dev.topo.simulator.compare.JobEvaluator;
import dev.topo.simulator.timing.Calibration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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

  /** A job of equal machines. */
  public Job uniform(Machine machine, int count) {
    return Job.ofEqual(machine, count);
  }

  /** A job of one machine with another in the last place. */
  public Job with(Machine reference, Machine odd, int count) {
    List<Machine> machines = new ArrayList<>(Collections.nCopies(count - 1, reference));
    machines.add(odd);
    return new Job(machines);
  }

  /** What changes if the machines of a job are those of an edited file. */
  public JobChange changeBy(
      XmlElement edited, JobAnswer before, JobEvaluator evaluator, int count) {
    Topology topology;
    try {
      topology = input.edited(edited);
    } catch (TopologyFormatException e) {
      return JobChange.failed("not possible by itself: " + e.getMessage());
    }
    return JobChange.of(
        before, evaluator.evaluate(uniform(new Machine(topology, settings), count)));
  }

  /**
   * Works out jobs for the calls of the user, each by the calibration that goes with its first
   * machine, unless the user has named one.
   */
  public JobEvaluator evaluator() {
    List<CollectiveCall> list = new ArrayList<>();
    for (Collective collective : calls.collectives()) {
      calls.sizes().forEach(size -> list.add(calls.call(collective, size)));
    }
    return new JobEvaluator(
        StatedGraphs.searched(streams),
        list,
        planner -> calibration(planner.communicator().job().machines().get(0)).predictor(planner));
  }

  /** The calibration that the user names, else the one that goes with a machine. */
  private CalibrationUse calibration(Machine machine) {
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
