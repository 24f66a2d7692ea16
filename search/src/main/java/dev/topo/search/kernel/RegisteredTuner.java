package dev.topo.search.kernel;

import dev.topo.model.Rounding;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.engine.ChannelPlan.ChannelLimits;
import dev.topo.search.kernel.RegisteredDecision.Remark;
import dev.topo.search.rules.LaunchRules.RegistrationRules;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.Tuner.Decision;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The changes to the launch of an algorithm when both buffers are registered ({@code getAlgoInfo},
 * {@code nccl:src/enqueue.cc}; {@code ncclRegisterCollNvlsBuffers} and {@code
 * ncclRegisterCollBuffers}, {@code nccl:src/register/coll_reg.cc}): the components with direct
 * access to the buffers, and the reduced number of channels. Assumes that the buffers are
 * registered completely, at the same offsets on all ranks, in memory of {@code ncclMemAlloc}, and
 * that driver and network support that. Immutable.
 */
final class RegisteredTuner {

  private final CommFacts comm;
  private final RegistrationFacts facts;
  private final RegistrationRules rules;
  private final Tuner tuner;
  private final NcclSettings settings;
  private final ChannelLimits limits;

  RegisteredTuner(Communicator communicator, NcclSettings userSettings, RegistrationFacts facts) {
    this.comm = communicator.facts();
    this.facts = facts;
    this.rules = communicator.profile().registration();
    this.tuner = communicator.tuner();
    this.settings = communicator.profile().complete(userSettings);
    this.limits = ChannelLimits.of(settings, communicator.profile().connect());
  }

  /** A decision under construction. */
  private static final class Draft {
    private final CollectiveCall call;
    private final boolean inPlace;
    private final Set<RegisteredPart> parts = EnumSet.noneOf(RegisteredPart.class);
    private final List<Remark> remarks = new ArrayList<>();
    private Choice choice;

    private Draft(CollectiveCall call, boolean inPlace, Choice choice) {
      this.call = call;
      this.inPlace = inPlace;
      this.choice = choice;
    }

    private void remark(String text) {
      remarks.add(new Remark(text, Optional.empty()));
    }

    private void remark(String text, String setting) {
      remarks.add(new Remark(text, Optional.of(setting)));
    }

    private void channels(int channels) {
      choice =
          new Choice(
              choice.algorithm(), choice.protocol(), channels, choice.threads(), choice.timeUs());
    }
  }

  /**
   * NCCL's decision for a call.
   *
   * @param inPlace whether the call reads and writes the same buffer
   */
  RegisteredDecision decide(CollectiveCall call, boolean inPlace) {
    Decision plain = tuner.decide(call);
    Optional<Choice> choice = plain.choice();
    if (choice.isEmpty() || comm.nRanks() == 1) {
      return new RegisteredDecision(plain, plain, Set.of(), List.of());
    }
    Draft draft = new Draft(call, inPlace, choice.get());
    if (isOn("NCCL_LOCAL_REGISTER", 1) && !isOn("NCCL_P2P_USE_CUDA_MEMCPY", 0)) {
      preferNvls(draft);
      register(draft);
    } else if (isOn("NCCL_LOCAL_REGISTER", 1)) {
      draft.remark(
          "NCCL_P2P_USE_CUDA_MEMCPY=1 makes NCCL ignore registrations",
          "NCCL_P2P_USE_CUDA_MEMCPY=0");
    } else {
      draft.remark(
          "NCCL_LOCAL_REGISTER=0 makes NCCL ignore registrations", "NCCL_LOCAL_REGISTER=1");
    }
    return new RegisteredDecision(draft.choice, plain, draft.parts, draft.remarks);
  }

  private boolean isOn(String name, int usual) {
    return settings.integer(name, usual) != 0;
  }

