package dev.topo.simulator.advice;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Operation;
import dev.topo.search.bound.JobBounds;
import dev.topo.search.bound.OperationBound;
import dev.topo.search.bound.OperationBound.LinkScope;
import dev.topo.search.connect.Connection;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds changes that make the calls of a job faster. Predicts every allowed setup, and advises an
 * alternative if even the lower end of its gain exceeds the scatter of measurements; of two with
 * equal gains, the simpler one. Not thread-safe.
 */
public final class Adviser {
  private final JobEvaluator evaluator;
  private final JobRequest request;
  private final Set<Permission> may;
  private final SetupPredictor now;
  private final GainFinder gains;
  private final CallChooser chooser;
  private final Map<Operation, OperationBound> bounds;
  private final List<SetupPredictor> setups = new ArrayList<>();
  private final Map<Setup, SetupPredictor> predictors = new HashMap<>();

  /**
   * Creates an adviser for a job.
   *
   * @param request the job with its own settings and buffers
   * @param may changes that the user allows
   * @throws UnusableTopologyException if NCCL would not start
   */
  public Adviser(JobEvaluator evaluator, JobRequest request, Set<Permission> may) {
    this.evaluator = evaluator;
    this.request = request;
    this.may = Set.copyOf(may);
    this.now = SetupPredictor.of(evaluator, request, Setup.of(request.context().buffers()));
    this.gains = GainFinder.of(now.result());
    // The links of a declared topology are not those of the machine, so they give no bound.
    this.bounds = request.actual().isPresent() ? Map.of() : bounds(now.result().connection());
    this.chooser = new CallChooser(this.may, gains, bounds);
    setups.add(now);
    predictors.put(now.setup(), now);
    for (Setup setup : new SetupFinder(this.may, now.result()).all()) {
      if (!setup.equals(now.setup())) {
        SetupPredictor predictor = predictor(setup);
        if (predictor.isKnown()) {
          setups.add(predictor);
        }
      }
    }
  }

  private SetupPredictor predictor(Setup setup) {
    return predictors.computeIfAbsent(setup, key -> SetupPredictor.of(evaluator, request, key));
  }

  /** The job as it is. */
  public JobResult now() {
    return now.result();
  }

  public GainFinder gains() {
    return gains;
  }

  /** The settings of all processes to try, beginning with no change. */
  public List<NcclSettings> settings() {
    return setups.stream().map(setup -> setup.setup().settings()).distinct().toList();
  }

  /**
   * Predicts a call after a change of the settings of all processes, whether or not it gains by
   * them.
   *
   * @param settings settings in addition to those of the job
   * @param using further changes of this call, made if they gain for certain: the tuner plugin's
   *     choice, the buffers
   * @return the call before and after; empty if NCCL refuses it or its time is unknown
   */
  public Optional<CallChange> change(Call call, NcclSettings settings, Set<Permission> using) {
    Buffers own = now.setup().buffers();
    Optional<Alternative> present = now.byChoice(call);
    Optional<Alternative> chosen = predictor(new Setup(settings, own)).byChoice(call);
    if (present.isEmpty() || chosen.isEmpty()) {
      return Optional.empty();
    }
    CallChooser allowedChooser = new CallChooser(using, gains, bounds);
    List<Alternative> variants = new ArrayList<>();
    for (Buffers buffers :
        using.contains(Permission.CODE) ? Buffers.values() : new Buffers[] {own}) {
      SetupPredictor predictor = predictor(new Setup(settings, buffers));
      if (predictor.isKnown()) {
        variants.addAll(allowedChooser.variants(predictor, call));
      }
    }
    Alternative then = allowedChooser.surest(present.get(), variants).orElse(chosen.get());
    if (CallChange.isSame(present.get(), then)) {
      return Optional.of(new CallChange(present.get(), then, Optional.of(Gain.NONE)));
    }
    Optional<Gain> gain =
        variants.contains(then) ? gains.gain(present.get(), then) : Optional.empty();
    return Optional.of(new CallChange(present.get(), then, gain));
  }

  /** Finds the advice for calls; those that NCCL refuses are left out. */
  public Advice advise(List<Call> calls) {
    List<CallAdvice> each = new ArrayList<>();
    for (Call call : calls) {
      now.byChoice(call).ifPresent(present -> each.add(chooser.best(present, variants(call))));
    }
    Plan plan = new PlanFinder(chooser, setups).find(each);
    List<Setup> tries =
        setups.stream()
            .map(SetupPredictor::setup)
            .filter(other -> !other.equals(now.setup()))
            .toList();
    return new Advice(now.result(), may, gains, each, plan, tries, graph(calls), bounds);
  }

  private Optional<GraphAnswer> graph(List<Call> calls) {
    if (!may.contains(Permission.GRAPH)) {
      return Optional.empty();
    }
    JobRequest collectivesOnly =
        request
            .withCalls(calls.stream().filter(CollectiveCall.class::isInstance).toList())
            .withCalibration(request.selectedCalibration());
    return Optional.of(new GraphImprover(evaluator).improve(collectivesOnly));
  }

  private static Map<Operation, OperationBound> bounds(Connection connection) {
    JobBounds jobBounds = new JobBounds(connection, LinkScope.PATHS);
    Map<Operation, OperationBound> bounds = new LinkedHashMap<>();
    for (Operation operation : Operation.all()) {
      jobBounds.bound(operation).ifPresent(bound -> bounds.put(operation, bound));
    }
    return bounds;
  }

  private List<Alternative> variants(Call call) {
    return setups.stream().flatMap(setup -> chooser.variants(setup, call).stream()).toList();
  }

  /**
   * The algorithm and protocol that the tuner plugin should choose for a call under a plan; empty
   * for NCCL's own choice.
   */
  Optional<Pair> pair(Plan plan, Call call) {
    SetupPredictor planned = plan.predictors().get(call.operation());
    return planned == null
        ? Optional.empty()
        : now.byChoice(call)
            .flatMap(present -> chooser.surest(present, chooser.variants(planned, call)))
            .flatMap(Alternative::forced);
  }
}
