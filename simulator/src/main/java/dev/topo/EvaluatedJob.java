package dev.topo;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.explain.Explanation;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Predictor;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryModel;
import dev.topo.simulator.memory.MemoryStep;
import dev.topo.simulator.variant.JobAnswer;
import dev.topo.simulator.variant.TracedCommunicator;
import dev.topo.simulator.verdict.JobExplainer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The answers for a job, each part made when it is first needed, once. For several threads. */
final class EvaluatedJob {
  private final JobPlan plan;
  private final JobEvaluator evaluator;
  private final Inputs inputs;
  private final Lazy<JobPart> part;
  private final Lazy<JobResult> result;
  private final Lazy<JobExplainer> explainer;

  /** Predictors and explainers keep what they find, and are for one thread at a time. */
  private final Object turn = new Object();

  EvaluatedJob(JobPlan plan, JobEvaluator evaluator, Inputs inputs) {
    this.plan = plan;
    this.evaluator = evaluator;
    this.inputs = inputs;
    this.part = new Lazy<>(() -> plan.part(inputs));
    this.result = new Lazy<>(() -> evaluator.evaluate(request()));
    this.explainer =
        new Lazy<>(
            () ->
                new JobExplainer(
                    TracedCommunicator.of(evaluator, request()),
                    plan.spec().settings(),
                    rank -> plan.machine().name()));
  }

  Job job() {
    return part.get().job();
  }

  JobResult result() {
    return result.get();
  }

  private JobRequest request() {
    return new TimeResolver(plan.spec().times(), inputs, note -> {})
        .request(plan.spec().rules().profile(), part.get());
  }

  /** NCCL's choices for some calls, also where it would not start. */
  JobAnswer of(List<Call> calls) {
    return JobAnswer.of(evaluator, request().withCalls(calls));
  }

  List<DomainGraphs> search() {
    boolean crossesNetwork = job().machines().size() > 1;
    return job().machines().stream()
        .distinct()
        .flatMap(
            machine ->
                evaluator.graphs(machine, crossesNetwork, plan.spec().rules().profile()).stream())
        .toList();
  }

  CallChoice tune(Call call) {
    requireTransfers(call);
    return CallChoice.of(result().communicator(), call);
  }

  Prediction predict(Call call) {
    requireRanks(call);
    CallChoice.requireOneGroup(call);
    if (result().connection().nNodes() == 1) {
      requireTransfers(call);
    }
    Predictor predictor = result().predictor();
    synchronized (turn) {
      return predictor
          .predict(call)
          .orElseThrow(
              () ->
                  new SettingException(
                      call.title()
                          + ": "
                          + predictor.obstacle(call).orElse("its time is not known")));
    }
  }

  List<Explanation> explain(Call call) {
    requireRanks(call);
    requireTransfers(call);
    CallChoice.requireOneGroup(call);
    synchronized (turn) {
      return explainer.get().explain(call, Set.of(), List.of());
    }
  }

  MemoryAnswer memory(List<String> steps, Supplier<List<Communicator>> halves) {
    MemoryModel model = new MemoryModel(result().communicator(), halves);
    try {
      return model.answer(
          steps.isEmpty()
              ? MemoryModel.usualSteps()
              : steps.stream().map(MemoryStep::parse).toList());
    } catch (IllegalArgumentException e) {
      throw new SettingException(String.valueOf(e.getMessage()), e);
    }
  }

  List<Caveat> caveats() {
    CaveatCollector caveats =
        new CaveatCollector(
            file -> plan.machine().document().root(),
            () -> false,
            plan.spec()::rules,
            inputs,
            note -> {});
    caveats.addJob(
        Map.of(plan.machine().file(), job().machines().get(0).topology()),
        job().machines().size(),
        false,
        plan.spec().settings());
    return caveats.list();
  }

  private void requireRanks(Call call) {
    JobPlan.require(
        job().nRanks() > 1,
        () -> call.title() + ": one rank has nothing to send, expected 2 ranks or more");
  }

  private void requireTransfers(Call call) {
    JobPlan.require(
        !(call instanceof PeerCall) || PeerPlanner.covers(plan.spec().rules().profile()),
        () ->
            "%s: how NCCL %s divides sends and receives is not modelled, expected %s or newer"
                .formatted(
                    call.title(), plan.spec().rules().release(), PeerPlanner.oldestCovered()));
  }
}
