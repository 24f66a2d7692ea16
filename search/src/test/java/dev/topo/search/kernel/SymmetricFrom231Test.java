package dev.topo.search.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.Exclusion.Condition;
import dev.topo.search.kernel.Execution.CopyEngine;
import dev.topo.search.kernel.Execution.Kernel;
import dev.topo.search.kernel.Execution.Ordinary;
import dev.topo.search.rules.NcclProfile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What NCCL 2.31.2 and 2.32.3 run otherwise on symmetric windows ({@code
 * nccl:src/tuning/sym_model.cc}, the folder {@code sym_model}, and {@code ce_model.cc}). The
 * functions of 2.31.2, compiled outside the project, choose the same kernels and blocks in the same
 * time in 5.4 million calls; those that match 2.32.3 in 0.6 million.
 */
class SymmetricFrom231Test {
  private static final String NEW = "2.31.2";
  private static final long MIB = 1 << 20;

  private static SymmetricFacts facts(String version, int sm, int nRanks, boolean multicast) {
    return facts(version, sm, nRanks, multicast, false);
  }

  private static SymmetricFacts facts(
      String version, int sm, int nRanks, boolean multicast, boolean armCpu) {
    return new SymmetricFacts(
        NcclProfile.of(version), sm, nRanks, 1, multicast, true, true, true, armCpu);
  }

  private static SymmetricDecision decide(
      SymmetricFacts facts, Collective collective, long bytes, String... settings) {
    return new SymmetricTuner(facts, NcclSettings.parse(List.of(settings)))
        .decide(SymmetricCall.of(collective, bytes), Buffers.SYMMETRIC);
  }

  private static Kernel kernel(SymmetricDecision decision) {
    return assertInstanceOf(Kernel.class, decision.execution());
  }

  private static float weighedUs(SymmetricDecision decision) {
    return candidate(decision, kernel(decision).kernel()).estimate().orElseThrow().weighedUs();
  }

  private static KernelCandidate candidate(SymmetricDecision decision, SymmetricKernel kernel) {
    return decision.candidates().stream()
        .filter(candidate -> candidate.kernel() == kernel)
        .findFirst()
        .orElseThrow();
  }

  private static Condition condition(SymmetricDecision decision, SymmetricKernel kernel) {
    return candidate(decision, kernel).exclusion().orElseThrow().condition();
  }

  private static CopyEngine copied(SymmetricFacts facts, long rankBytes, String... settings) {
    String[] all = List.of(settings).toArray(new String[settings.length + 1]);
    all[settings.length] = "NCCL_CTA_POLICY=2";
    return assertInstanceOf(
        CopyEngine.class,
        decide(facts, Collective.ALL_GATHER, rankBytes * facts.nRanks(), all).execution());
  }

  /** Sizes are those of a rank's part; the time has what NCCL adds for the blocks. */
  @ParameterizedTest
  @CsvSource({
    "90, 8, true, ALL_REDUCE, 67108864, AllReduce_RSxLDMC_AGxSTMC, 2, 160.952362",
    "90, 5, true, ALL_GATHER, 67108864, AllGather_STMC, 4, 869.671448",
    "100, 8, true, ALL_REDUCE, 67108864, AllReduce_RSxLDMC_AGxSTMC, 4, 97.6937637",
    "100, 8, false, ALL_REDUCE, 67108864, AllReduce_RSxTmaLD_AGxTmaST, 14, 262.218109",
    "100, 8, false, ALL_REDUCE, 33554432, AllReduce_RSxLD_AGxST, 12, 145.770966",
    "100, 8, false, ALL_GATHER, 1048576, AllGather_ST, 12, 30.8151493",
    "100, 8, false, ALL_GATHER, 14680064, AllGather_TmaST, 16, 229.052612",
    "100, 8, false, REDUCE_SCATTER, 1024, ReduceScatter_LL, 2, 11.5739527",
    "100, 8, false, REDUCE_SCATTER, 1048576, ReduceScatter_LD, 14, 30.5274181",
    "100, 8, false, REDUCE_SCATTER, 7340032, ReduceScatter_TmaLD, 14, 116.199684"
  })
  void kernelsAreThoseOfTheRelease(
      int sm,
      int nRanks,
      boolean multicast,
      Collective collective,
      long bytes,
      String kernel,
      int blocks,
      float weighedUs) {
    long size = collective == Collective.ALL_REDUCE ? bytes : bytes * nRanks;
    SymmetricDecision decision =
        decide(
            facts(NEW, sm, nRanks, multicast),
            collective,
            size,
            "NCCL_SYM_CE_THRESHOLD=100000000000");
    assertEquals(kernel, kernel(decision).kernel().label());
    assertEquals(blocks, kernel(decision).blocks());
    assertEquals(512, kernel(decision).threads());
    assertEquals(weighedUs, weighedUs(decision));
  }

