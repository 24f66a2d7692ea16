package dev.topo.search.tuning;

import static dev.topo.search.tuning.JobFixture.bandwidth;
import static dev.topo.search.tuning.JobFixture.job;
import static dev.topo.search.tuning.JobFixture.runs;
import static dev.topo.search.tuning.JobFixture.tuner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.Link.PathType;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What NCCL 2.31.2 and 2.32.3 tune otherwise ({@code nccl:src/tuning}), before and after. */
class TuningFrom231Test {
  private static final long MIB = 1 << 20;

  private static JobFixture blackwell(String version, int nodes, int gpus) {
    JobFixture job = job(version, nodes, gpus);
    job.minSm = 100;
    job.maxSm = 100;
    return job;
  }

  private static JobFixture withCollNet(String version, int nodes, int gpus, int heads) {
    JobFixture job = job(version, nodes, gpus);
    job.collNet = Optional.of(new CommFacts.CollNet(heads, heads, true, true, true));
    return job;
  }

  private static float latency(
      JobFixture job, Collective collective, Algorithm algorithm, Protocol protocol) {
    return tuner(job).model().latencyUs(collective, algorithm, protocol);
  }

  private static float time(
      JobFixture job, CollectiveCall call, Algorithm algorithm, Protocol protocol) {
    return tuner(job).estimates(call).stream()
        .filter(e -> e.algorithm() == algorithm && e.protocol() == protocol)
        .findFirst()
        .orElseThrow()
        .timeUs();
  }

  /** By how much a ring with Simple starts more slowly: its time less that of its bandwidth. */
  private static double plateau(JobFixture job, Collective collective, long bytes) {
    CollectiveCall call = CollectiveCall.of(collective, bytes);
    double transfer =
        bytes / (1000.0 * bandwidth(job, collective, Algorithm.RING, Protocol.SIMPLE));
    return (time(job, call, Algorithm.RING, Protocol.SIMPLE) - transfer)
        / latency(job, collective, Algorithm.RING, Protocol.SIMPLE);
  }

  /** Twelve GB/s on all channels together were too slow for all threads. */
  @ParameterizedTest
  @CsvSource({"2.30.7, 256", "2.31.2, 512"})
  void slowRingsHaveAllThreads(String version, int threads) {
    JobFixture job = job(version, 1, 8);
    job.bwGBps = 1.5f;
    assertEquals(threads, tuner(job).threadLimits().maxThreads(Algorithm.RING, Protocol.SIMPLE));
  }

  @ParameterizedTest
  @CsvSource({
    "2.30.7, 100, ALL_GATHER, 1",
    "2.31.2, 100, ALL_GATHER, 1.4",
    "2.31.2, 100, REDUCE_SCATTER, 1.4",
    "2.31.2, 100, ALL_REDUCE, 1",
    "2.31.2, 90, ALL_GATHER, 1",
    "2.32.3, 100, ALL_REDUCE, 1.4",
    "2.32.3, 90, ALL_REDUCE, 1"
  })
  void ringsOfBlackwellStartMoreSlowlyOnOneNode(
      String version, int sm, Collective collective, double factor) {
    JobFixture job = blackwell(version, 1, 8);
    job.minSm = sm;
    job.maxSm = sm;
    assertEquals(factor, plateau(job, collective, MIB), 1e-3);
    job.typeIntra = PathType.PIX;
    assertEquals(1, plateau(job, collective, MIB), 1e-3);
  }

  /**
   * By a quarter of what is left with each step; from 256 to 512 KiB of a channel and rank less.
   */
  @ParameterizedTest
  @CsvSource({
    "2.31.2, 2, 1024, 1.4",
    "2.32.3, 2, 1024, 1",
    "2.32.3, 3, 1024, 1.3",
    "2.32.3, 8, 262144, 1.3999",
    "2.32.3, 8, 393216, 1.3499",
    "2.32.3, 8, 524288, 1.2999",
    "2.32.3, 8, 1048576, 1.2999"
  })
  void inReleaseTwoThirtyTwoItDependsOnStepsAndSize(
      String version, int gpus, long share, double factor) {
    JobFixture job = blackwell(version, 1, gpus);
    long bytes = share * job.nChannels * gpus;
    assertEquals(factor, plateau(job, Collective.ALL_GATHER, bytes), 2e-3);
  }

