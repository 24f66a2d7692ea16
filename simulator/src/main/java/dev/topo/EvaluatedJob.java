package dev.topo;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.explain.Explanation;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResolver;
import dev.topo.simulator.evaluate.JobResolver.ResolvedJob;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.JobSpec;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryModel;
import dev.topo.simulator.memory.MemoryStep;
import dev.topo.simulator.variant.JobAnswer;
import dev.topo.simulator.variant.TracedCommunicator;
import dev.topo.simulator.verdict.JobExplainer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Evaluates a job lazily: each part on first use, and only once. Thread-safe. */
final class EvaluatedJob {
  private final MachineDocument machine;
  private final JobSpec spec;
  private final JobEvaluator evaluator;
  private final Inputs inputs;
  private final Lazy<ResolvedJob> resolved;
  private final Lazy<JobPart> part;
  private final Lazy<JobResult> result;
  private final Lazy<JobExplainer> explainer;

  /** Guards the predictor and the explainer, which cache results and are not thread-safe. */
  private final Object lock = new Object();

  /**
   * An evaluation of a job or of one of its communicators.
   *
   * @param group colour of a communicator of the split; empty for all ranks
   */
  EvaluatedJob(
      MachineDocument machine,
      JobSpec spec,
      Optional<Integer> group,
      JobEvaluator evaluator,
      Inputs inputs) {
    this.machine = machine;
    this.spec = spec;
    this.evaluator = evaluator;
    this.inputs = inputs;
    this.resolved = new Lazy<>(() -> resolved(machine, spec, inputs));
    this.part = new Lazy<>(() -> part(resolved.get(), group));
    this.result = new Lazy<>(() -> evaluator.evaluate(request()));
    this.explainer =
        new Lazy<>(
            () ->
                new JobExplainer(
                    TracedCommunicator.of(evaluator, request()),
                    spec.settings(),
                    rank -> machine.name()));
  }

  /** Resolves the communicators of a job; equal ones of a split form one part. */
  static ResolvedJob resolved(MachineDocument machine, JobSpec spec, Inputs inputs) {
    return new JobResolver(machine, inputs, note -> {}).resolve(spec);
  }

  private static JobPart part(ResolvedJob job, Optional<Integer> group) {
    return job.parts().stream()
        .filter(part -> group.isEmpty() || part.colors().contains(group.get()))
        .findFirst()
        .orElseThrow(
            () ->
                new SettingException(
                    "group %s: the split of %s has no such group"
                        .formatted(
                            group.orElseThrow(),
                            QuantityFormat.count(job.whole().nRanks(), "rank"))));
  }

  Job job() {
    return part.get().job();
  }

  JobResult result() {
    return result.get();
  }

  private NcclProfile profile() {
    return spec.rules().profile();
  }

  private JobRequest request() {
    return new TimeResolver(spec.times(), inputs, note -> {}).request(profile(), part.get());
  }

  /** NCCL's choices for calls, or the reason why NCCL would not start. */
  JobAnswer of(List<Call> calls) {
    return JobAnswer.of(evaluator, request().withCalls(calls));
  }

  List<DomainGraphs> search() {
    boolean crossesNetwork = job().machines().size() > 1;
    return job().machines().stream()
        .distinct()
        .flatMap(node -> evaluator.graphs(node, crossesNetwork, profile()).stream())
        .toList();
  }

  CallChoice tune(Call call) {
    requireTransfers(call);
    return CallChoice.of(result().communicator(), call);
  }

  Prediction predict(Call call) {
    requireRanks(call);
    CallChoice.requireOneGroup(call);
    requireTransfers(call);
    CallPredictor predictor = result().predictor();
    synchronized (lock) {
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
    synchronized (lock) {
      return explainer.get().explain(call, Set.of(), List.of());
    }
  }

  MemoryAnswer memory(List<String> steps, Supplier<List<Communicator>> halves) {
    MemoryModel model = new MemoryModel(result().communicator(), halves);
    try {
      return steps.isEmpty()
          ? model.usual()
          : model.answer(steps.stream().map(MemoryStep::parse).toList());
    } catch (IllegalArgumentException e) {
      throw new SettingException(String.valueOf(e.getMessage()), e);
    }
  }

  List<Caveat> caveats(Call call) {
    return Stream.concat(caveats().stream(), result().caveats(List.of(call.operation())).stream())
        .toList();
  }

  List<Caveat> caveats() {
    CaveatCollector caveats =
        new CaveatCollector(machine::system, () -> false, spec::rules, inputs, note -> {});
    caveats.addJob(
        part.get().topologies(),
        job().machines().size(),
        resolved.get().sharesHosts(),
        spec.settings());
    return caveats.list();
  }

  private void requireRanks(Call call) {
    Topo.require(
        job().nRanks() > 1,
        () -> call.title() + ": one rank has nothing to send, expected 2 ranks or more");
  }

  private void requireTransfers(Call call) {
    Topo.require(
        !(call instanceof PeerCall) || PeerPlanner.covers(profile()),
        () ->
            "%s: how NCCL %s divides sends and receives is not modelled, expected %s or newer"
                .formatted(call.title(), spec.rules().release(), PeerPlanner.oldestCovered()));
  }
}