  @ParameterizedTest
  @CsvSource({"2.30.7, 11", "2.31.2, 12"})
  void blocksAreEven(String version, int blocks) {
    SymmetricDecision decision =
        decide(facts(version, 100, 8, false), Collective.ALL_REDUCE, 4 * MIB);
    assertEquals("AllReduce_RSxLD_AGxST", kernel(decision).kernel().label());
    assertEquals(blocks, kernel(decision).blocks());
    SymmetricFacts facts = facts(version, 100, 8, false);
    boolean isNew = version.equals(NEW);
    assertEquals(
        isNew ? 4 : 3, kernel(decide(facts, Collective.ALL_REDUCE, 8, "NCCL_MIN_CTAS=3")).blocks());
    assertEquals(
        isNew ? 6 : 7,
        kernel(decide(facts, Collective.ALL_REDUCE, 64 * MIB, "NCCL_MAX_CTAS=7")).blocks());
    assertEquals(
        5, kernel(decide(facts, Collective.ALL_REDUCE, 64 * MIB, "NCCL_SYM_CTAS=5")).blocks());
  }

  /** 8 ranks of 16 KiB a block, of AllGather 8 KiB a block, with multicast 4 KiB. */
  @Test
  void tmaNeedsBlackwellAndLargeCalls() {
    SymmetricFacts blackwell = facts(NEW, 100, 8, true);
    SymmetricKernel reduce = SymmetricKernel.ALL_REDUCE_TMA;
    long least = 8 * 16384;
    assertEquals(
        Condition.TMA, condition(decide(blackwell, Collective.ALL_REDUCE, least - 4), reduce));
    assertEquals(
        Condition.SLOWER, condition(decide(blackwell, Collective.ALL_REDUCE, least), reduce));
    assertEquals(
        Condition.TMA,
        condition(
            decide(blackwell, Collective.ALL_REDUCE, 2 * least - 4, "NCCL_SYM_CTAS=2"), reduce));
    SymmetricDecision gather = decide(blackwell, Collective.ALL_GATHER, 8 * 4096);
    assertEquals(Condition.TMA, condition(gather, SymmetricKernel.ALL_GATHER_TMA));
    assertEquals(Condition.SLOWER, condition(gather, SymmetricKernel.ALL_GATHER_TMA_MULTICAST));
    for (SymmetricDecision none :
        List.of(
            decide(facts(NEW, 90, 8, true), Collective.ALL_REDUCE, 64 * MIB),
            decide(blackwell, Collective.ALL_REDUCE, 64 * MIB, "NCCL_SYM_TMA_ENABLE=0"))) {
      assertEquals(Condition.TMA, condition(none, reduce));
    }
    SymmetricDecision named =
        decide(blackwell, Collective.ALL_REDUCE, 8, "NCCL_SYM_KERNEL=" + reduce.label());
    assertEquals(reduce, kernel(named).kernel());
  }

  @Test
  void listsOfAlgorithmsExcludeKernels() {
    SymmetricFacts facts = facts(NEW, 90, 8, true);
    for (String setting : List.of("NCCL_ALGO=Ring", "NCCL_SYM_KERNEL=AllGather_LL")) {
      SymmetricDecision decision = decide(facts, Collective.ALL_REDUCE, MIB, setting);
      assertEquals(new Ordinary(), decision.execution(), setting);
      Exclusion excluded = decision.candidates().get(0).exclusion().orElseThrow();
      assertEquals(Condition.NAMED, excluded.condition());
      assertEquals(setting + " excludes it", excluded.text());
      assertEquals(Optional.of("NCCL_SYM_KERNEL=AllReduce:AllReduce_AGxLL_R"), excluded.setting());
    }
    for (String setting :
        List.of("NCCL_PROTO=Simple", "NCCL_ALGO=allgather:Ring", "NCCL_SYM_KERNEL=^")) {
      assertEquals(
          decide(facts, Collective.ALL_REDUCE, MIB),
          decide(facts, Collective.ALL_REDUCE, MIB, setting),
          setting);
    }
    assertEquals(
        SymmetricKernel.ALL_REDUCE_LL,
        kernel(
                decide(
                    facts,
                    Collective.ALL_REDUCE,
                    MIB,
                    "NCCL_SYM_KERNEL=allreduce:allreduce_agxll_r"))
            .kernel());
    assertEquals(
        SymmetricKernel.ALL_REDUCE_LOAD_STORE,
        kernel(
                decide(
                    facts,
                    Collective.ALL_REDUCE,
                    MIB,
                    "NCCL_SYM_KERNEL=^AllReduce_RSxLDMC_AGxSTMC"))
            .kernel());
    assertThrows(
        SettingException.class,
        () -> decide(facts, Collective.ALL_REDUCE, MIB, "NCCL_SYM_KERNEL=AllReduce_XY"));
    assertInstanceOf(
        Kernel.class,
        decide(facts("2.30.7", 90, 8, true), Collective.ALL_REDUCE, MIB, "NCCL_ALGO=Ring")
            .execution());
  }