  @Test
  void switchPointsFollowThePlateau() {
    JobFixture job = blackwell("2.32.3", 1, 8);
    long ring = 8L * job.nChannels;
    assertEquals(List.of(64 * ring, 262144 * ring, 524288 * ring), tuner(job).plateauBytes());
  }

  /** Eight channels of 48 GB/s in a node and 24 between two. */
  @ParameterizedTest
  @CsvSource({"2.30.7, 100, 384", "2.31.2, 100, 192", "2.31.2, 90, 384"})
  void ringsOfBlackwellCountTheNetworkFromTwoNodesOn(String version, int sm, float busBw) {
    JobFixture job = job(version, 2, 8);
    job.minSm = sm;
    job.maxSm = sm;
    job.netGBps = Optional.of(24f);
    float ratio = 16 / 15f;
    assertEquals(
        busBw * ratio, bandwidth(job, Collective.ALL_GATHER, Algorithm.RING, Protocol.SIMPLE), 0.1);
  }

  /** Eight channels of 20 GB/s in a node and 10 between nodes, of which trees reach 0.92. */
  @ParameterizedTest
  @CsvSource({
    "2.30.7, 100, 2, 20",
    "2.31.2, 100, 2, 10",
    "2.31.2, 90, 2, 20",
    "2.31.2, 90, 4, 10",
    "2.31.2, 100, 1, 10"
  })
  void treesOfBlackwellCountTheLowerBandwidth(String version, int sm, int nodes, float channel) {
    JobFixture job = job(version, nodes, 8);
    job.minSm = sm;
    job.maxSm = sm;
    job.bwGBps = 20;
    job.netGBps = Optional.of(10f);
    assertEquals(
        8 * channel * 0.92f * 0.5f,
        bandwidth(job, Collective.ALL_REDUCE, Algorithm.TREE, Protocol.SIMPLE),
        1e-2);
  }

  @ParameterizedTest
  @CsvSource({
    "2.30.7, 96, 4, 4, 1, 1",
    "2.31.2, 96, 4, 4, 1, 0.5",
    "2.31.2, 95, 4, 4, 1, 1",
    "2.31.2, 96, 4, 8, 1, 1",
    "2.31.2, 96, 2, 4, 511, 0.9",
    "2.31.2, 96, 2, 4, 512, 1",
    "2.32.3, 96, 2, 4, 64, 1",
    "2.32.3, 96, 4, 4, 64, 0.8"
  })
  void nvlsTreeIsCorrectedOnArmWithFastPorts(
      String version, float portGBps, int nodes, int gpus, long mib, float share) {
    JobFixture job = blackwell(version, nodes, gpus);
    job.cpuArch = CpuArch.ARM;
    job.slowestPortGBps = portGBps;
    long bytes = mib * MIB;
    float full = bandwidth(job, Collective.ALL_REDUCE, Algorithm.NVLS_TREE, Protocol.SIMPLE);
    float time =
        time(
            job,
            CollectiveCall.of(Collective.ALL_REDUCE, bytes),
            Algorithm.NVLS_TREE,
            Protocol.SIMPLE);
    float latency = latency(job, Collective.ALL_REDUCE, Algorithm.NVLS_TREE, Protocol.SIMPLE);
    assertEquals(share, bytes / (1000 * full) / (time - latency), 2e-3);
  }

