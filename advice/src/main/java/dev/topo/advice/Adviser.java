package dev.topo.advice;

import dev.topo.advice.CallAdvice.Candidate;
import dev.topo.advice.lever.AskedCall;
import dev.topo.advice.lever.Gain;
import dev.topo.advice.lever.GainFinder;
import dev.topo.advice.lever.Permission;
import dev.topo.advice.lever.Setup;
import dev.topo.advice.lever.SetupFinder;
import dev.topo.advice.lever.SetupPredictor;
import dev.topo.advice.lever.Variant;
import dev.topo.measured.Measurement.Pair;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds what makes the calls of a job faster. Every setup that a user may have is predicted; a way
 * to run a call is advised where even the lower end of the range of its gain is more than what
 * measurements scatter. Of two that gain as much the simpler one is advised. Not for use by several
 * threads.
 */
public final class Adviser {
  /** Gains closer than this to each other, as a part, are the same. */
  private static final double ALIKE = 0.02;

  /** What a plan may cost a call by prediction, as a part: less than measurements scatter. */
  private static final double MOST_LOSS = 0.01;

  private final JobEvaluator evaluator;
  private final JobRequest request;
  private final Set<Permission> may;
  private final SetupPredictor now;
  private final GainFinder gains;
  private final List<SetupPredictor> setups = new ArrayList<>();

  /**
   * For a job.
   *
   * @param request the job with its own settings and buffers
   * @param may what the user may change
   * @throws UnusableTopologyException if NCCL would not start
   */
  public Adviser(JobEvaluator evaluator, JobRequest request, Set<Permission> may) {
    this.evaluator = evaluator;
    this.request = request;
    this.may = Set.copyOf(may);
    this.now = SetupPredictor.of(evaluator, request, Setup.of(request.context().buffers()));
    this.gains =
        new GainFinder(
            now.result().predictor().calibration().map(Calibration::name),
            now.result().communicator().facts().nRanks());
  }

  /** What is advised for calls; those that NCCL refuses are left out. */
  public Advice advise(List<AskedCall> calls) {
    for (Setup setup : new SetupFinder(may, now.result()).all()) {
      if (!setup.equals(now.setup())) {
        SetupPredictor predictor = SetupPredictor.of(evaluator, request, setup);
        if (predictor.isKnown()) {
          setups.add(predictor);
        }
      }
    }
    List<CallAdvice> each = new ArrayList<>();
    for (AskedCall call : calls) {
      now.byChoice(call).ifPresent(present -> each.add(best(present, variants(call))));
    }
    return new Advice(now.result(), may, gains, each, plan(each));
  }

  /** The job as it is. */
  public JobResult now() {
    return now.result();
  }

  private List<Variant> variants(AskedCall call) {
    List<Variant> variants = new ArrayList<>(pairs(now, call));
    for (SetupPredictor setup : setups) {
      setup.byChoice(call).ifPresent(variants::add);
      variants.addAll(pairs(setup, call));
    }
    return variants;
  }

  private List<Variant> pairs(SetupPredictor setup, AskedCall call) {
    return may.contains(Permission.TUNER) ? setup.byPairs(call) : List.of();
  }

  private CallAdvice best(Variant present, List<Variant> variants) {
    Optional<Variant> best = surest(present, variants);
    return best.isPresent()
        ? new CallAdvice(present, best.get(), gain(present, best.get()), Optional.empty())
        : new CallAdvice(present, present, Gain.NONE, candidate(present, variants));
  }

  /** The simplest of those that gain the most for certain. */
  private Optional<Variant> surest(Variant present, List<Variant> variants) {
    List<Variant> certain =
        variants.stream().filter(other -> gain(present, other).isCertain()).toList();
    double most =
        certain.stream().mapToDouble(other -> gain(present, other).least()).max().orElse(1);
    return certain.stream()
        .filter(other -> gain(present, other).least() * (1 + ALIKE) >= most)
        .min(
            Comparator.comparingInt(Variant::effort)
                .thenComparing(Comparator.comparingDouble(Variant::timeUs)));
  }

  /** What is predicted to be fastest, though it is not known to be. */
  private Optional<Candidate> candidate(Variant present, List<Variant> variants) {
    return variants.stream()
        .filter(other -> other.calibrated() == present.calibrated())
        .filter(other -> other.timeUs() * (1 + Gain.NOISE) < present.timeUs())
        .min(Comparator.comparingDouble(Variant::timeUs))
        .map(other -> new Candidate(other, gains.gain(present, other)));
  }

  private Gain gain(Variant present, Variant other) {
    return gains.gain(present, other).orElse(Gain.NONE);
  }

  /** Of setups that slow down no call the one that gains the most, or a simpler one as good. */
  private Plan plan(List<CallAdvice> each) {
    Plan best = plan(now, each).orElseThrow();
    List<Plan> plans = new ArrayList<>();
    for (SetupPredictor setup : setups) {
      plan(setup, each).ifPresent(plans::add);
    }
    plans.sort(Comparator.comparingInt(Plan::effort));
    for (Plan plan : plans) {
      if (plan.score() > best.score() + ALIKE / 2) {
        best = plan;
      }
    }
    return best;
  }

  private Optional<Plan> plan(SetupPredictor setup, List<CallAdvice> each) {
    List<CallAdvice> calls = new ArrayList<>();
    for (CallAdvice one : each) {
      Optional<Variant> chosen = setup.byChoice(one.call());
      if (chosen.isEmpty()) {
        return Optional.empty();
      }
      List<Variant> variants = new ArrayList<>(pairs(setup, one.call()));
      variants.add(chosen.get());
      Optional<Variant> surest = surest(one.now(), variants);
      if (surest.isEmpty() && isSlower(chosen.get(), one.now())) {
        return Optional.empty();
      }
      calls.add(
          new CallAdvice(
              one.now(),
              surest.orElse(one.now()),
              surest.map(best -> gain(one.now(), best)).orElse(Gain.NONE),
              Optional.empty()));
    }
    return Optional.of(new Plan(setup, calls));
  }

  private static boolean isSlower(Variant other, Variant present) {
    return other.timeUs() > present.timeUs() * (1 + MOST_LOSS);
  }

  /** The pair that a plan has for a call of any size; empty where NCCL chooses. */
  public Optional<Pair> pair(Plan plan, AskedCall call) {
    Optional<Variant> present = now.byChoice(call);
    Optional<Variant> chosen = plan.predictor().byChoice(call);
    if (present.isEmpty() || chosen.isEmpty()) {
      return Optional.empty();
    }
    List<Variant> variants = new ArrayList<>(pairs(plan.predictor(), call));
    variants.add(chosen.get());
    return surest(present.get(), variants).flatMap(Variant::forced);
  }
}
