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
import dev.topo.simulator.memory.MemoryStep;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
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

  /** Memory of a communicator. */
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
  private List<Communicator> halves() {
    Map<JobPart, Communicator> made = new IdentityHashMap<>();
    return partOfHalf().stream()
        .map(part -> made.computeIfAbsent(part, this::communicator))
        .toList();
  }

  /**
   * The communicators of ranks with even and with odd numbers as if they were alone; none where no
   * step makes them.
   */
  List<JobRequest> halves(List<MemoryStep> steps) {
    return steps.contains(new MemoryStep.Split(MemoryStep.Group.SPLIT_HALVES))
        ? partOfHalf().stream().map(this::request).toList()
        : List.of();
  }

  /** Equal halves are one part. */
  private List<JobPart> partOfHalf() {
    if (command.job().hasSplit()) {
      throw new SettingException(
          "--steps: split halves of the communicators of --split are not modelled");
    }
    Map<Integer, JobPart> byColor = new TreeMap<>();
    for (JobPart part : parts("MOD 2")) {
      part.colors().forEach(color -> byColor.put(color, part));
    }
    return List.copyOf(byColor.values());
  }
}