  @ParameterizedTest
  @CsvSource({"2.30.7, 33, true", "2.31.2, 33, false", "2.31.2, 32, true"})
  void nvlsGathersOn32ChannelsAtMost(String version, int channels, boolean expected) {
    JobFixture job = job(version, 1, 8);
    job.nvlsGraphChannels = channels;
    assertEquals(
        expected, runs(job, CollectiveCall.of(Collective.ALL_GATHER, MIB), Algorithm.NVLS));
    assertTrue(runs(job, CollectiveCall.of(Collective.ALL_REDUCE, MIB), Algorithm.NVLS));
  }

  /** 8 channels of 45 GB/s x 0.85, less a head, less the own part of 6 or of 4 ranks. */
  @ParameterizedTest
  @CsvSource({"2.30.7, 6", "2.31.2, 4"})
  void nvlsCountsTheFewestRanks(String version, int ranks) {
    JobFixture job = withCollNet(version, 2, 8, 8);
    job.localRanks = List.of(8, 4);
    assertEquals(
        8 * 45 * 0.85f * 7 / 8 * (ranks - 1) / ranks,
        bandwidth(job, Collective.ALL_GATHER, Algorithm.NVLS, Protocol.SIMPLE),
        1e-2);
  }

  @ParameterizedTest
  @CsvSource({"2.30.7, 5.7", "2.31.2, 4.0"})
  void treesOfPowerHaveLatenciesOfTheirOwn(String version, float stepUs) {
    JobFixture job = job(version, 1, 4);
    job.cpuArch = CpuArch.POWER;
    job.cpuVendor = Optional.empty();
    job.typeIntra = PathType.PIX;
    assertEquals(
        8.4f + 2 * 3 * stepUs,
        latency(job, Collective.ALL_REDUCE, Algorithm.TREE, Protocol.SIMPLE),
        1e-4);
  }

  /** The network of trees has 14 us with Simple, that of CollNet 31 and 30. */
  @ParameterizedTest
  @CsvSource({
    "2.30.7, COLLNET_DIRECT, 14",
    "2.31.2, COLLNET_DIRECT, 31",
    "2.30.7, COLLNET_CHAIN, 14",
    "2.31.2, COLLNET_CHAIN, 30"
  })
  void onlyRingsHaveTheLatencyOfTreeWithOneGpuOnEachNode(
      String version, Algorithm algorithm, float latencyUs) {
    JobFixture job = withCollNet(version, 4, 1, 1);
    assertEquals(latencyUs, latency(job, Collective.ALL_REDUCE, algorithm, Protocol.SIMPLE), 1e-4);
    assertEquals(
        14 + 3 * 8.5f, latency(job, Collective.ALL_GATHER, Algorithm.RING, Protocol.LL128), 1e-4);
  }

