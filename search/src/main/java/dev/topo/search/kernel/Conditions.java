package dev.topo.search.kernel;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.model.operation.SymmetricKernel.Multicast;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.Exclusion.Condition;
import dev.topo.search.rules.SymmetricRules;
import dev.topo.search.rules.SymmetricRules.PeerAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The conditions of the copy engine and of symmetric kernels ({@code taskAppend}, {@code
 * nccl:src/enqueue.cc}; {@code ncclSymkImplemented} and {@code ncclSymkMask}, {@code
 * nccl:src/sym_kernels.cc}).
 */
final class Conditions {
  private final SymmetricFacts facts;
  private final WindowSettings settings;
  private final SymmetricRules rules;

  Conditions(SymmetricFacts facts, WindowSettings settings) {
    this.facts = facts;
    this.settings = settings;
    this.rules = facts.profile().symmetric();
  }

  /**
   * The conditions that exclude both copy engine and kernels: the call is not enqueued, or the
   * buffers cannot be accessed directly.
   */
  List<Exclusion> ofWindows(SymmetricCall call, Buffers buffers) {
    List<Exclusion> found = new ArrayList<>();
    if (call.countBytes(facts.nRanks()) == 0) {
      found.add(Exclusion.of(Condition.EMPTY, "NCCL discards a call without elements"));
    }
    if (facts.nRanks() == 1) {
      found.add(Exclusion.of(Condition.ONE_RANK, "a communicator of one rank only copies"));
    }
    if (call.operation() instanceof Collective collective) {
      ofFloat8(call, collective).ifPresent(found::add);
    }
    ofBuffers(buffers).ifPresent(found::add);
    if (!settings.windows()) {
      found.add(
          Exclusion.of(
              Condition.WINDOWS_OFF, "NCCL_WIN_ENABLE=0 allows no windows", "NCCL_WIN_ENABLE=1"));
    }
    if (!settings.cuMem()) {
      found.add(
          Exclusion.of(
              Condition.CUMEM_OFF,
              "symmetric windows need cuMem, which NCCL_CUMEM_ENABLE switches off",
              "NCCL_CUMEM_ENABLE=1"));
    }
    if (rules.windowsAreRegistrations && !settings.registration()) {
      found.add(
          Exclusion.of(
              Condition.WINDOWS_OFF,
              "NCCL_LOCAL_REGISTER=0 allows no windows",
              "NCCL_LOCAL_REGISTER=1"));
    }
    ofPeers().ifPresent(found::add);
    if (facts.nNodes() > 1 && !rules.acrossNodes) {
      found.add(
          Exclusion.of(
              Condition.NODES,
              "it is for one node or NVLink domain, there are " + facts.nNodes() + " nodes"));
    }
    return found;
  }

  private Optional<Exclusion> ofFloat8(SymmetricCall call, Collective collective) {
    int sm = facts.profile().tuning().algorithms.float8Sm(collective);
    return call.dataType().isFloat8() && facts.sm() < sm
        ? Optional.of(
            Exclusion.of(
                Condition.FLOAT8,
                "NCCL refuses %s of 8-bit floating point below sm %s"
                    .formatted(collective.isReduction() ? "reductions" : "calls", sm)))
        : Optional.empty();
  }

  private Optional<Exclusion> ofPeers() {
    if (!facts.peerAccess()) {
      return Optional.of(
          Exclusion.of(
              Condition.PEER_ACCESS, "CUDA does not let all GPUs of a node access each other"));
    }
    return rules.peerAccess == PeerAccess.P2P_LEVEL && !facts.directPeers()
        ? Optional.of(
            Exclusion.of(
                Condition.PEER_ACCESS,
                "NCCL %s requires all GPUs of the node within NCCL_P2P_LEVEL of each other, without a third GPU between"
                    .formatted(facts.profile())))
        : Optional.empty();
  }

