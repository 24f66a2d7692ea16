package dev.topo.cli;

import dev.topo.cli.option.JobOptions;
import dev.topo.cli.option.JobOptions.JobInput;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobPart;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;

/**
 * A command that compares a job with itself: after edits, by the rules of another release, or as it
 * was traced.
 */
abstract class ComparingCommand extends CalibratedCommand {
  @Mixin private JobOptions job = new JobOptions();

  JobOptions job() {
    return job;
  }

  @Override
  CaveatCollector caveats(Supplier<ReleaseRules> rules) {
    CaveatCollector caveats = super.caveats(rules);
    job.state(caveats);
    return caveats;
  }

  /** Input that makes the machines of a job by some rules. */
  JobInput input(NcclSettings settings, NcclProfile profile) {
    return new JobInput(machines(), settings, profile, streams());
  }

  /** The communicators of the job of some files. */
  List<JobPart> parts(List<Path> files, NcclSettings settings, NcclProfile profile) {
    return job.parts(files, input(settings, profile));
  }
}
