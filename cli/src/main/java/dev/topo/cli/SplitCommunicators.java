package dev.topo.cli;

import dev.topo.model.job.GroupRule;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResolver;
import dev.topo.simulator.memory.JobGroupRequest;
import dev.topo.simulator.memory.MemoryModel;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /** What a communicator takes. */
  MemoryModel memory(JobPart part) {
    return new MemoryModel(communicator(part), this::halves);
  }

  /**
   * The groups that the ranks of a job are in.
   *
   * @param last a communicator of the last kind
   */
  record GroupedJob(JobPart last, List<JobGroupRequest> kinds) {}

  GroupedJob grouped(MemoryOptions options) {
    List<JobGroupRequest> kinds = new ArrayList<>();
    List<JobPart> parts = List.of();
    for (Map.Entry<String, String> group : options.groups().entrySet()) {
      GroupRule rule = JobResolver.rule(group.getValue());
      parts = parts(group.getValue());
      kinds.add(
          JobGroupRequest.of(
              group.getKey(), rule, parts, this::request, options.of(group.getKey())));
    }
    return new GroupedJob(parts.get(parts.size() - 1), kinds);
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
