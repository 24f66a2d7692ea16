package dev.topo.simulator.sweep;

import dev.topo.inspect.caveat.ModelLimit;
import dev.topo.model.job.Job;
import dev.topo.model.job.JobSplitter;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.evaluate.Predictor;
import dev.topo.simulator.memory.GroupsModel;
import dev.topo.simulator.memory.JobGroupKind;
import dev.topo.simulator.memory.JobMemory;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import dev.topo.simulator.workload.GroupEvaluator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Answers questions about a job of equal nodes. */
final class JobAnswers {
  private static final String ONE_RANK = "one rank has nothing to send";

  private final Job job;
  private final GroupEvaluator groups;
  private final boolean hasMemory;
  private final Map<Question.Group, List<JobResult>> results = new HashMap<>();

  /**
   * An answer.
   *
   * @param basis what its times rest on, for people; empty if they are as measured
   * @param caveats what is not modelled for this question alone, for people
   */
  record Answer(Outcome outcome, String basis, List<String> caveats) {
    Answer {
      caveats = List.copyOf(caveats);
    }

    Answer(Outcome outcome, String basis) {
      this(outcome, basis, List.of());
    }

    /** With the memory that NCCL takes, where there is a time and it is known. */
    Answer with(Optional<JobMemory> memory) {
      return outcome.timeUs().isEmpty() || memory.isEmpty()
          ? this
          : new Answer(outcome.withMemory(memory.get().gpuBytes()), basis, caveats);
    }

    /** No answer, for a reason. */
    static Answer error(String why) {
      return new Answer(Outcome.error(why), "");
    }

    private double timeUs() {
      return outcome.timeUs().orElseThrow();
    }

    /** With the caveat that groups which share nodes are not modelled at the same time. */
    private Answer sharing(Question.Group group) {
      return outcome.timeUs().isEmpty()
          ? this
          : new Answer(
              outcome,
              basis,
              List.of(
                  "group %s: %s".formatted(group.label(), ModelLimit.CONCURRENT_GROUPS.message())));
    }

    List<String> basisParts() {
      return basis.isEmpty() ? List.of() : List.of(basis.split(" \\| "));
    }
  }

  /**
   * Answers about a job.
   *
   * @param job its machines, which are equal
   * @param groups evaluates its communicators
   * @param hasMemory whether answers have the memory that NCCL takes
   */
  JobAnswers(Job job, GroupEvaluator groups, boolean hasMemory) {
    this.job = job;
    this.groups = groups;
    this.hasMemory = hasMemory;
  }

  /** The answer to a call; one that NCCL fails on is an answer, too. */
  Answer answer(Question.OneCall call) {
    Answer answer = answer(call.operation(), call.bytes(), call.group());
    return hasMemory
        ? answer.with(
            memory(List.of(new Question.Call(call.operation(), call.bytes(), call.group(), 1))))
        : answer;
  }

  /** The times of calls one after the other; without a range if one of them has none. */
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
            Outcome.ofWorkload(
                time,
                hasRange ? OptionalDouble.of(low) : OptionalDouble.empty(),
                hasRange ? OptionalDouble.of(high) : OptionalDouble.empty(),
                String.join("+", sources)),
            String.join(" | ", basis),
            List.copyOf(caveats));
    return hasMemory ? answer.with(memory(workload.calls())) : answer;
  }

  /** The memory of calls by the groups that make them; empty if it is not known. */
  private Optional<JobMemory> memory(List<Question.Call> calls) {
    Map<Question.Group, List<Call>> byGroup = new LinkedHashMap<>();
    for (Question.Call call : calls) {
      byGroup
          .computeIfAbsent(call.group(), group -> new ArrayList<>())
          .add(Call.of(call.operation(), call.bytes()));
    }
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
                group.getKey().label(), members, JobMemory.steps(first, group.getValue())));
      } catch (UnusableTopologyException | SettingException e) {
        return Optional.empty();
      }
    }
    return Optional.of(JobMemory.of(new GroupsModel(job.nRanks(), kinds).answer()));
  }

  /** The answer of the communicator that takes longest. */
  private Answer answer(Operation operation, long bytes, Question.Group group) {
    try {
      List<Answer> answers =
          results(group).stream().map(result -> answer(result, operation, bytes)).toList();
      return answers.stream()
          .filter(answer -> answer.outcome.timeUs().isEmpty())
          .findFirst()
          .or(() -> answers.stream().max(Comparator.comparingDouble(Answer::timeUs)))
          .map(answer -> sharesNodes(group) ? answer.sharing(group) : answer)
          .orElseGet(() -> Answer.error(ONE_RANK));
    } catch (UnusableTopologyException | SettingException e) {
      return Answer.error(String.valueOf(e.getMessage()));
    }
  }

  private boolean sharesNodes(Question.Group group) {
    return group.rule().filter(rule -> JobSplitter.sharesHosts(job, rule)).isPresent();
  }

  /** The communicators of several ranks, those of equal GPUs once. */
  private List<JobResult> results(Question.Group group) {
    List<JobResult> known = results.get(group);
    if (known == null) {
      List<List<Integer>> members = group.ranks(job);
      known = new ArrayList<>();
      // All nodes are equal.
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

  /** The answer to a call of a job that is evaluated. */
  static Answer answer(JobResult result, Operation operation, long bytes) {
    return operation instanceof Collective collective
        ? collective(result, CollectiveCall.of(collective, bytes))
        : peers(result, (PeerOperation) operation, bytes);
  }

  private static Answer collective(JobResult result, CollectiveCall call) {
    Predictor predictor = result.predictor();
    Optional<CollectivePrediction> predicted = predictor.predict(call, false);
    if (predicted.isEmpty()) {
      return Answer.error(predictor.obstacle(call).orElse("no time is known"));
    }
    CollectivePrediction time = predicted.get();
    PredictedCall shown = PredictedCall.ofChoice(call, time);
    return new Answer(
        outcome(time.kernel().isPresent() ? time.launchName() : time.algorithm().label(), time),
        basis(new Forecast("", result, List.of(shown), List.of())));
  }

  private static Answer peers(JobResult result, PeerOperation operation, long bytes) {
    Optional<PeerPredictor> peers = result.predictor().peers();
    Optional<String> absence = peers.flatMap(PeerPredictor::absence);
    if (absence.isPresent()) {
      return Answer.error(absence.get());
    }
    Optional<PeerPrediction> predicted =
        peers.flatMap(known -> known.predict(new PeerCall(operation, bytes)));
    if (predicted.isEmpty()) {
      return Answer.error("sends and receives are predicted with a calibration only");
    }
    PeerPrediction time = predicted.get();
    return new Answer(
        outcome("", time), basis(new Forecast("", result, List.of(), List.of(), List.of(time))));
  }

  private static Outcome outcome(String algorithm, Prediction time) {
    return new Outcome(
        algorithm,
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

  private static String basis(Forecast forecast) {
    return String.join(" | ", forecast.caveats());
  }
}
