package dev.topo.simulator.sweep;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.ModelLimit;
import dev.topo.model.Alike;
import dev.topo.model.job.Job;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.JobSplitter;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.memory.GroupsModel;
import dev.topo.simulator.memory.JobGroupKind;
import dev.topo.simulator.memory.JobMemory;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import dev.topo.simulator.workload.ExpectedStep;
import dev.topo.simulator.workload.GroupEvaluator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Answers questions about a job of equal nodes. */
final class JobAnswers {
  private static final String ONE_RANK = "one rank has nothing to send";

  private final Job job;
  private final GroupEvaluator groups;
  private final boolean hasMemory;
  private final Map<Question.Group, List<JobResult>> results = new HashMap<>();

  /**
   * An answer to a question.
   *
   * @param basis basis of the times, in words; empty if they are measured
   * @param caveats limits of the model that concern only this question, in words
   */
  record Answer(Outcome outcome, String basis, List<String> caveats) {
    Answer {
      caveats = List.copyOf(caveats);
    }

    Answer(Outcome outcome, String basis) {
      this(outcome, basis, List.of());
    }

    /** This answer with NCCL's memory, if both the time and the memory are known. */
    Answer with(Optional<JobMemory> memory) {
      return outcome.timeUs().isEmpty() || memory.isEmpty()
          ? this
          : new Answer(outcome.withMemory(memory.get().gpuBytes()), basis, caveats);
    }

    /** An answer without a time, and the reason. */
    static Answer error(String why) {
      return new Answer(Outcome.error(why), "");
    }

    private double timeUs() {
      return outcome.timeUs().orElseThrow();
    }

    /** This answer with the caveat that concurrent groups on shared nodes are not modelled. */
    private Answer withSharingCaveat(Question.Group group) {
      return outcome.timeUs().isEmpty()
          ? this
          : new Answer(
              outcome,
              basis,
              Stream.concat(
                      caveats.stream(),
                      Stream.of(
                          "group %s: %s"
                              .formatted(group.label(), ModelLimit.CONCURRENT_GROUPS.message())))
                  .toList());
    }

    List<String> basisParts() {
      return basis.isEmpty() ? List.of() : List.of(basis.split(" \\| "));
    }
  }

  /**
   * Answers questions about a job.
   *
   * @param job the job; its machines are equal
   * @param groups evaluates its communicators
   * @param hasMemory whether answers contain NCCL's memory
   */
  JobAnswers(Job job, GroupEvaluator groups, boolean hasMemory) {
    this.job = job;
    this.groups = groups;
    this.hasMemory = hasMemory;
  }

  /** The answer to a call. If NCCL fails, the answer is that error. */
  Answer answer(Question.OneCall call) {
    Answer answer = answer(call.operation(), call.bytes(), call.group());
    return hasMemory
        ? answer.with(
            memory(List.of(new Question.Call(call.operation(), call.bytes(), call.group(), 1))))
        : answer;
  }

  /** The total time of the calls of a workload, in sequence; no range if a call has none. */
  Answer answer(Question.Workload workload) {
    double time = 0;
    double low = 0;
    double high = 0;
    Set<String> basis = new LinkedHashSet<>();
    Set<String> caveats = new LinkedHashSet<>();
    Set<String> sources = new TreeSet<>();
    boolean hasRange = true;
    for (Question.Call call : workload.calls()) {
      Answer part = answer(call.operation(), call.bytes(), call.group());
      Outcome outcome = part.outcome;
      if (outcome.timeUs().isEmpty()) {
        return Answer.error(call.operation().ncclTestsName() + ": " + outcome.error());
      }
      time += call.count() * outcome.timeUs().getAsDouble();
      hasRange &= outcome.timeLowUs().isPresent() && outcome.timeHighUs().isPresent();
      low += call.count() * outcome.timeLowUs().orElse(0);
      high += call.count() * outcome.timeHighUs().orElse(0);
      sources.add(outcome.source());
      basis.addAll(part.basisParts());
      caveats.addAll(part.caveats);
    }
    Answer answer =
        new Answer(
            Outcome.ofWorkload(new ExpectedStep(time, low, high, hasRange), sources),
            String.join(" | ", basis),
            List.copyOf(caveats));
    return hasMemory ? answer.with(memory(workload.calls())) : answer;
  }

