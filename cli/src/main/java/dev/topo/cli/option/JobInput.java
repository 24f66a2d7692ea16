package dev.topo.cli.option;

import dev.topo.cli.terminal.Streams;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobResolver;
import dev.topo.simulator.evaluate.JobSpec;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.simulator.evaluate.ResolvedJob;
import dev.topo.simulator.evaluate.TimeSpec;
import dev.topo.visualizer.view.OptionWords;

/**
 * What makes machines of the files of a job.
 *
 * @param machines reads the files
 * @param settings NCCL's settings
 * @param profile the rules by which topologies are built
 * @param streams where notes on the machines go
 */
public record JobInput(
    InputMachines machines, NcclSettings settings, NcclProfile profile, Streams streams) {
  /** One of several jobs, with notes of its own. */
  public ResolvedJob resolve(RankLayout layout) {
    return resolver().resolve(spec(layout));
  }

  /** The job of a layout; nothing is read yet. */
  public JobSpec spec(RankLayout layout) {
    return new JobSpec(
        layout, machines.selection(), settings, ReleaseRules.of(profile), TimeSpec.USUAL);
  }

  JobResolver resolver() {
    return new JobResolver(
        machines, machines.inputs(), note -> streams.message(OptionWords.of(note)));
  }
}
