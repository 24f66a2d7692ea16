package dev.topo.search.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link.PathType;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TunerTest {
  private static final long GIB = 1L << 30;

  private static Tuner tuner(JobFixture job, String... settings) {
    return new Tuner(job.facts(), NcclSettings.parse(List.of(settings)));
  }

  private static Set<Algorithm> algorithms(Tuner tuner, CollectiveCall call) {
    return tuner.estimates(call).stream().map(Estimate::algorithm).collect(Collectors.toSet());
  }

  private static CollectiveCall allReduce(DataType type, ReductionOperator operator) {
    return new CollectiveCall(Collective.ALL_REDUCE, GIB, type, operator, 1);
  }

  @Test
  void takesTheFastestAndTheFirstOfEquals() {
    Tuner tuner = tuner(JobFixture.dgxH100());
    for (Collective collective : Collective.values()) {
      for (long size = 1; size <= 8 * GIB; size *= 2) {
        CollectiveCall call = CollectiveCall.of(collective, size).exact();
        Estimate first = tuner.estimates(call).get(0);
        for (Estimate estimate : tuner.estimates(call)) {
          first = estimate.timeUs() < first.timeUs() ? estimate : first;
        }
        Decision.Choice choice = tuner.decide(call).choice().orElseThrow();
        assertEquals(first, new Estimate(choice.algorithm(), choice.protocol(), choice.timeUs()));
        assertEquals(choice, tuner.decide(call, first.algorithm(), first.protocol()));
      }
    }
  }

  @Test
  void theSwitchReducesSumsOfWideTypesOnly() {
    Tuner tuner = tuner(JobFixture.dgxH100());
    for (ReductionOperator operator : ReductionOperator.values()) {
      boolean sum = operator == ReductionOperator.SUM;
      boolean minMax = operator == ReductionOperator.MIN || operator == ReductionOperator.MAX;
      assertEquals(sum, usesNvls(tuner, DataType.FLOAT32, operator), operator::label);
      assertEquals(sum || minMax, usesNvls(tuner, DataType.BFLOAT16, operator), operator::label);
      assertFalse(usesNvls(tuner, DataType.INT8, operator), operator::label);
    }
  }

  private static boolean usesNvls(Tuner tuner, DataType type, ReductionOperator operator) {
    return algorithms(tuner, allReduce(type, operator)).contains(Algorithm.NVLS_TREE);
  }

  @Test
  void longRingsComeLastForFloatsOf8Bits() {
    CollectiveCall call = allReduce(DataType.FLOAT8_E4M3, ReductionOperator.SUM);
    CollectiveCall same = allReduce(DataType.UINT8, ReductionOperator.SUM);
    Tuner tuner = tuner(JobFixture.dgxH100());
    assertEquals(1024, ringTime(tuner, call) / ringTime(tuner, same));
    assertEquals(Algorithm.TREE, tuner.decide(call).choice().orElseThrow().algorithm());
    CollectiveCall gather =
        new CollectiveCall(
            Collective.ALL_GATHER, GIB, DataType.FLOAT8_E4M3, ReductionOperator.SUM, 1);
    CollectiveCall ofFloats = CollectiveCall.of(Collective.ALL_GATHER, GIB);
    assertEquals(tuner.decide(ofFloats), tuner.decide(gather));

    JobFixture oneNode = JobFixture.dgxH100();
    oneNode.localRanks = List.of(8);
    assertEquals(ringTime(tuner(oneNode), same), ringTime(tuner(oneNode), call));
  }

  private static float ringTime(Tuner tuner, CollectiveCall call) {
    Decision decision = tuner.decide(call, Algorithm.RING, Protocol.SIMPLE);
    return decision.choice().orElseThrow().timeUs();
  }

  @Test
  void olderGpusDoNotReduceFloatsOf8Bits() {
    JobFixture job = JobFixture.dgxH100();
    job.minSm = 80;
    job.maxSm = 80;
    CollectiveCall call = allReduce(DataType.FLOAT8_E5M2, ReductionOperator.SUM);
    Decision.Refusal refusal = assertInstanceOf(Decision.Refusal.class, tuner(job).decide(call));
    assertTrue(refusal.reason().contains("the oldest has 80"), refusal::reason);
  }

  @Test
  void refusesWhatTheSettingsLeaveNothingFor() {
    Tuner tuner = tuner(JobFixture.dgxH100(), "NCCL_ALGO=Tree");
    Decision decision = tuner.decide(CollectiveCall.of(Collective.BROADCAST, GIB));
    assertEquals(
        "no algorithm and protocol can run Broadcast with NCCL_ALGO=Tree",
        assertInstanceOf(Decision.Refusal.class, decision).reason());
    assertEquals(Optional.empty(), decision.choice());
  }

  @Test
  void usesLl128WhereItIsSafeOrWhereTheUserSaysSo() {
    JobFixture job = JobFixture.dgxH100();
    assertTrue(usesLl128(tuner(job)));
    job.typeInter = PathType.PXN;
    assertTrue(usesLl128(tuner(job)));
    assertFalse(usesLl128(tuner(job, "NCCL_LL128_C2C=0")));
    job.typeInter = PathType.PHB;
    assertFalse(usesLl128(tuner(job)));
    assertTrue(usesLl128(tuner(job, "NCCL_PROTO=^LL")));
    assertFalse(usesLl128(tuner(job, "NCCL_PROTO=broadcast:^LL")));
    job.typeInter = PathType.PXB;
    job.maxSm = 100;
    assertFalse(usesLl128(tuner(job)));
  }

  private static boolean usesLl128(Tuner tuner) {
    return tuner.model().bandwidthGBps(Collective.ALL_REDUCE, Algorithm.RING, Protocol.LL128) > 0;
  }

  @Test
  void usesPatWithOneGpuOnEachNodeOrWhereTheUserSaysSo() {
    JobFixture job = JobFixture.dgxH100();
    assertFalse(usesPat(tuner(job)));
    assertTrue(usesPat(tuner(job, "NCCL_PAT_ENABLE=1")));
    job.localRanks = List.of(1, 1, 1, 1);
    assertTrue(usesPat(tuner(job)));
    assertFalse(usesPat(tuner(job, "NCCL_PAT_ENABLE=0")));
    CollectiveCall average =
        new CollectiveCall(
            Collective.REDUCE_SCATTER, GIB, DataType.FLOAT32, ReductionOperator.AVG, 1);
    assertFalse(algorithms(tuner(job), average).contains(Algorithm.PAT));
  }

  private static boolean usesPat(Tuner tuner) {
    return algorithms(tuner, CollectiveCall.of(Collective.REDUCE_SCATTER, GIB))
        .contains(Algorithm.PAT);
  }

  @Test
  void theNetworkGathersOnlyWithAHeadForEveryGpu() {
    JobFixture job = JobFixture.dgxH100();
    CollectiveCall gather = CollectiveCall.of(Collective.ALL_GATHER, GIB);
    assertEquals(Set.of(Algorithm.RING), algorithms(tuner(job), gather));
    job.collNet = Optional.of(new CommFacts.CollNet(8, 8, true, true, false));
    assertEquals(
        Set.of(Algorithm.RING, Algorithm.COLLNET_DIRECT, Algorithm.NVLS),
        algorithms(tuner(job), gather));
    assertEquals(
        Set.of(Algorithm.RING),
        algorithms(tuner(job), CollectiveCall.of(Collective.REDUCE_SCATTER, GIB)));
    job.collNet = Optional.of(new CommFacts.CollNet(4, 4, true, true, true));
    assertEquals(Set.of(Algorithm.RING), algorithms(tuner(job), gather));
    assertTrue(
        algorithms(tuner(job), CollectiveCall.of(Collective.ALL_REDUCE, GIB))
            .containsAll(Set.of(Algorithm.COLLNET_DIRECT, Algorithm.COLLNET_CHAIN)));
  }

  @Test
  void mixedCpusCountAsAmd() {
    JobFixture job = JobFixture.dgxH100();
    float intel = ringLl(job);
    job.cpuVendor = Optional.empty();
    float mixed = ringLl(job);
    assertEquals(20.4f, intel);
    assertEquals(19.0f, mixed);
  }

  private static float ringLl(JobFixture job) {
    return tuner(job).model().bandwidthGBps(Collective.BROADCAST, Algorithm.RING, Protocol.LL);
  }

  @Test
  void callsOfAGroupShareTheLatencyOfATree() {
    Tuner tuner = tuner(JobFixture.dgxH100());
    float lone = time(tuner, Algorithm.TREE, 1);
    assertEquals(lone, time(tuner, Algorithm.TREE, 10));
    assertTrue(time(tuner, Algorithm.TREE, 11) > lone);
    assertTrue(time(tuner, Algorithm.RING, 2) > time(tuner, Algorithm.RING, 1));
  }

  private static float time(Tuner tuner, Algorithm algorithm, int calls) {
    CollectiveCall call =
        new CollectiveCall(
            Collective.ALL_REDUCE, 8, DataType.FLOAT32, ReductionOperator.SUM, calls);
    return tuner.decide(call, algorithm, Protocol.LL).choice().orElseThrow().timeUs();
  }
}
