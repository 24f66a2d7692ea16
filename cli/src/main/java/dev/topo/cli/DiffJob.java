package dev.topo.cli;

import dev.topo.cli.output.DiffSettings;
import dev.topo.cli.output.Streams;
import dev.topo.model.Topology;
import dev.topo.model.collective.Collective;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.XmlElement;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.compare.JobAnswer;
import dev.topo.simulator.compare.JobChange;
import dev.topo.simulator.compare.JobEvaluator;
import dev.topo.simulator.compare.SuitedCalibration;
import dev.topo.simulator.timing.Calibration;
import dev.topo.simulator.timing.TimingModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The job in which differences are tried: how many nodes, under which settings, which calls. */
final class DiffJob {
  /** Sizes at which the text states busbw where the user names none. */
  private static final List<Long> SHOWN = List.of(1L << 20, 64L << 20, 1L << 30);

  private final InputOptions input;
  private final CallOptions calls;
  private final NcclSettings settings;
  private final Optional<Integer> nodes;
  private final Optional<String> calibration;
  private final Streams streams;

  DiffJob(
      InputOptions input,
      CallOptions calls,
      NcclSettings settings,
      Optional<Integer> nodes,
      Optional<String> calibration,
      Streams streams) {
    this.input = input;
    this.calls = calls;
    this.settings = settings;
    this.nodes = nodes;
    this.calibration = calibration;
    this.streams = streams;
  }

  InputOptions input() {
    return input;
  }

  /** The machine of a file; says what is strange about the file. */
  Machine machine(Path file) {
    return new Machine(input.topology(file, streams), settings);
  }

  /** Number of nodes for a job of this machine. */
  int nodes(Machine machine) {
    return nodes.orElse(machine.topology().nets().isEmpty() ? 1 : 2);
  }

  /** A job of equal machines. */
  Job uniform(Machine machine, int count) {
    return Job.ofEqual(machine, count);
  }

  /** A job of one machine with another in the last place. */
  Job with(Machine reference, Machine odd, int count) {
    List<Machine> machines = new ArrayList<>(Collections.nCopies(count - 1, reference));
    machines.add(odd);
    return new Job(machines);
  }

  /** What changes if the machines of a job are those of an edited file. */
  JobChange changeBy(XmlElement edited, JobAnswer before, JobEvaluator evaluator, int count) {
    Topology topology;
    try {
      topology = input.edited(edited);
    } catch (TopologyFormatException e) {
      return JobChange.failed("not possible by itself: " + e.getMessage());
    }
    return JobChange.of(
        before, evaluator.evaluate(uniform(new Machine(topology, settings), count)));
  }

  /** Works out jobs for the calls of the user. */
  JobEvaluator evaluator(Calibration constants) {
    List<CollectiveCall> list = new ArrayList<>();
    for (Collective collective : calls.collectives()) {
      calls.sizes().forEach(size -> list.add(calls.call(collective, size)));
    }
    return new JobEvaluator(StatedGraphs::search, list, new TimingModel(constants));
  }

  /** The constants that the user names, else those that suit a machine. */
  Calibration constants(Machine machine) {
    if (calibration.isEmpty()) {
      return SuitedCalibration.of(machine.topology());
    }
    String name = calibration.get();
    return CalibrationFile.shipped(name).orElseGet(() -> read(name));
  }

  private static Calibration read(String file) {
    try {
      return CalibrationFile.read(Files.readString(Path.of(file)), file);
    } catch (IOException e) {
      throw new TopologyFormatException(
          SourceLocation.of(file),
          "cannot be read, expected a file or one of "
              + String.join(", ", CalibrationFile.SHIPPED));
    }
  }

  /** What the answer says about the job. */
  DiffSettings describe(int count, JobAnswer before, Calibration constants) {
    return new DiffSettings(
        count,
        before.nRanks(),
        before.failure(),
        constants.name(),
        before.isCalibrated(),
        calls.hasSizes() ? calls.sizes() : SHOWN);
  }
}
