package dev.topo.search.tuning;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.CollectiveCall;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.AlgorithmRules;
import dev.topo.search.rules.TuningRules;
import dev.topo.search.tuning.Decision.Choice;
import dev.topo.search.tuning.Decision.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Chooses algorithm, protocol, channels and threads for calls as NCCL does: the fastest by its
 * model, and the first or, by version, the last of equals ({@code getAlgoInfo}, {@code
 * nccl:src/enqueue.cc}). The model of the communicator is computed once, a choice reads its tables.
 * Tuner plugins, buffers that the user has registered and the CTA policy are not modelled.
 * Immutable.
 */
public final class Tuner {

  private static final Algorithm[] ALGORITHMS = Algorithm.values();
  private static final Protocol[] PROTOCOLS = Protocol.values();

  private final CommFacts facts;
  private final TuningRules rules;
  private final NcclSettings settings;
  private final TuningModel model;
  private final ThreadLimits threadLimits;
  private final CostModel costs;

  /**
   * A tuner for a communicator.
   *
   * @throws dev.topo.model.job.SettingException if NCCL would not start with NCCL_ALGO or
   *     NCCL_PROTO
   */
  public Tuner(CommFacts facts, NcclSettings settings) {
    this.facts = facts;
    this.rules = facts.profile().tuning();
    this.settings = settings;
    this.model = new TuningModel(facts, settings);
    this.threadLimits = new ThreadLimits(facts, settings);
    this.costs = new CostModel(facts, model);
  }

  /** Bandwidths and latencies that the choices rest on. */
  public TuningModel model() {
    return model;
  }

  public ThreadLimits threadLimits() {
    return threadLimits;
  }

  /** The facts on which the choices rest. */
  public CommFacts facts() {
    return facts;
  }

  /** The sizes at which the time of a ring leaves its line. */
  List<Long> plateauBytes() {
    return costs.plateauBytes();
  }

  /**
   * The times of a call by every algorithm and protocol that can run it, in NCCL's order; what only
   * runs where nothing else is left is there only then.
   */
  public List<Estimate> estimates(CollectiveCall call) {
    List<Estimate> estimates = new ArrayList<>();
    for (Algorithm algorithm : ALGORITHMS) {
      for (Protocol protocol : PROTOCOLS) {
        float time = costs.timeUs(call, algorithm, protocol);
        if (costs.isWeighed(call, time)) {
          estimates.add(new Estimate(algorithm, protocol, time));
        }
      }
    }
    return estimates;
  }

  public Decision decide(CollectiveCall call) {
    if (call.dataType().isFloat8()) {
      Optional<Refusal> refusal = refuseFloat8(call.collective());
      if (refusal.isPresent()) {
        return refusal.get();
      }
    }
    Algorithm algorithm = Algorithm.TREE;
    Protocol protocol = Protocol.LL;
    float best = rules.tooLongUs;
    for (Algorithm a : ALGORITHMS) {
      for (Protocol p : PROTOCOLS) {
        float time = costs.timeUs(call, a, p);
        if (time >= 0 && rules.isTaken(time, best)) {
          algorithm = a;
          protocol = p;
          best = time;
        }
      }
    }
    return best < rules.tooLongUs ? choice(call, algorithm, protocol, best) : fallback(call);
  }

  private Optional<Refusal> refuseFloat8(Collective collective) {
    AlgorithmRules algorithms = rules.algorithms;
    int sm = algorithms.float8Sm(collective);
    if (facts.minSm() >= sm) {
      return Optional.empty();
    }
    return Optional.of(
        new Refusal(
            algorithms.hasFloat8()
                ? "%s of 8-bit floating point need GPUs of sm %s, the oldest has %s"
                    .formatted(collective.isReduction() ? "reductions" : "calls", sm, facts.minSm())
                : "NCCL " + facts.profile() + " has no 8-bit floating point"));
  }

  /** The fastest ring that only counts where nothing else is left, or a refusal. */
  private Decision fallback(CollectiveCall call) {
    Protocol protocol = Protocol.LL;
    float best = rules.tooLongUs;
    for (Protocol p : PROTOCOLS) {
      float time = costs.fallbackTimeUs(call, p);
      if (time >= 0 && time < best) {
        protocol = p;
        best = time;
      }
    }
    return best < rules.tooLongUs ? choice(call, Algorithm.RING, protocol, best) : refusal(call);
  }

  /**
   * The decision for a call whose algorithm and protocol a tuner plugin or the settings prescribe.
   */
  public Decision decide(CollectiveCall call, Algorithm algorithm, Protocol protocol) {
    float time = costs.timeUs(call, algorithm, protocol);
    return time >= 0 && time < rules.tooLongUs
        ? choice(call, algorithm, protocol, time)
        : new Refusal(
            "%s cannot run with %s and %s here"
                .formatted(call.collective().label(), algorithm.label(), protocol.label()));
  }

  private Choice choice(CollectiveCall call, Algorithm algorithm, Protocol protocol, float timeUs) {
    LaunchShape shape = LaunchShape.of(facts, threadLimits, call.sizeBytes(), algorithm, protocol);
    return new Choice(algorithm, protocol, shape.channels(), shape.threads(), timeUs);
  }

  private Refusal refusal(CollectiveCall call) {
    StringBuilder reason =
        new StringBuilder("no algorithm and protocol can run ").append(call.collective().label());
    List<String> names =
        rules.algorithms.listsKernels()
            ? List.of("NCCL_ALGO", "NCCL_PROTO", "NCCL_SYM_KERNEL")
            : List.of("NCCL_ALGO", "NCCL_PROTO");
    for (String name : names) {
      settings
          .text(name)
          .ifPresent(
              v -> reason.append(settingsSeparator(reason)).append(name).append('=').append(v));
    }
    return new Refusal(reason.toString());
  }

  private static String settingsSeparator(StringBuilder reason) {
    return reason.indexOf("=") < 0 ? " with " : " and ";
  }
}