  @ParameterizedTest
  @CsvSource({"2.30.7, 6, true", "2.31.2, 6, false", "2.31.2, 8, true"})
  void allReduceInTheNetworkNeedsAHeadForEveryGpu(String version, int heads, boolean expected) {
    JobFixture job = withCollNet(version, 2, 8, heads);
    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, MIB);
    assertEquals(expected, runs(job, call, Algorithm.COLLNET_DIRECT));
    assertEquals(expected, runs(job, call, Algorithm.COLLNET_CHAIN));
  }

  @ParameterizedTest
  @CsvSource({"2.30.7, false", "2.31.2, true"})
  void collNetDirectDoesWithoutSwitches(String version, boolean expected) {
    JobFixture job = withCollNet(version, 2, 8, 8);
    job.nvSwitch = false;
    assertEquals(
        expected,
        runs(job, CollectiveCall.of(Collective.ALL_REDUCE, MIB), Algorithm.COLLNET_DIRECT));
  }

  /** Channels of 48 GB/s in a node and 60 between nodes. */
  @ParameterizedTest
  @CsvSource({"2.30.7, 4, 60", "2.31.2, 4, 48", "2.31.2, 2, 48"})
  void patCountsTheLowerBandwidth(String version, int nodes, float channel) {
    JobFixture job = job(version, nodes, 1);
    job.netGBps = Optional.of(60f);
    assertEquals(
        8 * channel * 0.75f,
        bandwidth(job, Collective.ALL_GATHER, Algorithm.PAT, Protocol.SIMPLE),
        1e-3);
  }

  @Test
  void patRunsOverNvlsWhereNothingElseIsLeft() {
    CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, MIB);
    assertInstanceOf(
        Decision.Refusal.class, tuner(job("2.30.7", 2, 8), "NCCL_ALGO=PAT").decide(call));
    Decision.Choice pat =
        tuner(job("2.31.2", 2, 8), "NCCL_ALGO=PAT").decide(call).choice().orElseThrow();
    assertEquals(Algorithm.PAT, pat.algorithm());
    assertEquals(16, pat.channels());
    assertEquals(640, pat.threads());
    assertTrue(pat.isLastResort());
    assertEquals(
        Algorithm.RING, tuner(job("2.31.2", 2, 8)).decide(call).choice().get().algorithm());
    for (JobFixture other : List.of(job("2.31.2", 1, 8), job("2.31.2", 2, 4))) {
      assertInstanceOf(Decision.Refusal.class, tuner(other, "NCCL_ALGO=PAT").decide(call));
    }
    CollectiveCall bytes =
        new CollectiveCall(Collective.REDUCE_SCATTER, MIB, DataType.INT8, ReductionOperator.SUM, 1);
    assertInstanceOf(
        Decision.Refusal.class, tuner(job("2.31.2", 2, 8), "NCCL_ALGO=PAT").decide(bytes));
  }

  @ParameterizedTest
  @CsvSource({"2.30.7, 1, false", "2.31.2, 1, true", "2.31.2, 8, false"})
  void patScattersAveragesWithOneGpuOnEachNode(String version, int gpus, boolean expected) {
    CollectiveCall average =
        new CollectiveCall(
            Collective.REDUCE_SCATTER, MIB, DataType.FLOAT32, ReductionOperator.AVG, 1);
    assertEquals(
        expected,
        tuner(job(version, 2, gpus), "NCCL_ALGO=PAT").decide(average).choice().isPresent());
  }

  @Test
  void aListOfSymmetricKernelsLeavesNoAlgorithm() {
    CollectiveCall reduce = CollectiveCall.of(Collective.ALL_REDUCE, MIB);
    CollectiveCall gather = CollectiveCall.of(Collective.ALL_GATHER, MIB);
    String setting = "NCCL_SYM_KERNEL=allreduce:AllReduce_AGxLL_R";
    assertTrue(tuner(job("2.30.7", 1, 8), setting).decide(reduce).choice().isPresent());
    Tuner tuner = tuner(job("2.31.2", 1, 8), setting);
    assertEquals(
        new Decision.Refusal(
            "no algorithm and protocol can run AllReduce with NCCL_SYM_KERNEL="
                + "allreduce:AllReduce_AGxLL_R"),
        tuner.decide(reduce));
    assertTrue(tuner.decide(gather).choice().isPresent());
    assertTrue(tuner(job("2.31.2", 1, 8), "NCCL_SYM_KERNEL=^").decide(reduce).choice().isPresent());
    assertThrows(
        SettingException.class, () -> tuner(job("2.31.2", 1, 8), "NCCL_SYM_KERNEL=AllGather_XY"));
  }

  @Test
  void aListOfProtocolsMeetsThatOfAlgorithms() {
    CollectiveCall gather = CollectiveCall.of(Collective.ALL_GATHER, MIB);
    String[] settings = {"NCCL_ALGO=allreduce:tree", "NCCL_PROTO=LL"};
    assertTrue(tuner(job("2.30.7", 1, 8), settings).decide(gather).choice().isPresent());
    assertInstanceOf(Decision.Refusal.class, tuner(job("2.31.2", 1, 8), settings).decide(gather));
  }
}