  /** The threshold counts elements, here of four bytes. */
  @ParameterizedTest
  @CsvSource({
    "2.30.7, true, '', 8",
    "2.30.7, false, '', 8",
    "2.31.2, true, '', 8",
    "2.31.2, false, '', 32",
    "2.31.2, false, NCCL_SYM_TMA_ENABLE=0, 8",
    "2.31.2, false, NCCL_SYM_CE_THRESHOLD=8388608, 8"
  })
  void theCopyEngineGathersBeyondTma(
      String version, boolean multicast, String setting, long elements) {
    SymmetricFacts facts = facts(version, 100, 8, multicast);
    String[] settings = setting.isEmpty() ? new String[0] : new String[] {setting};
    long bytes = 8 * 4 * elements * MIB;
    assertInstanceOf(
        Kernel.class, decide(facts, Collective.ALL_GATHER, bytes, settings).execution());
    assertInstanceOf(
        CopyEngine.class, decide(facts, Collective.ALL_GATHER, bytes + 32, settings).execution());
  }

  /**
   * From 2.32 on AllGather on GPUs of Blackwell has times fitted to measurements. Sizes are those
   * of a rank's part; blocks and times are those of the release's functions, compiled outside the
   * project.
   */
  @ParameterizedTest
  @CsvSource({
    "100, 4, false, false, 64, AllGather_LL, 1, 7.47161722, 7.6210494",
    "100, 7, true, false, 368, AllGather_LLMC, 1, 8.04090023, 8.20171833",
    "100, 72, false, false, 142940, AllGather_ST, 10, 30.5482941, 36.6579552",
    "100, 72, false, true, 2052, AllGather_ST, 2, 15.7172279, 16.3459167",
    "100, 7, true, false, 30056, AllGather_STMC, 2, 8.96355247, 9.32209396",
    "100, 7, false, false, 47453132, AllGather_TmaST, 12, 441.9216, 547.982788",
    "100, 6, true, false, 5308, AllGather_TmaSTMC, 1, 8.67376804, 8.84724331",
    "103, 4, false, false, 3764, AllGather_LL, 4, 8.07068062, 8.7163353",
    "103, 7, true, false, 1032, AllGather_LLMC, 1, 8.15651894, 8.31964874",
    "103, 6, false, false, 696235436, AllGather_ST, 12, 5409.63574, 6707.94824",
    "103, 5, false, true, 311748, AllGather_ST, 10, 12.7492905, 15.2991495",
    "103, 18, true, false, 1876, AllGather_STMC, 1, 9.33221817, 9.51886272",
    "103, 4, false, false, 18295684, AllGather_TmaST, 16, 91.9906769, 121.427689",
    "103, 5, true, false, 47453132, AllGather_TmaSTMC, 4, 340.29425, 367.517792"
  })
  void gathersOfBlackwellHaveFittedTimes(
      int sm,
      int nRanks,
      boolean multicast,
      boolean inPlace,
      long bytes,
      String kernel,
      int blocks,
      float timeUs,
      float weighedUs) {
    SymmetricDecision decision = gather("2.32.3", sm, nRanks, multicast, inPlace, bytes, 1);
    assertEquals(kernel, kernel(decision).kernel().label());
    assertEquals(blocks, kernel(decision).blocks());
    assertEquals(timeUs, kernel(decision).timeUs());
    assertEquals(weighedUs, weighedUs(decision));
  }

  private static SymmetricDecision gather(
      String version,
      int sm,
      int nRanks,
      boolean multicast,
      boolean inPlace,
      long bytes,
      int calls) {
    SymmetricCall call =
        new SymmetricCall(
            Collective.ALL_GATHER, bytes * nRanks, DataType.FLOAT32, ReductionOperator.SUM, calls);
    return new SymmetricTuner(
            facts(version, sm, nRanks, multicast),
            NcclSettings.parse(List.of("NCCL_SYM_CE_THRESHOLD=100000000000")))
        .decide(call, Buffers.SYMMETRIC, true, inPlace);
  }

