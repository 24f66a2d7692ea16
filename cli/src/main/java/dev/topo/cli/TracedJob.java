package dev.topo.cli;

import dev.topo.cli.option.EvaluationOptions.CalibrationOptions;
import dev.topo.cli.option.JobOptions.JobInput;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.RankPlaces;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.visualizer.view.JobSummary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A traced job, with the input that builds the machines of its communicators.
 *
 * @param layout the ranks of the job and the machines that they are on
 * @param input builds machines from their files
 * @param whole the job as one communicator
 */
record TracedJob(RankLayout layout, JobInput input, JobPart whole) {
  /** The caveats of the job and of its traces. */
  List<Caveat> caveats(
      CaveatCollector caveats, CalibrationOptions calibration, List<Caveat> ofTraces) {
    caveats.addJob(
        whole.topologies(),
        job().machines().size(),
        false,
        calibration.withoutModelled(settings()));
    caveats.add(ofTraces);
    return caveats.list();
  }

  /** The job as one communicator. */
  Job job() {
    return whole.job();
  }

  /** The name and size of the job. */
  JobSummary summary() {
    return new JobSummary(whole.name(), job().machines().size(), job().nRanks());
  }

  /**
   * A function that computes a value for each communicator. Communicators of GPUs at the same
   * positions share one value.
   */
  <T> Function<ProcessGroup, T> each(Function<Job, T> making) {
    List<Integer> all = IntStream.range(0, job().nRanks()).boxed().toList();
    RankPlaces places = new RankPlaces(job());
    Map<RankPlaces.Shape, T> values = new HashMap<>();
    return group ->
        values.computeIfAbsent(
            places.shape(group.ranks()),
            shape ->
                making.apply(
                    group.ranks().equals(all)
                        ? job()
                        : input.resolve(layout.ofRanks(group.ranks())).whole()));
  }

  NcclSettings settings() {
    return input.settings();
  }

  NcclProfile profile() {
    return input.profile();
  }
}
