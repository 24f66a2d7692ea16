package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.model.Last;
import dev.topo.model.job.GroupRule;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResolver;
import dev.topo.simulator.memory.JobGroupRequest;
import dev.topo.simulator.memory.MemoryModel;
import dev.topo.simulator.memory.MemoryStep;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sets up the communicators of a job and of its splits, without calls.
 *
 * @param question provides the options that describe the job
 * @param asked evaluates it
 */
record SplitCommunicators(JobQuestion question, AskedJob asked) {
  /** The memory model of a communicator. */
  MemoryModel memory(JobPart part) {
    return new MemoryModel(asked.communicator(part), this::halves);
  }

  /**
   * The kinds of groups that the ranks of a job belong to.
   *
   * @param last a communicator of the last kind of group
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
              group.getKey(), rule, parts, asked::request, options.of(group.getKey())));
    }
    return new GroupedJob(Last.of(parts), kinds);
  }

  /** The communicators of a split by a rule. */
  List<JobPart> parts(String rule) {
    return asked.parts(asked.layout().withSplit(rule));
  }

  /** The communicators of the even ranks and of the odd ranks. */
  private List<Communicator> halves() {
    Map<JobPart, Communicator> communicators = new IdentityHashMap<>();
    return partsOfHalves().stream()
        .map(part -> communicators.computeIfAbsent(part, asked::communicator))
        .toList();
  }

  /**
   * The communicators of the even ranks and of the odd ranks, each evaluated by itself; empty if no
   * step creates them.
   */
  List<JobRequest> halves(List<MemoryStep> steps) {
    return steps.contains(new MemoryStep.Split(MemoryStep.Group.SPLIT_HALVES))
        ? partsOfHalves().stream().map(asked::request).toList()
        : List.of();
  }

  /** The part of each half. If the halves are equal, both refer to the same part. */
  private List<JobPart> partsOfHalves() {
    refuseIf(
        question.job().hasSplit(),
        "--steps: split halves of the communicators of --split are not modelled");
    Map<Integer, JobPart> byColor = new TreeMap<>();
    for (JobPart part : parts("MOD 2")) {
      part.colors().forEach(color -> byColor.put(color, part));
    }
    return List.copyOf(byColor.values());
  }
}
