package dev.topo.cli;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The communicators of a job and of its splits, without calls.
 *
 * @param command has the options that state the job, and evaluates it
 */
record SplitCommunicators(JobCommand command, List<Path> files, NcclSettings settings) {
  /** A communicator as if it were alone. */
  JobRequest request(JobPart part) {
    return JobRequest.of(part.job(), command.version().profile(), List.of());
  }

  /** A communicator as NCCL sets it up. */
  Communicator communicator(JobPart part) {
    return command.evaluator().evaluate(request(part)).communicator();
  }

  /** The communicators of a split by some rule. */
  List<JobPart> parts(String rule) {
    return command.parts(command.job().layout(files).withSplit(rule), settings);
  }

  /** The communicators of ranks with even and with odd numbers. */
  List<Communicator> halves() {
    if (command.job().hasSplit()) {
      throw new SettingException(
          "--steps: split halves of the communicators of --split are not modelled");
    }
    Map<Integer, Communicator> byColor = new TreeMap<>();
    for (JobPart part : parts("MOD 2")) {
      Communicator made = communicator(part);
      part.colors().forEach(color -> byColor.put(color, made));
    }
    return List.copyOf(byColor.values());
  }
}