  /** The memory that NCCL takes for calls; empty if it is not known for all groups. */
  private Optional<JobMemory> memory(List<Question.Call> calls) {
    Map<Question.Group, List<Call>> byGroup =
        Alike.by(calls, Question.Call::group, call -> Call.of(call.operation(), call.bytes()));
    List<JobGroupKind> kinds = new ArrayList<>();
    for (Map.Entry<Question.Group, List<Call>> group : byGroup.entrySet()) {
      try {
        List<JobGroupKind.Member> members =
            group.getKey().ranks(job).stream()
                .map(ranks -> new JobGroupKind.Member(groups.of(ranks).communicator(), ranks))
                .toList();
        JobResult first = groups.of(members.get(0).ranks());
        if (!JobMemory.isModelled(first, group.getValue())) {
          return Optional.empty();
        }
        kinds.add(
            new JobGroupKind(
                group.getKey().label(),
                members,
                JobMemory.steps(first.request().context().buffers(), group.getValue())));
      } catch (UnusableTopologyException | SettingException e) {
        return Optional.empty();
      }
    }
    return Optional.of(JobMemory.of(new GroupsModel(job.nRanks(), kinds).answer()));
  }

  /** The answer of the slowest communicator of a group; an error if one communicator has none. */
  private Answer answer(Operation operation, long bytes, Question.Group group) {
    try {
      List<Answer> answers =
          results(group).stream().map(result -> answer(result, operation, bytes)).toList();
      return answers.stream()
          .filter(answer -> answer.outcome.timeUs().isEmpty())
          .findFirst()
          .or(() -> answers.stream().max(Comparator.comparingDouble(Answer::timeUs)))
          .map(answer -> sharesNodes(group) ? answer.withSharingCaveat(group) : answer)
          .orElseGet(() -> Answer.error(ONE_RANK));
    } catch (UnusableTopologyException | SettingException e) {
      return Answer.error(String.valueOf(e.getMessage()));
    }
  }

  private boolean sharesNodes(Question.Group group) {
    return group.rule().filter(rule -> JobSplitter.sharesHosts(job, rule)).isPresent();
  }

  /** Results of the communicators with several ranks; equal ones once. */
  private List<JobResult> results(Question.Group group) {
    List<JobResult> known = results.get(group);
    if (known == null) {
      List<List<Integer>> members = group.ranks(job);
      known = new ArrayList<>();
      // All nodes are equal: one represents all.
      for (List<Integer> ranks :
          group.equals(Question.Group.NODE) ? members.subList(0, 1) : members) {
        if (ranks.size() > 1) {
          JobResult result = groups.of(ranks);
          if (known.stream().noneMatch(other -> other == result)) {
            known.add(result);
          }
        }
      }
      results.put(group, known);
    }
    return known;
  }

  /** The answer to a call of an evaluated job. */
  static Answer answer(JobResult result, Operation operation, long bytes) {
    Call call = Call.of(operation, bytes);
    Optional<Prediction> predicted = result.predict(call);
    if (predicted.isEmpty()) {
      return Answer.error(result.predictor().obstacle(call).orElse("no time is known"));
    }
    Prediction time = predicted.get();
    CommunicatorPredictions forecast =
        time instanceof CollectivePrediction chosen
            ? new CommunicatorPredictions(
                "", result, List.of(PredictedCall.ofChoice(chosen.call(), chosen)), List.of())
            : new CommunicatorPredictions(
                "", result, List.of(), List.of(), List.of((PeerPrediction) time));
    return new Answer(
        outcome(time),
        String.join(" | ", forecast.caveats()),
        result.caveats(List.of(operation)).stream().map(Caveat::toString).toList());
  }

  private static Outcome outcome(Prediction time) {
    return new Outcome(
        time.kernel().isPresent()
            ? time.launchName()
            : time.tunedAlgorithm().map(Algorithm::label).orElse(""),
        time.protocol().label(),
        time.channels(),
        OptionalDouble.of(time.timeUs()),
        time.shortestUs(),
        time.longestUs(),
        OptionalDouble.of(time.algbwGBps()),
        OptionalDouble.of(time.busbwGBps()),
        time.source().label(),
        "",
        OptionalLong.empty());
  }
}
