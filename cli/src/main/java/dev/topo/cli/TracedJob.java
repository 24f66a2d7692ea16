package dev.topo.cli;

import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.JobOptions;
import dev.topo.cli.option.JobOptions.JobPart;
import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.Topology;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.workload.GroupShape;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The job that was traced, with what makes the machines of its communicators.
 *
 * @param options the machines of the job
 * @param files the file of a node; empty where the options list the nodes
 * @param input reads the machines
 * @param settings the settings of NCCL
 * @param profile the rules of NCCL
 * @param whole the job as one communicator
 */
record TracedJob(
    JobOptions options,
    List<Path> files,
    InputMachines input,
    NcclSettings settings,
    NcclProfile profile,
    Streams streams,
    JobPart whole) {
  /** A job on the machines of some options. */
  static TracedJob of(
      JobOptions options,
      List<Path> files,
      InputMachines input,
      NcclSettings settings,
      NcclProfile profile,
      Streams streams) {
    JobPart whole = options.parts(files, input, settings, profile, streams).get(0);
    return new TracedJob(options, files, input, settings, profile, streams, whole);
  }

  /** The job. */
  Job job() {
    return whole.job();
  }

  /** The machines of the job, by their files. */
  Map<Path, Topology> topologies() {
    Map<Path, Topology> topologies = new LinkedHashMap<>();
    for (int node = 0; node < job().machines().size(); node++) {
      topologies.putIfAbsent(whole.files().get(node), job().machines().get(node).topology());
    }
    return topologies;
  }

  /** Something of each communicator; those of GPUs at the same places have the same. */
  <T> Function<ProcessGroup, T> each(Function<Job, T> making) {
    List<Integer> all = IntStream.range(0, job().nRanks()).boxed().toList();
    return GroupShape.each(
        job(),
        group -> making.apply(group.ranks().equals(all) ? job() : communicator(group.ranks())));
  }

  private Job communicator(List<Integer> ranks) {
    return options.of(ranks).parts(files, input, settings, profile, streams).get(0).job();
  }
}
