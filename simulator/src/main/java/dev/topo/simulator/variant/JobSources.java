package dev.topo.simulator.variant;

import dev.topo.model.io.Inputs;
import dev.topo.search.topology.JobMachines.HostFiles;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobResolver;
import dev.topo.simulator.evaluate.JobResolver.ResolvedJob;
import dev.topo.simulator.evaluate.JobSpec;
import dev.topo.simulator.evaluate.TimeResolver;

/**
 * The readers and the evaluator of a job.
 *
 * @param files reads the machines
 * @param inputs reads other files that the job names
 * @param times builds requests for its communicators
 * @param evaluator evaluates them
 */
public record JobSources(
    HostFiles files, Inputs inputs, TimeResolver times, JobEvaluator evaluator) {
  /** The communicators of a job, without notes on assumptions. */
  ResolvedJob resolve(JobSpec spec) {
    return new JobResolver(files, inputs, note -> {}).resolve(spec);
  }

  /** These sources with other files. */
  JobSources with(HostFiles others) {
    return new JobSources(others, inputs, times, evaluator);
  }
}