  /** Groups, other GPUs and other collectives have the times of 2.31.2. */
  @Test
  void otherCallsHaveTheTimesOfTheReleaseBefore() {
    for (int calls : List.of(1, 3)) {
      for (int sm : List.of(90, 100, 120)) {
        boolean isFitted = calls == 1 && sm == 100;
        assertEquals(
            !isFitted,
            gather("2.32.3", sm, 8, true, false, MIB, calls)
                .equals(gather(NEW, sm, 8, true, false, MIB, calls)),
            calls + " calls, sm " + sm);
      }
    }
    for (Collective collective : List.of(Collective.ALL_REDUCE, Collective.REDUCE_SCATTER)) {
      assertEquals(
          decide(facts(NEW, 100, 8, true), collective, 8 * MIB),
          decide(facts("2.32.3", 100, 8, true), collective, 8 * MIB));
    }
  }

  /** Times of the release's own function, compiled outside the project. */
  @ParameterizedTest
  @CsvSource({
    "8, false, false, unicast, 666.182495",
    "8, true, false, unicast, 666.182495",
    "4, false, false, unicast, 665.662476",
    "4, true, false, multicast, 662.790466"
  })
  void copiesAreEstimated(
      int nRanks, boolean multicast, boolean armCpu, String copies, float timeUs) {
    CopyEstimate estimate =
        copied(facts(NEW, 100, nRanks, multicast, armCpu), 64 * MIB).copies().orElseThrow();
    assertEquals(copies, estimate.label());
    assertEquals(timeUs, estimate.timeUs());
    assertEquals(multicast && nRanks == 4, estimate.limitedByDriver());
  }

  /**
   * Out of place a rank copies its own part, too, which takes longer from ten times as slow a
   * memory on; in a CUDA graph the ranks wait for each other between eight copies of a large call.
   */
  @ParameterizedTest
  @CsvSource({
    "90, 2, 1048576, false, 31.3062248, 24.0889378, unicast, 24.9749374",
    "90, 8, 67108864, false, 1231.52856, 1231.52856, unicast, 1257.63257",
    "100, 2, 67108864, false, 665.402466, 118.447449, unicast, 121.755455",
    "100, 8, 1048576, true, 41.0044327, 41.0044327, multicast, 57.3184357",
    "100, 8, 67108864, true, 666.182495, 636.112183, unicast, 678.624146",
    "100, 18, 33554432, false, 766.633362, 766.633362, unicast, 1158.94934",
    "100, 36, 33554432, false, 1544.30042, 1544.30042, unicast, 2818.50049"
  })
  void copiesInPlaceAndInGraphsAreEstimated(
      int sm,
      int nRanks,
      long bytes,
      boolean multicast,
      float outOfPlaceUs,
      float inPlaceUs,
      String inGraph,
      float inGraphUs) {
    CopyEstimate estimate = copied(facts(NEW, sm, nRanks, multicast), bytes).copies().orElseThrow();
    assertEquals(outOfPlaceUs, estimate.outOfPlace().timeUs());
    assertEquals(inPlaceUs, estimate.inPlace().timeUs());
    assertEquals(inGraph, estimate.inGraph().label());
    assertEquals(inGraphUs, estimate.inGraph().timeUs());
  }

  @Test
  void copiesAreMulticastUpToASizeOrAThreshold() {
    SymmetricFacts facts = facts(NEW, 100, 8, true);
    assertTrue(copied(facts, 3 * MIB).copies().orElseThrow().outOfPlace().multicast());
    String threshold = "NCCL_CE_COLL_AG_MULTICAST_THRESHOLD=";
    assertEquals(
        "unicast", copied(facts, 3 * MIB, threshold + "1024").copies().orElseThrow().label());
    assertEquals(
        "multicast",
        copied(facts, 64 * MIB, threshold + "67108864").copies().orElseThrow().label());
    assertEquals(Optional.empty(), copied(facts("2.30.7", 100, 8, true), MIB).copies());
  }

  /** 4096 bytes of arguments hold 54 calls. */
  @ParameterizedTest
  @CsvSource({"2.30.7, 55", "2.31.2, 54"})
  void aLaunchHoldsFewerCalls(String version, int calls) {
    SymmetricCall group =
        new SymmetricCall(Collective.ALL_GATHER, 64, DataType.FLOAT32, ReductionOperator.SUM, 99);
    assertEquals(
        calls,
        kernel(
                new SymmetricTuner(facts(version, 90, 8, true), NcclSettings.DEFAULTS)
                    .decide(group, Buffers.SYMMETRIC))
            .calls());
  }
}
