package dev.topo.search.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.Exclusion.Condition;
import dev.topo.search.kernel.Execution.CopyEngine;
import dev.topo.search.kernel.Execution.Kernel;
import dev.topo.search.kernel.Execution.NotKnown;
import dev.topo.search.kernel.Execution.Ordinary;
import dev.topo.search.kernel.Execution.Refused;
import dev.topo.search.rules.NcclProfile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link SymmetricTuner}: conditions, settings and other versions; choices have a reference. */
class SymmetricTunerTest {
  private static final SymmetricFacts H100_X8 = facts(90, 8, 1, true, true);
  private static final long MIB = 1 << 20;

  private static SymmetricFacts facts(
      int sm, int nRanks, int nNodes, boolean multicast, boolean peerAccess) {
    return new SymmetricFacts(
        NcclProfile.DEFAULT, sm, nRanks, nNodes, multicast, peerAccess, true, true, false);
  }

  private static SymmetricCall reduction(DataType type, ReductionOperator operator, long bytes) {
    return new SymmetricCall(Collective.ALL_REDUCE, bytes, type, operator, 1);
  }

  private static SymmetricCall group(Operation operation, long bytes, int calls) {
    return new SymmetricCall(operation, bytes, DataType.FLOAT32, ReductionOperator.SUM, calls);
  }

  private static SymmetricDecision decide(
      SymmetricFacts facts, SymmetricCall call, String... settings) {
    return new SymmetricTuner(facts, NcclSettings.parse(List.of(settings)))
        .decide(call, Buffers.SYMMETRIC);
  }

  private static SymmetricDecision decide(String... settings) {
    return decide(H100_X8, SymmetricCall.of(Collective.ALL_REDUCE, MIB), settings);
  }

  private static Kernel kernel(SymmetricDecision decision) {
    return assertInstanceOf(Kernel.class, decision.execution());
  }

  private static List<Condition> conditions(List<Exclusion> exclusions) {
    return exclusions.stream().map(Exclusion::condition).toList();
  }

  private static void assertNoKernel(Condition condition, SymmetricDecision decision) {
    assertEquals(new Ordinary(), decision.execution());
    assertEquals(List.of(condition), conditions(decision.notKernel()));
  }