  /**
   * With the efficient CTA policy, NVLS is used where it needs no more channels than the choice.
   */
  private void preferNvls(Draft draft) {
    Collective collective = draft.call.collective();
    boolean gathers =
        collective == Collective.ALL_GATHER || collective == Collective.REDUCE_SCATTER;
    boolean canRun =
        tuner.estimates(draft.call).stream()
            .anyMatch(estimate -> estimate.algorithm() == Algorithm.NVLS);
    if (!gathers || !canRun) {
      return;
    }
    String policy = "NCCL_CTA_POLICY=" + rules.efficientPolicy;
    int channels = nvlsChannels(collective);
    if (!policyIs(rules.efficientPolicy)) {
      if (draft.choice.algorithm() != Algorithm.NVLS && channels <= draft.choice.channels()) {
        draft.remark("%s takes NVLS on %s channels".formatted(policy, channels), policy);
      }
      return;
    }
    Optional<String> stated =
        List.of("NCCL_ALGO", "NCCL_PROTO").stream()
            .filter(name -> settings.text(name).isPresent())
            .findFirst();
    if (stated.isPresent() || facts.severalHosts()) {
      draft.remark(
          "%s has no effect %s"
              .formatted(
                  policy,
                  stated.map(name -> "with " + name).orElse("in an NVLink domain of hosts")));
    } else if (channels > draft.choice.channels()) {
      draft.remark(
          "%s takes NVLS only where that needs no more channels, here %s and %s"
              .formatted(policy, channels, draft.choice.channels()));
    } else {
      float timeUs =
          tuner
              .decide(draft.call, Algorithm.NVLS, Protocol.SIMPLE)
              .choice()
              .map(Choice::timeUs)
              .orElse(draft.choice.timeUs());
      draft.choice =
          new Choice(
              Algorithm.NVLS,
              Protocol.SIMPLE,
              channels,
              tuner.threadLimits().maxThreads(Algorithm.NVLS, Protocol.SIMPLE),
              timeUs);
      draft.remark(
          "%s takes NVLS, on %s channels".formatted(policy, channels), "NCCL_CTA_POLICY=0");
    }
  }

  private boolean policyIs(int policy) {
    return settings.text("NCCL_CTA_POLICY").map(String::strip).stream()
        .anyMatch(String.valueOf(policy)::equals);
  }

  /** {@code ncclNvlsRegResourcesQuery}. */
  private int nvlsChannels(Collective collective) {
    int sm = comm.minSm();
    int forAllHeads =
        comm.nNodes() == 1
            ? rules.nvlsChannelsAlone(collective, sm)
            : rules.nvlsChannels(
                collective,
                sm,
                tuner.model().bandwidthGBps(collective, Algorithm.NVLS, Protocol.SIMPLE));
    int heads = Math.max(1, facts.nvlsHeads());
    return limits.withinCtas((int) Rounding.quotientUp(forAllHeads, heads));
  }

  private void register(Draft draft) {
    Algorithm algorithm = draft.choice.algorithm();
    if (algorithm.isNvls()) {
      registerWithSwitch(draft);
      return;
    }
    if (draft.choice.protocol() != Protocol.SIMPLE) {
      draft.remark(
          "%s copies through NCCL's own buffers: only Simple accesses registered ones"
              .formatted(draft.choice.protocol().label()));
      return;
    }
    switch (algorithm) {
      case RING -> registerRing(draft);
      case TREE -> registerTree(draft);
      case COLLNET_DIRECT, COLLNET_CHAIN -> registerInNetwork(draft);
      case PAT -> draft.remark("PAT does not access registered buffers");
      case NVLS, NVLS_TREE -> throw new IllegalStateException(algorithm.label());
    }
    if (draft.parts.equals(EnumSet.of(RegisteredPart.PEERS))) {
      limitPeerChannels(draft);
    }
  }

  private void registerWithSwitch(Draft draft) {
    boolean single = isOn("NCCL_SINGLE_PROC_MEM_REG_ENABLE", 0);
    if (facts.severalHosts()) {
      draft.remark("NVLS does not access registered buffers in an NVLink domain of hosts");
    } else if (!WindowSettings.hasCuMem(settings)) {
      draft.remark("NVLS accesses buffers of cuMem only", "NCCL_CUMEM_ENABLE=1");
    } else if (facts.sharedProcesses() && !single) {
      draft.remark(
          "NVLS accesses registered buffers only where each GPU has a process of its own",
          "NCCL_SINGLE_PROC_MEM_REG_ENABLE=1");
    } else if (isScaled(draft.call)) {
      draft.remark("NVLS does not access registered buffers with " + draft.call.operator().label());
    } else {
      draft.parts.add(RegisteredPart.NVLS);
      draft.channels(nvlsChannels(draft.call.collective()));
      draft.remark(
          "the NVLink switch accesses the buffers: %s channels reach its bandwidth"
              .formatted(draft.choice.channels()));
      if (comm.nNodes() > 1 && draft.choice.algorithm() == Algorithm.NVLS) {
        draft.parts.add(RegisteredPart.COLLNET);
      }
    }
  }

