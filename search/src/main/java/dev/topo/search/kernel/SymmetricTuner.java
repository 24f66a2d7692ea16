package dev.topo.search.kernel;

import dev.topo.model.Rounding;
import dev.topo.model.io.TextWriter;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.Exclusion.Condition;
import dev.topo.search.rules.SymmetricRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Chooses what runs calls with buffers in symmetric windows: the copy engine where it is allowed
 * ({@code taskAppend}, {@code nccl:src/enqueue.cc}), else the symmetric kernel with the lowest
 * modelled time ({@code ncclMakeSymmetricTaskList}, {@code nccl:src/scheduler/symmetric_sched.cc};
 * {@code ncclSymkPickKernel}, {@code nccl:src/sym_kernels.cc}), else an algorithm. Up to 2.30,
 * NCCL_ALGO, NCCL_PROTO and tuner plugins do not affect this choice, except for kernels with LL in
 * 2.29.3; from 2.31 on lists of algorithms exclude kernels. The rules are for one node; up to 2.26
 * there are no symmetric kernels. Immutable.
 */
public final class SymmetricTuner {
  private static final int WARP = 32;

  private final SymmetricFacts facts;
  private final WindowSettings settings;
  private final SymmetricRules rules;
  private final Conditions conditions;
  private final KernelModel model;
  private final CopyModel copies;

  public SymmetricTuner(SymmetricFacts facts, NcclSettings settings) {
    this.facts = facts;
    this.settings = WindowSettings.of(settings, facts.profile());
    this.rules = facts.profile().symmetric();
    this.conditions = new Conditions(facts, this.settings);
    this.model = new KernelModel(facts, this.settings);
    this.copies = new CopyModel(facts, this.settings);
  }

  /** What runs a call with such buffers, if its algorithm would use LL. */
  public SymmetricDecision decide(SymmetricCall call, Buffers buffers) {
    return decide(call, buffers, true, false);
  }

  /**
   * What runs a call with such buffers.
   *
   * @param byLl whether an algorithm would use LL for the call, with one process per GPU
   * @param inPlace whether the call reads and writes the same buffer
   */
  SymmetricDecision decide(SymmetricCall call, Buffers buffers, boolean byLl, boolean inPlace) {
    if (!rules.hasKernels) {
      return inOlderVersion();
    }
    Optional<String> notModelled = conditions.notModelled();
    if (buffers == Buffers.SYMMETRIC && notModelled.isPresent()) {
      return notKnown(notModelled.get());
    }
    List<Exclusion> ofWindows = conditions.ofWindows(call, buffers);
    List<Exclusion> notCopyEngine = joined(ofWindows, conditions.ofCopyEngine(call));
    if (notCopyEngine.isEmpty()) {
      return byCopyEngine(
          call,
          Exclusion.of(
              Condition.CTA_POLICY,
              "the copy engine comes before kernels with NCCL_CTA_POLICY=" + rules.copyEnginePolicy,
              "NCCL_CTA_POLICY=0"));
    }
    if (ofWindows.isEmpty() && conditions.isGatheredByCopyEngine(call)) {
      return byCopyEngine(
          call,
          Exclusion.of(
              Condition.COPY_ENGINE,
              "the copy engine gathers more than %s elements of each rank (NCCL_SYM_CE_THRESHOLD)"
                  .formatted(conditions.gatherElements())));
    }
    List<Exclusion> notKernel = joined(ofWindows, conditions.ofKernels(call));
    if (!notKernel.isEmpty()) {
      return ordinary(notCopyEngine, notKernel);
    }
    List<KernelCandidate> candidates = llOnlyForLl(candidates(call, inPlace), byLl);
    Execution execution = execution(call, candidates);
    return new SymmetricDecision(execution, notCopyEngine, notKernel, candidates);
  }