  private static Exclusion exclusion(SymmetricDecision decision, SymmetricKernel kernel) {
    return decision.candidates().stream()
        .filter(candidate -> candidate.kernel() == kernel)
        .flatMap(candidate -> candidate.exclusion().stream())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void anAllReduceRunsByTheSwitch() {
    SymmetricDecision decision = decide();
    assertEquals(SymmetricKernel.ALL_REDUCE_MULTICAST, kernel(decision).kernel());
    assertEquals(1, kernel(decision).blocks());
    assertEquals(4, decision.candidates().size());
    Exclusion slower = exclusion(decision, SymmetricKernel.ALL_REDUCE_LL);
    assertEquals(Condition.SLOWER, slower.condition());
    assertEquals(Optional.of("NCCL_SYM_KERNEL=AllReduce_AGxLL_R"), slower.setting());
    assertEquals(
        List.of(Condition.CTA_POLICY, Condition.OPERATION), conditions(decision.notCopyEngine()));
  }

  @ParameterizedTest
  @CsvSource({
    "NCCL_WIN_ENABLE=0, WINDOWS_OFF, NCCL_WIN_ENABLE=1",
    "NCCL_CUMEM_ENABLE=0, CUMEM_OFF, NCCL_CUMEM_ENABLE=1"
  })
  void settingsSwitchWindowsOff(String setting, Condition condition, String remedy) {
    SymmetricDecision decision = decide(setting);
    assertNoKernel(condition, decision);
    assertEquals(Optional.of(remedy), decision.notKernel().get(0).setting());
    assertInstanceOf(Kernel.class, decide(remedy).execution());
    assertTrue(conditions(decision.notCopyEngine()).contains(condition));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PLAIN", "REGISTERED"})
  void otherBuffersTakeAnAlgorithm(Buffers buffers) {
    assertNoKernel(
        Condition.BUFFERS,
        new SymmetricTuner(H100_X8, NcclSettings.DEFAULTS)
            .decide(SymmetricCall.of(Collective.ALL_REDUCE, MIB), buffers));
  }

  @Test
  void communicatorsWithoutCommonMemoryTakeAnAlgorithm() {
    SymmetricCall call = SymmetricCall.of(Collective.ALL_REDUCE, MIB);
    assertNoKernel(Condition.NODES, decide(facts(90, 16, 2, true, true), call));
    assertNoKernel(Condition.PEER_ACCESS, decide(facts(90, 8, 1, false, false), call));
    assertNoKernel(Condition.ONE_RANK, decide(facts(90, 1, 1, false, true), call));
  }

  @Test
  void kernelsAddFloatingPointNumbersOnly() {
    assertNoKernel(
        Condition.OPERATOR,
        decide(H100_X8, reduction(DataType.FLOAT32, ReductionOperator.AVG, MIB)));
    assertNoKernel(
        Condition.DATA_TYPE,
        decide(H100_X8, reduction(DataType.FLOAT64, ReductionOperator.SUM, MIB)));
    assertNoKernel(
        Condition.DATA_TYPE,
        decide(H100_X8, reduction(DataType.INT32, ReductionOperator.SUM, MIB)));
    SymmetricCall gather =
        new SymmetricCall(Collective.ALL_GATHER, MIB, DataType.FLOAT64, ReductionOperator.MAX, 1);
    assertEquals(SymmetricKernel.ALL_GATHER_MULTICAST, kernel(decide(H100_X8, gather)).kernel());
    assertNoKernel(
        Condition.OPERATION, decide(H100_X8, SymmetricCall.of(Collective.BROADCAST, MIB)));
  }

  @Test
  void theSwitchReduces8BitsOnBlackwellOnly() {
    SymmetricCall call = reduction(DataType.FLOAT8_E4M3, ReductionOperator.SUM, MIB);
    SymmetricDecision hopper = decide(H100_X8, call);
    assertEquals(SymmetricKernel.ALL_REDUCE_LOAD_STORE, kernel(hopper).kernel());
    assertEquals(
        Condition.IN_SWITCH, exclusion(hopper, SymmetricKernel.ALL_REDUCE_MULTICAST).condition());
    assertEquals(
        SymmetricKernel.ALL_REDUCE_MULTICAST,
        kernel(decide(facts(100, 8, 1, true, true), call)).kernel());
    assertNoKernel(Condition.FLOAT8, decide(facts(80, 8, 1, false, true), call));
  }

  @Test
  void withoutMulticastNvlsMayBeOff() {
    SymmetricFacts facts = facts(90, 8, 1, false, true);
    SymmetricCall call = SymmetricCall.of(Collective.ALL_REDUCE, MIB);
    SymmetricKernel kernel = SymmetricKernel.ALL_REDUCE_MULTICAST;
    assertEquals(Optional.empty(), exclusion(decide(facts, call), kernel).setting());
    Exclusion off = exclusion(decide(facts, call, "NCCL_NVLS_ENABLE=0"), kernel);
    assertEquals(Condition.MULTICAST, off.condition());
    assertEquals(Optional.of("NCCL_NVLS_ENABLE=1"), off.setting());
  }

  @Test
  void theBytesOfAllRanksAreLimited() {
    long ll = 2L << 30;
    SymmetricKernel kernel = SymmetricKernel.ALL_GATHER_LL;
    assertEquals(
        Condition.SIZE,
        exclusion(decide(H100_X8, SymmetricCall.of(Collective.ALL_GATHER, ll)), kernel)
            .condition());
    assertEquals(
        Condition.SLOWER,
        exclusion(decide(H100_X8, SymmetricCall.of(Collective.ALL_GATHER, ll / 2)), kernel)
            .condition());
    assertNoKernel(
        Condition.SIZE, decide(H100_X8, SymmetricCall.of(Collective.ALL_GATHER, 64L << 30)));
    assertNoKernel(
        Condition.SIZE, decide(H100_X8, SymmetricCall.of(Collective.ALL_REDUCE, 64L << 30)));
    assertNoKernel(Condition.EMPTY, decide(H100_X8, SymmetricCall.of(Collective.ALL_GATHER, 7)));
  }

  @Test
  void ncclFailsWhereOnlyWholeCellsAreTooLarge() {
    Refused refused =
        assertInstanceOf(
            Refused.class,
            decide(H100_X8, SymmetricCall.of(Collective.ALL_REDUCE, (64L << 30) - 4)).execution());
    assertTrue(refused.reason().contains("ncclInternalError"), refused.reason());
  }

  @Test
  void aNamedKernelRunsOrNone() {
    SymmetricDecision named = decide("NCCL_SYM_KERNEL=AllReduce_AGxLL_R");
    assertEquals(SymmetricKernel.ALL_REDUCE_LL, kernel(named).kernel());
    Exclusion other = exclusion(named, SymmetricKernel.ALL_REDUCE_MULTICAST);
    assertEquals(Condition.NAMED, other.condition());
    for (String name : List.of("AllGather_LL", "allreduce_agxll_r", "")) {
      SymmetricDecision none = decide("NCCL_SYM_KERNEL=" + name);
      assertEquals(new Ordinary(), none.execution());
      assertEquals(4, none.candidates().size());
    }
    assertEquals(decide(), decide("NCCL_SYM_KERNEL=^"));
  }

  @Test
  void llRunsNoGroups() {
    SymmetricDecision decision = decide(H100_X8, group(Collective.ALL_REDUCE, 64, 2));
    assertEquals(Condition.GROUP, exclusion(decision, SymmetricKernel.ALL_REDUCE_LL).condition());
    Refused refused =
        assertInstanceOf(
            Refused.class,
            decide(
                    H100_X8,
                    group(Collective.ALL_REDUCE, 64, 2),
                    "NCCL_SYM_KERNEL=AllReduce_AGxLL_R")
                .execution());
    assertTrue(refused.reason().contains("ncclInvalidUsage"), refused.reason());
  }

  /** 4096 bytes of arguments hold 56 calls; with less room each call may be a launch. */
  @Test
  void aLaunchHoldsAsManyCallsAsItsArguments() {
    assertEquals(50, kernel(decide(H100_X8, group(Collective.ALL_GATHER, 64, 50))).calls());
    assertEquals(56, kernel(decide(H100_X8, group(Collective.ALL_GATHER, 64, 99))).calls());
    SymmetricCall call = group(Collective.ALL_GATHER, 64, 3);
    assertEquals(2, kernel(decide(H100_X8, call, "NCCL_WORK_ARGS_BYTES=608")).calls());
    Kernel single = kernel(decide(H100_X8, call, "NCCL_WORK_ARGS_BYTES=607"));
    assertEquals(1, single.calls());
    assertEquals(SymmetricKernel.ALL_GATHER_LL_MULTICAST, single.kernel());
  }

  @Test
  void settingsLimitBlocks() {
    SymmetricFacts facts = facts(90, 8, 1, false, true);
    SymmetricCall call = SymmetricCall.of(Collective.ALL_REDUCE, 64 * MIB);
    assertEquals(3, kernel(decide(facts, call, "NCCL_MAX_CTAS=3")).blocks());
    assertEquals(32, kernel(decide(facts, call, "NCCL_MIN_CTAS=32")).blocks());
    assertEquals(5, kernel(decide(facts, call, "NCCL_SYM_CTAS=5", "NCCL_MAX_CTAS=3")).blocks());
    assertEquals(64, kernel(decide(facts, call, "NCCL_SYM_CTAS=100")).blocks());
    assertEquals(2, kernel(decide("NCCL_MIN_CTAS=32")).blocks());
  }

  @Test
  void smallCallsUseFewerChannelsThanBlocks() {
    Kernel kernel = kernel(decide(H100_X8, reduction(5 * 1024), "NCCL_SYM_CTAS=4"));
    assertEquals(4, kernel.blocks());
    assertEquals(3, kernel.channels());
  }

  private static SymmetricCall reduction(long bytes) {
    return SymmetricCall.of(Collective.ALL_REDUCE, bytes);
  }

  @Test
  void theCopyEngineNeedsAPolicy() {
    for (Operation operation :
        List.of(
            Collective.ALL_GATHER,
            PeerOperation.ALLTOALL,
            PeerOperation.GATHER,
            PeerOperation.SCATTER)) {
      SymmetricCall call = SymmetricCall.of(operation, MIB);
      SymmetricDecision copied = decide(H100_X8, call, "NCCL_CTA_POLICY=2");
      assertEquals(new CopyEngine("12.5", Optional.empty()), copied.execution());
      assertEquals(Optional.of("NCCL_CTA_POLICY=0"), copied.notKernel().get(0).setting());
      Exclusion policy = decide(H100_X8, call, "NCCL_CTA_POLICY=3").notCopyEngine().get(0);
      assertEquals(Condition.CTA_POLICY, policy.condition());
      assertEquals(Optional.of("NCCL_CTA_POLICY=2"), policy.setting());
    }
    assertEquals(
        SymmetricKernel.ALL_REDUCE_MULTICAST, kernel(decide("NCCL_CTA_POLICY=2")).kernel());
    SymmetricCall exchange = SymmetricCall.of(PeerOperation.SENDRECV, MIB);
    assertEquals(new Ordinary(), decide(H100_X8, exchange, "NCCL_CTA_POLICY=2").execution());
  }

  @ParameterizedTest
  @CsvSource({
    "2.19.3, none",
    "2.26.2, none",
    "2.28.3, known",
    "2.28.7, known",
    "2.28.9, known",
    "2.29.3, known",
    "2.29.7, known",
    "2.30.7, known"
  })
  void otherVersionsSayWhatIsKnown(String version, String knowledge) {
    SymmetricFacts facts =
        new SymmetricFacts(NcclProfile.of(version), 90, 8, 1, true, true, true, true, false);
    SymmetricCall call = SymmetricCall.of(Collective.ALL_REDUCE, MIB);
    SymmetricDecision decision = decide(facts, call);
    switch (knowledge) {
      case "none" -> assertNoKernel(Condition.VERSION, decision);
      default -> assertEquals(decide(), decision);
    }
  }

  @ParameterizedTest
  @CsvSource({"BROADCAST, false", "REDUCE, false", "ALL_REDUCE, false", "REDUCE_SCATTER, true"})
  void onlyPartsOfRanksCanBeEmpty(Collective collective, boolean empty) {
    SymmetricDecision decision = decide(H100_X8, SymmetricCall.of(collective, 8));
    assertEquals(empty, conditions(decision.notKernel()).contains(Condition.EMPTY));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.27.3", "2.27.5"})
  void nccl227RunsAllBlocksOfACallByItself(String version) {
    SymmetricFacts facts =
        new SymmetricFacts(NcclProfile.of(version), 90, 8, 1, false, true, true, true, false);
    SymmetricCall call = SymmetricCall.of(Collective.ALL_REDUCE, 24 << 10);
    assertEquals(10, kernel(decide(facts, call, "NCCL_SYM_CTAS=10")).channels());
    SymmetricFacts newer = facts(90, 8, 1, false, true);
    assertEquals(8, kernel(decide(newer, call, "NCCL_SYM_CTAS=10")).channels());
    assertNoKernel(Condition.GROUP, decide(facts, group(Collective.ALL_REDUCE, MIB, 2)));
    assertNoKernel(Condition.WINDOWS_OFF, decide(facts, call, "NCCL_LOCAL_REGISTER=0"));
    assertEquals(
        List.of(Condition.VERSION),
        conditions(decide(facts, call, "NCCL_CTA_POLICY=2").notCopyEngine()));
  }

  @ParameterizedTest
  @CsvSource({"2.27.5, false", "2.28.3, false", "2.28.7, true", "2.28.9, true"})
  void olderReleasesRequireDirectPeers(String version, boolean runs) {
    SymmetricFacts facts =
        new SymmetricFacts(NcclProfile.of(version), 90, 8, 1, true, true, false, true, false);
    SymmetricDecision decision = decide(facts, SymmetricCall.of(Collective.ALL_REDUCE, MIB));
    assertEquals(runs, decision.execution() instanceof Kernel);
    assertEquals(
        runs ? List.of() : List.of(Condition.PEER_ACCESS), conditions(decision.notKernel()));
  }

  private static SymmetricFacts facts(String version, int sm, int nRanks, boolean nvlink) {
    return new SymmetricFacts(
        NcclProfile.of(version), sm, nRanks, 1, true, true, true, nvlink, false);
  }

  /** NCCL's own functions, compiled outside the project, choose so in 100,548 calls each. */
  @ParameterizedTest
  @CsvSource({
    "2.28.9, AllReduce_RSxLDMC_AGxSTMC, sum",
    "2.29.3, AllReduce_RSxLDMC_AGxSTMC, sum",
    "2.29.7, AllReduce_RSxLD_AGxST, sum",
    "2.30.3, AllReduce_RSxLD_AGxST, sum avg",
    "2.30.7, AllReduce_RSxLD_AGxST, sum avg"
  })
  void twoRanksUseNoMulticastFrom2297OnAndAveragesAreComputedFrom2303On(
      String version, String kernel, String operators) {
    SymmetricFacts two = facts(version, 90, 2, true);
    assertEquals(
        kernel,
        kernel(decide(two, SymmetricCall.of(Collective.ALL_REDUCE, 64 * MIB))).kernel().label());
    for (ReductionOperator operator : List.of(ReductionOperator.SUM, ReductionOperator.AVG)) {
      SymmetricDecision decision = decide(two, reduction(DataType.FLOAT16, operator, MIB));
      assertEquals(
          operators.contains(operator.label()), decision.execution() instanceof Kernel, version);
    }
  }

  @Test
  void from229OnKernelsNeedNvlinkAndTheCopyEngineDoesNot() {
    SymmetricFacts apart = facts("2.29.3", 90, 8, false);
    SymmetricCall call = SymmetricCall.of(Collective.ALL_GATHER, MIB);
    assertNoKernel(Condition.PEER_ACCESS, decide(apart, call));
    for (String policy : List.of("2", "ZERO", "default|zero")) {
      String setting = "NCCL_CTA_POLICY=" + policy;
      assertInstanceOf(CopyEngine.class, decide(apart, call, setting).execution(), policy);
    }
    assertInstanceOf(Kernel.class, decide(H100_X8, call, "NCCL_CTA_POLICY=ZERO").execution());
  }

  /** The threshold counts elements, here of four bytes. */
  @Test
  void from229OnBlackwellGathersMuchByTheCopyEngine() {
    SymmetricCall atMost = SymmetricCall.of(Collective.ALL_GATHER, 8 * 32 * MIB);
    SymmetricCall more = SymmetricCall.of(Collective.ALL_GATHER, 8 * 32 * MIB + 32);
    for (String version : List.of("2.29.3", "2.30.7")) {
      SymmetricFacts blackwell = facts(version, 100, 8, true);
      assertInstanceOf(Kernel.class, decide(blackwell, atMost).execution());
      SymmetricDecision copied = decide(blackwell, more);
      assertInstanceOf(CopyEngine.class, copied.execution());
      assertEquals(List.of(Condition.COPY_ENGINE), conditions(copied.notKernel()));
      assertInstanceOf(
          CopyEngine.class, decide(blackwell, atMost, "NCCL_SYM_CE_THRESHOLD=1").execution());
      assertInstanceOf(Kernel.class, decide(facts(version, 90, 8, true), more).execution());
    }
    assertInstanceOf(Kernel.class, decide(facts("2.28.9", 100, 8, true), more).execution());
  }

  @Test
  void in2293LlRunsOnlyInsteadOfLl() {
    SymmetricCall small = SymmetricCall.of(Collective.ALL_REDUCE, 1024);
    SymmetricTuner tuner = new SymmetricTuner(facts("2.29.3", 90, 8, true), NcclSettings.DEFAULTS);
    assertEquals(
        SymmetricKernel.ALL_REDUCE_LL_MULTICAST,
        kernel(tuner.decide(small, Buffers.SYMMETRIC, true, false)).kernel());
    SymmetricDecision decision = tuner.decide(small, Buffers.SYMMETRIC, false, false);
    assertEquals(new Ordinary(), decision.execution());
    assertEquals(
        Condition.LL_ONLY,
        exclusion(decision, SymmetricKernel.ALL_REDUCE_LL_MULTICAST).condition());
    for (String version : List.of("2.28.9", "2.29.7", "2.30.7")) {
      SymmetricTuner other = new SymmetricTuner(facts(version, 90, 8, true), NcclSettings.DEFAULTS);
      assertInstanceOf(
          Kernel.class, other.decide(small, Buffers.SYMMETRIC, false, false).execution(), version);
    }
  }

  @Test
  void from229OnAnAlgorithmRunsWhatNoKernelCan() {
    String named = "NCCL_SYM_KERNEL=AllReduce_AGxLL_R";
    SymmetricCall large = SymmetricCall.of(Collective.ALL_REDUCE, 4096 * MIB);
    assertEquals(new Ordinary(), decide(facts("2.29.7", 90, 8, true), large, named).execution());
    SymmetricCall edge = SymmetricCall.of(Collective.ALL_REDUCE, 2048 * MIB - 4);
    assertInstanceOf(Refused.class, decide(H100_X8, edge, named).execution());
    assertEquals(new Ordinary(), decide(facts("2.29.7", 90, 8, true), edge, named).execution());
  }

  @Test
  void whatIsNotModelledFrom229OnIsNotKnown() {
    SymmetricCall call = SymmetricCall.of(Collective.ALL_GATHER, MIB);
    SymmetricFacts nodes =
        new SymmetricFacts(NcclProfile.of("2.29.3"), 90, 16, 2, true, true, true, true, false);
    NotKnown unknown = assertInstanceOf(NotKnown.class, decide(nodes, call).execution());
    assertTrue(unknown.reason().contains("several nodes"), unknown.reason());
    String tma = "NCCL_SYM_TMA_ENABLE=1";
    assertInstanceOf(NotKnown.class, decide(facts("2.30.3", 100, 8, true), call, tma).execution());
    assertInstanceOf(Kernel.class, decide(facts("2.30.3", 90, 8, true), call, tma).execution());
  }

  @Test
  void rejectsCallsAndCommunicatorsThatCannotBe() {
    assertThrows(IllegalArgumentException.class, () -> group(Collective.ALL_REDUCE, 8, 0));
    assertThrows(IllegalArgumentException.class, () -> group(Collective.ALL_REDUCE, -8, 1));
    assertThrows(IllegalArgumentException.class, () -> facts(90, 0, 1, true, true));
  }
}