  /** The condition on buffers, which excludes both copy engine and kernels in every version. */
  static Optional<Exclusion> ofBuffers(Buffers buffers) {
    return buffers == Buffers.SYMMETRIC
        ? Optional.empty()
        : Optional.of(
            Exclusion.of(
                Condition.BUFFERS,
                "both buffers must be registered by ncclCommWindowRegister with NCCL_WIN_COLL_SYMMETRIC"));
  }

  /** True if the copy engine runs this AllGather because of its size, whatever the CTA policy. */
  boolean isGatheredByCopyEngine(SymmetricCall call) {
    long elements = call.countBytes(facts.nRanks()) / call.dataType().sizeBytes();
    return call.operation() == Collective.ALL_GATHER
        && facts.sm() >= rules.copyEngineGathersFromSm
        && facts.nvlinkPeers()
        && elements > gatherElements();
  }

  /** Number of elements per rank above which the copy engine runs AllGather. */
  long gatherElements() {
    boolean raisedByTma = !settings.gathersAsStated() && usesTma() && !facts.usesMulticast();
    return settings.gatherElements() * (raisedByTma ? rules.copyEngineBeyondTma : 1);
  }

  /** True if GPUs and settings allow TMA. */
  private boolean usesTma() {
    return settings.tma() && facts.sm() >= rules.tmaSm;
  }

  /** The reason if the version's use of symmetric windows is unknown for this communicator. */
  Optional<String> notModelled() {
    if (rules.acrossNodes && facts.nNodes() > 1) {
      return Optional.of(
          "what NCCL %s runs on symmetric windows of several nodes is not known: its network may have kernels for them (GIN)"
              .formatted(facts.profile()));
    }
    return usesTma() && !rules.hasTmaKernels()
        ? Optional.of("the kernels that NCCL_SYM_TMA_ENABLE=1 adds are not modelled")
        : Optional.empty();
  }

  /** Further conditions that exclude the copy engine. */
  List<Exclusion> ofCopyEngine(SymmetricCall call) {
    if (rules.copyEngineOperations.isEmpty()) {
      return List.of(
          Exclusion.of(
              Condition.VERSION,
              "NCCL %s does not run collectives on copy engines".formatted(facts.profile())));
    }
    List<Exclusion> found = new ArrayList<>();
    if (settings.ctaPolicy() != rules.copyEnginePolicy) {
      String policy = "NCCL_CTA_POLICY=" + rules.copyEnginePolicy;
      found.add(
          Exclusion.of(
              Condition.CTA_POLICY, "the copy engine is used with " + policy + " only", policy));
    }
    if (!rules.copyEngineOperations.contains(call.operation())) {
      found.add(
          Exclusion.of(
              Condition.OPERATION,
              "the copy engine cannot run "
                  + call.operation().label()
                  + (call.isReduction() ? ": it does not reduce" : "")));
    }
    return found;
  }

  /** Further conditions that exclude all symmetric kernels. */
  List<Exclusion> ofKernels(SymmetricCall call) {
    List<Exclusion> found = new ArrayList<>();
    if (rules.kernels.stream().noneMatch(kernel -> kernel.collective() == call.operation())) {
      found.add(
          Exclusion.of(
              Condition.OPERATION, "there is no symmetric kernel for " + call.operation().label()));
      return found;
    }
    if (call.calls() > 1 && !rules.inGroups) {
      found.add(
          Exclusion.of(
              Condition.GROUP,
              "NCCL %s uses them for a call by itself only".formatted(facts.profile())));
    }
    if (call.isReduction() && !rules.operators.contains(call.operator())) {
      found.add(
          Exclusion.of(
              Condition.OPERATOR,
              "symmetric kernels compute %s, not %s"
                  .formatted(
                      rules.operators.contains(ReductionOperator.AVG)
                          ? "sums and averages"
                          : "sums",
                      call.operator().label())));
    }
    if (rules.peerAccess == PeerAccess.NVLINK && !facts.nvlinkPeers()) {
      found.add(
          Exclusion.of(
              Condition.PEER_ACCESS,
              "NCCL %s requires NVLink between all GPUs of the node, without a third GPU between"
                  .formatted(facts.profile())));
    }
    if (call.isReduction() && !rules.sumTypes.contains(call.dataType())) {
      found.add(
          Exclusion.of(
              Condition.DATA_TYPE, "symmetric kernels do not add " + call.dataType().label()));
    }
    if (allRanksBytes(call, call.countBytes(facts.nRanks())) >= rules.belowBytes) {
      found.add(
          Exclusion.of(
              Condition.SIZE,
              "symmetric kernels are for less than %s of all ranks"
                  .formatted(QuantityFormat.exactSize(rules.belowBytes))));
    }
    return found;
  }

