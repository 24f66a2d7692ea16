package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SpecException;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.simulator.evaluate.DeclaredGpuCheck;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Finds the machines on which files of measurements were made.
 *
 * @param topologyFiles topology files that NCCL used; a run may contain its own
 * @param actualFile the actual machine, if it differs from the declared one
 * @param topologies reads the topology of a file with the given GPUs, or with those that the user
 *     selected if empty
 * @param settings NCCL settings in addition to those in a file of measurements
 * @param gpusPerProcess GPUs of one process; if empty, the number in the file or all
 */
public record MeasuredFiles(
    List<Path> topologyFiles,
    Optional<Path> actualFile,
    BiFunction<Path, Optional<GpuSelection>, Topology> topologies,
    NcclSettings settings,
    OptionalInt gpusPerProcess,
    JobEvaluator evaluator) {
  public MeasuredFiles {
    topologyFiles = List.copyOf(topologyFiles);
  }

  /** Divides the measurements of a file into sets, one for each number of GPUs. */
  List<MeasuredSet> sets(MeasuredRun run, NcclProfile profile) {
    if (run.nodes().orElse(1) > 1) {
      throw new TopologyFormatException(
          run.file(),
          "was measured on "
              + run.nodes().getAsInt()
              + " hosts: the timing model covers one node only");
    }
    NcclSettings merged = run.settings().with(settings);
    List<MeasuredSet> sets = new ArrayList<>();
    for (int count : run.gpuCounts()) {
      List<Measurement> measurements = run.ofRanks(count).measurements();
      Machine machine = new Machine(topology(run, count, profile), merged);
      String name =
          String.format(Locale.ROOT, "%s (%d GPUs)", Path.of(run.file()).getFileName(), count);
      int perProcess = gpusPerProcess.orElse(Math.min(count, run.gpusPerProcess().orElse(count)));
      if (gpusPerProcess.isPresent() && (perProcess < 1 || perProcess > count)) {
        throw new SpecException(
            SpecField.RANKS_PER_PROCESS, " %d: expected 1 to %d", perProcess, count);
      }
      sets.add(
          new MeasuredSet(
                  name,
                  machine,
                  actual(count, merged, run.file()),
                  measurements,
                  profile,
                  evaluator)
              .withGpusPerProcess(perProcess));
    }
    return sets;
  }

  /**
   * The job of a run on several equal nodes.
   *
   * @throws TopologyFormatException if the ranks cannot be on as many nodes
   */
  public JobPart job(MeasuredRun run, int ranks, int nodes, NcclProfile profile) {
    if (ranks % nodes != 0) {
      throw new TopologyFormatException(
          run.file(),
          "was measured on %s GPUs of %s nodes: expected equally many on each"
              .formatted(ranks, nodes));
    }
    Topology node = topology(run, ranks / nodes, profile);
    return JobPart.ofEqual(new Machine(node, run.settings().with(settings)), nodes);
  }

  private Optional<Machine> actual(int count, NcclSettings settings, String file) {
    if (actualFile.isEmpty()) {
      return Optional.empty();
    }
    Topology topology = topologies.apply(actualFile.get(), Optional.empty());
    DeclaredGpuCheck.requireEqual(
        topology.gpus().size(), actualFile.get().toString(), count, "the machine of " + file);
    return Optional.of(new Machine(topology, settings));
  }

  /**
   * Finds the topology with the number of GPUs that took part: one of the user's files, the first
   * GPUs of a larger one, or the one in the run itself.
   */
  private Topology topology(MeasuredRun run, int count, NcclProfile profile) {
    List<Integer> found = new ArrayList<>();
    for (Path file : topologyFiles) {
      Topology topology = topologies.apply(file, Optional.empty());
      if (topology.gpus().size() == count) {
        return topology;
      }
      found.add(topology.gpus().size());
    }
    for (Path file : topologyFiles) {
      Topology topology = topologies.apply(file, Optional.empty());
      Set<Integer> first = new HashSet<>();
      topology.gpus().stream().map(GpuNode::dev).sorted().limit(count).forEach(first::add);
      if (topology.gpus().size() > count && first.size() == count) {
        return topologies.apply(file, Optional.of(GpuSelection.of(first)));
      }
    }
    if (topologyFiles.isEmpty() && run.systems().size() == 1) {
      byte[] system = run.systems().get(0).getBytes(StandardCharsets.UTF_8);
      return TopologySource.build(
          new XmlReader().read(system, run.file() + " (systems[0])"),
          UnknownElements.REJECTED,
          GpuSelection.ALL,
          profile,
          new Diagnostics());
    }
    throw new TopologyFormatException(
        SourceLocation.of(run.file()),
        found.isEmpty()
            ? SpecText.of(
                "was measured on %s GPUs: name their machine with %s FILE",
                count, SpecField.TOPOLOGY)
            : SpecText.of(
                "was measured on %s GPUs, %s has %s: expected as many, or more",
                count, SpecField.TOPOLOGY, found));
  }
}