  private static List<Exclusion> joined(List<Exclusion> first, List<Exclusion> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private SymmetricDecision byCopyEngine(SymmetricCall call, Exclusion notKernel) {
    return new SymmetricDecision(
        new Execution.CopyEngine(rules.copyEngineCuda, copies.estimate(call)),
        List.of(),
        List.of(notKernel),
        List.of());
  }

  private static SymmetricDecision ordinary(
      List<Exclusion> notCopyEngine, List<Exclusion> notKernel) {
    return new SymmetricDecision(new Execution.Ordinary(), notCopyEngine, notKernel, List.of());
  }

  private SymmetricDecision inOlderVersion() {
    List<Exclusion> none =
        List.of(
            Exclusion.of(
                Condition.VERSION, "NCCL " + facts.profile() + " has no symmetric kernels"));
    return ordinary(none, none);
  }

  private static SymmetricDecision notKnown(String reason) {
    return new SymmetricDecision(new Execution.NotKnown(reason), List.of(), List.of(), List.of());
  }

  /**
   * Excludes the chosen kernel if it uses LL, the algorithm does not, and the version requires
   * both.
   */
  private List<KernelCandidate> llOnlyForLl(List<KernelCandidate> candidates, boolean byLl) {
    if (!rules.llOnlyForLl || byLl || settings.kernels().named().isPresent()) {
      return candidates;
    }
    return candidates.stream()
        .map(
            candidate ->
                candidate.exclusion().isEmpty() && candidate.kernel().isLowLatency()
                    ? new KernelCandidate(
                        candidate.kernel(),
                        candidate.estimate(),
                        Optional.of(
                            Exclusion.of(
                                Condition.LL_ONLY,
                                "NCCL %s runs it only where the algorithm would use LL, by a process for each GPU"
                                    .formatted(facts.profile()),
                                settings.kernels().forcing(candidate.kernel()))))
                    : candidate)
        .toList();
  }

  /** The number of calls of the group whose arguments fit into one launch. */
  private int callsOfLaunch(SymmetricCall call) {
    long fit = (settings.argumentBytes() - rules.fixedArgumentBytes) / rules.callArgumentBytes;
    return (int) Math.max(1, Math.min(call.calls(), fit));
  }

  /** The count of a call in bytes, rounded up to whole cells. */
  private long alignedBytes(SymmetricCall call) {
    return Rounding.up(call.countBytes(facts.nRanks()), rules.cellBytes);
  }

  private List<KernelCandidate> candidates(SymmetricCall call, boolean inPlace) {
    int calls = callsOfLaunch(call);
    long bytes = alignedBytes(call);
    KernelLaunch launch =
        new KernelLaunch(calls, calls * bytes, call.countBytes(facts.nRanks()), inPlace);
    List<KernelCandidate> candidates = new ArrayList<>();
    for (SymmetricKernel kernel : rules.kernels) {
      if (kernel.collective() == call.operation()) {
        Optional<Exclusion> exclusion =
            conditions.ofKernel(kernel, call, bytes).or(() -> Conditions.ofGroup(kernel, calls));
        Optional<KernelEstimate> estimate =
            exclusion.isPresent() ? Optional.empty() : model.estimate(kernel, launch);
        if (exclusion.isEmpty() && estimate.isEmpty()) {
          exclusion = Optional.of(Conditions.tooSmallForTma(model.leastBytes(kernel)));
        }
        candidates.add(new KernelCandidate(kernel, estimate, exclusion));
      }
    }
    return compared(candidates);
  }

  /** The candidates; those slower than the fastest get the reason. */
  private List<KernelCandidate> compared(List<KernelCandidate> candidates) {
    Optional<KernelCandidate> best = Optional.empty();
    for (KernelCandidate candidate : candidates) {
      if (candidate.estimate().isPresent() && (best.isEmpty() || isBetter(candidate, best.get()))) {
        best = Optional.of(candidate);
      }
    }
    if (best.isEmpty()) {
      return candidates;
    }
    KernelCandidate chosen = best.get();
    return candidates.stream()
        .map(rival -> rival == chosen || rival.estimate().isEmpty() ? rival : slower(rival, chosen))
        .toList();
  }

  private boolean isBetter(KernelCandidate candidate, KernelCandidate best) {
    return facts.profile().tuning().isTaken(weighedUs(candidate), weighedUs(best));
  }

  private static float weighedUs(KernelCandidate candidate) {
    return candidate.estimate().orElseThrow().weighedUs();
  }

  private KernelCandidate slower(KernelCandidate candidate, KernelCandidate chosen) {
    String text =
        TextWriter.format(
            "its time, weighed by its blocks, is %.2f us in NCCL's model, that of %s %.2f us",
            weighedUs(candidate), chosen.kernel().label(), weighedUs(chosen));
    return new KernelCandidate(
        candidate.kernel(),
        candidate.estimate(),
        Optional.of(
            Exclusion.of(Condition.SLOWER, text, settings.kernels().forcing(candidate.kernel()))));
  }

  private Execution execution(SymmetricCall call, List<KernelCandidate> candidates) {
    Optional<KernelCandidate> chosen =
        candidates.stream().filter(candidate -> candidate.exclusion().isEmpty()).findFirst();
    if (chosen.isPresent()) {
      return kernel(call, chosen.get());
    }
    if (rules.fallsBack) {
      return new Execution.Ordinary();
    }
    // NCCL decides whether to use a symmetric kernel by the exact size of a call, but chooses the
    // kernel by sizes in whole cells and by the group.
    long bytes = call.countBytes(facts.nRanks());
    boolean promised =
        candidates.stream()
            .anyMatch(candidate -> conditions.ofKernel(candidate.kernel(), call, bytes).isEmpty());
    return promised ? refused() : new Execution.Ordinary();
  }

  private Execution refused() {
    return new Execution.Refused(
        settings
            .kernels()
            .named()
            .map(setting -> setting + " cannot run the call (ncclInvalidUsage)")
            .orElse("no symmetric kernel can run the call in whole cells (ncclInternalError)"));
  }

  private Execution kernel(SymmetricCall call, KernelCandidate chosen) {
    KernelEstimate estimate = chosen.estimate().orElseThrow();
    int calls = callsOfLaunch(call);
    long cells = calls * (alignedBytes(call) / rules.cellBytes);
    long cellsPerBlock = Rounding.quotientUp(cells, estimate.blocks());
    return new Execution.Kernel(
        chosen.kernel(),
        estimate.blocks(),
        rules.channelsByCells ? (int) Rounding.quotientUp(cells, cellsPerBlock) : estimate.blocks(),
        rules.warps * WARP,
        estimate.timeUs(),
        calls);
  }
}