  private static boolean isScaled(CollectiveCall call) {
    return call.collective().isReduction() && call.operator().isScaledSum();
  }

  private void registerRing(Draft draft) {
    Collective collective = draft.call.collective();
    boolean copies =
        collective == Collective.REDUCE_SCATTER
            || collective == Collective.REDUCE
            || (collective == Collective.ALL_REDUCE && draft.inPlace);
    if (copies) {
      draft.remark(
          "rings of %s%s do not access registered buffers"
              .formatted(collective.label(), draft.inPlace ? " in place" : ""));
      return;
    }
    registerPeers(draft);
    if (comm.nNodes() > 1 && comm.maxLocalRanks() == 1) {
      registerNetwork(draft);
    } else if (comm.nNodes() > 1) {
      draft.remark(
          "whether the network accesses them, too, is not modelled; it changes no channels here");
    }
  }

  private void registerTree(Draft draft) {
    if (draft.inPlace) {
      draft.remark("trees do not access registered buffers in place");
      return;
    }
    registerPeers(draft);
  }

  private void registerPeers(Draft draft) {
    if (comm.maxLocalRanks() == 1) {
      return;
    }
    if (!facts.directPeers()) {
      draft.remark(
          "GPUs of a node are farther apart than NCCL_P2P_LEVEL, or reach each other through a third one");
      return;
    }
    if (!WindowSettings.hasCuMem(settings)
        && (facts.sharedProcesses() || !isOn("NCCL_LEGACY_CUDA_REGISTER", 0))) {
      draft.remark("GPUs of the node access buffers of cuMem only", "NCCL_CUMEM_ENABLE=1");
      return;
    }
    draft.parts.add(RegisteredPart.PEERS);
    draft.remark("GPUs of the node access each other's buffers");
  }

  private void limitPeerChannels(Draft draft) {
    int channels = draft.choice.channels();
    if (comm.nNodes() == 1 && channels > rules.peerChannels && channels <= rules.peerChannelsMost) {
      draft.channels(rules.peerChannels);
      draft.remark(
          "%s channels instead of %s are enough for that".formatted(rules.peerChannels, channels));
    }
  }

  private void registerNetwork(Draft draft) {
    if (!facts.gdr()) {
      draft.remark("without GPUDirect RDMA the network does not access the buffers");
      return;
    }
    draft.parts.add(RegisteredPart.NETWORK);
    Collective collective = draft.call.collective();
    if (collective == Collective.ALL_GATHER || collective == Collective.BROADCAST) {
      draft.channels(rules.networkChannels);
    }
    draft.remark(
        "the network accesses the buffers, on %s of the only rank of each node"
            .formatted(draft.choice.channels() == 1 ? "one channel" : "the channels"));
  }

  private void registerInNetwork(Draft draft) {
    boolean alone = comm.maxLocalRanks() == 1;
    boolean direct = draft.choice.algorithm() == Algorithm.COLLNET_DIRECT;
    if (!direct && draft.inPlace && !alone) {
      draft.remark("chains do not access registered buffers in place");
      return;
    }
    if (!direct || draft.call.collective() != Collective.REDUCE_SCATTER) {
      registerPeers(draft);
    }
    boolean network = direct ? alone || draft.call.collective() != Collective.ALL_REDUCE : alone;
    if (network && !isScaled(draft.call)) {
      draft.parts.add(RegisteredPart.COLLNET);
      if (alone) {
        draft.channels(rules.networkChannels);
      }
      draft.remark("in-network reduction accesses the buffers, if its plugin registers them");
    }
  }
}
