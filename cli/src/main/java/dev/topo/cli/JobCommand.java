package dev.topo.cli;

import dev.topo.cli.option.JobOptions;
import dev.topo.cli.output.Streams;
import dev.topo.model.settings.NcclSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;

/** A command about a job, which is one communicator or, with a split, several. */
abstract class JobCommand extends MachineCommand {
  @Mixin private JobOptions job = new JobOptions();

  JobCommand(Streams streams, Map<String, String> environment) {
    super(streams, environment);
  }

  @Override
  boolean needsNoFile() {
    return job.hasNodeList();
  }

  boolean hasSplit() {
    return job.hasSplit();
  }

  /** The communicators that the question is about, equal ones once. */
  List<JobOptions.JobPart> parts(List<Path> topologyFiles, NcclSettings settings) {
    return job.parts(topologyFiles, input(), settings, streams());
  }

  /** Refuses a communicator in which nothing is sent. */
  static void requireSeveralRanks(JobOptions.JobPart part) {
    if (part.job().nRanks() < 2) {
      throw NothingFoundException.ofOneRank(part.title(), "");
    }
  }

  /** The files of the machines of the job, in rank order. */
  List<Path> machines(List<Path> topologyFiles) {
    return job.machines(topologyFiles);
  }
}
