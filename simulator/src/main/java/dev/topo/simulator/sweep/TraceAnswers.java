package dev.topo.simulator.sweep;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.job.Job;
import dev.topo.model.job.SettingException;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.sweep.JobAnswers.Answer;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import dev.topo.simulator.workload.ExpectedStep;
import dev.topo.simulator.workload.GroupEvaluator;
import dev.topo.simulator.workload.ParallelScale;
import dev.topo.simulator.workload.SiteComparison;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.simulator.workload.WorkloadMemory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Predicts the calls of a traced job on other machines. Not thread-safe.
 *
 * @param job the job on these machines, which are equal
 * @param groups evaluates the communicators of the job
 * @param rules rules of the job's NCCL
 * @param hasMemory whether answers contain NCCL's memory
 */
record TraceAnswers(Job job, GroupEvaluator groups, ReleaseRules rules, boolean hasMemory) {
  /**
   * The expected time of the calls of a step. An error if a machine-specific obstacle stops any
   * call, or if no call has a time; other calls without a time are omitted with a caveat.
   */
  Answer answer(Question.Traces question, Workload traced) {
    ParallelScale scale;
    try {
      scale = scale(question, traced);
    } catch (SettingException e) {
      return Answer.error(String.valueOf(e.getMessage()));
    }
    Map<ProcessGroup, JobResult> results = new LinkedHashMap<>();
    WorkloadComparison comparison =
        WorkloadComparison.of(
            traced,
            group -> {
              JobResult result = groups.of(scale.ranks(group));
              results.put(group, result);
              return result;
            });
    for (SiteComparison site : comparison.sites()) {
      if (site.forecast().isOfMachine()) {
        return Answer.error(obstacle(site));
      }
    }
    List<SiteComparison> expected =
        comparison.sites().stream().filter(site -> site.expected().isPresent()).toList();
    List<SiteComparison> unknown =
        comparison.sites().stream()
            .filter(site -> site.expected().isEmpty() && site.site().kind().group().size() != 1)
            .toList();
    if (expected.isEmpty()) {
      return Answer.error(
          unknown.isEmpty() ? "all groups have one rank" : obstacle(unknown.get(0)));
    }
    Set<String> basis = new LinkedHashSet<>();
    Set<String> sources = new TreeSet<>();
    for (SiteComparison site : expected) {
      CallKind kind = site.site().kind();
      Answer call =
          JobAnswers.answer(
              Objects.requireNonNull(results.get(kind.group())),
              kind.operation().orElseThrow(),
              kind.bytes());
      basis.addAll(call.basisParts());
      sources.add(call.outcome().source());
    }
    sources.remove("");
    Answer answer =
        new Answer(
            Outcome.ofWorkload(ExpectedStep.of(comparison), sources),
            String.join(" | ", basis),
            caveats(question, traced, scale, unknown, results.size()));
    return hasMemory
        ? answer.with(
            WorkloadMemory.of(
                    traced.sites(),
                    job.nRanks(),
                    scale::ranks,
                    group -> groups.of(scale.ranks(group)))
                .map(WorkloadMemory::total))
        : answer;
  }

  /**
   * Scales the traced job to the ranks of this job. Without a rule, this job must have exactly as
   * many nodes as the traced ranks need.
   */
  private ParallelScale scale(Question.Traces question, Workload traced) {
    if (question.scale().isPresent()) {
      try {
        return question.scale().get().scale(traced, job.nRanks());
      } catch (SettingException e) {
        throw new SettingException("scale " + e.getMessage(), e);
      }
    }
    int perNode = job.first().nRanks();
    int needed = (traced.worldSize() + perNode - 1) / perNode;
    if (needed != job.machines().size()) {
      throw new SettingException(
          "the traces have %s ranks, which are %s of these nodes: expected as many nodes, or scale: dp"
              .formatted(traced.worldSize(), needed));
    }
    return ParallelScale.none(traced.worldSize());
  }

  private static String obstacle(SiteComparison comparison) {
    return "%s of group %s: %s"
        .formatted(
            comparison.site().title(),
            comparison.site().kind().group().title(),
            comparison.forecast().reason());
  }

  private List<String> caveats(
      Question.Traces question,
      Workload traced,
      ParallelScale scale,
      List<SiteComparison> unknown,
      int nGroups) {
    List<String> caveats = new ArrayList<>();
    String prefix = question.name() + ": ";
    traced.notes().forEach(note -> caveats.add(prefix + note));
    traced
        .ncclVersion()
        .filter(version -> !version.equals(rules.release().toString()))
        .ifPresent(version -> caveats.add(prefix + "the traces are of NCCL " + version));
    if (!unknown.isEmpty()) {
      caveats.add(
          prefix
              + "left out are %s of %s kinds of calls: %s"
                  .formatted(unknown.size(), traced.sites().size(), obstacle(unknown.get(0))));
    }
    if (scale.copies() > 1) {
      caveats.add(
          prefix
              + "groups that span all nodes, with calls of the same size: "
              + String.join(", ", new TreeSet<>(scale.groups())));
    }
    if (nGroups > 1) {
      caveats.add(
          prefix + "calls of several groups at the same time do not slow each other down here");
    }
    return caveats;
  }
}