  /** The condition that excludes a kernel for a call with this count. */
  Optional<Exclusion> ofKernel(SymmetricKernel kernel, SymmetricCall call, long countBytes) {
    Optional<String> excluding = settings.kernels().excluding(kernel);
    if (excluding.isPresent()) {
      return Optional.of(
          Exclusion.of(
              Condition.NAMED,
              excluding.get() + " excludes it",
              settings.kernels().forcing(kernel)));
    }
    if (kernel.multicast() != Multicast.NONE && !facts.multicast()) {
      String text = "it uses NVLink multicast, which is not there or off";
      return Optional.of(
          settings.nvls()
              ? Exclusion.of(Condition.MULTICAST, text)
              : Exclusion.of(Condition.MULTICAST, text, "NCCL_NVLS_ENABLE=1"));
    }
    if (kernel.multicast() != Multicast.NONE && facts.nRanks() < rules.multicastLeastRanks) {
      return Optional.of(
          Exclusion.of(
              Condition.MULTICAST,
              "NCCL %s uses multicast for it from %s ranks on"
                  .formatted(facts.profile(), rules.multicastLeastRanks)));
    }
    if (kernel.usesTma() && !usesTma()) {
      String text = "it uses TMA, which is there from sm %s on".formatted(rules.tmaSm);
      return Optional.of(
          settings.tma()
              ? Exclusion.of(Condition.TMA, text)
              : Exclusion.of(Condition.TMA, "NCCL_SYM_TMA_ENABLE=0 excludes it"));
    }
    if (kernel.multicast() == Multicast.REDUCTIONS
        && call.dataType().isFloat8()
        && facts.sm() < rules.float8InSwitchSm) {
      return Optional.of(
          Exclusion.of(
              Condition.IN_SWITCH,
              "the switch reduces 8-bit floating point from sm %s on"
                  .formatted(rules.float8InSwitchSm)));
    }
    boolean tooLarge = allRanksBytes(call, countBytes) >= rules.belowBytes;
    if (tooLarge
        || kernel.isLowLatency() && allRanksBytes(call, countBytes) >= rules.llBelowBytes) {
      return Optional.of(
          Exclusion.of(
              Condition.SIZE,
              "it is for less than %s of all ranks"
                  .formatted(
                      QuantityFormat.exactSize(tooLarge ? rules.belowBytes : rules.llBelowBytes))));
    }
    return Optional.empty();
  }

  /** The condition that excludes a kernel from running several calls of a group in one launch. */
  static Optional<Exclusion> ofGroup(SymmetricKernel kernel, int calls) {
    return kernel.isLowLatency() && calls > 1
        ? Optional.of(Exclusion.of(Condition.GROUP, "LL is for a call by itself"))
        : Optional.empty();
  }

  /** The condition that excludes a kernel because the call is too small for its bulk copies. */
  static Exclusion tooSmallForTma(long leastBytes) {
    return Exclusion.of(
        Condition.TMA,
        "its blocks copy in bulk from %s of a call's count on"
            .formatted(QuantityFormat.exactSize(leastBytes)));
  }

  private long allRanksBytes(SymmetricCall call, long countBytes) {
    return call.operation() == Collective.ALL_REDUCE ? countBytes : facts.nRanks() * countBytes;
  }
}
