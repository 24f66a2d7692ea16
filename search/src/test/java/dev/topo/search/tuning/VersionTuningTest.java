package dev.topo.search.tuning;

import static dev.topo.search.tuning.JobFixture.bandwidth;
import static dev.topo.search.tuning.JobFixture.job;
import static dev.topo.search.tuning.JobFixture.runs;
import static dev.topo.search.tuning.JobFixture.tuner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Link.PathType;
import dev.topo.model.Topology;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.TuningRules;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.tuning.Tuner.Decision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules by which NCCL versions tune differently, each on both sides of the change. */
class VersionTuningTest {
  private static final long MIB = 1 << 20;
  private static final Optional<CommFacts.CollNet> SHARP =
      Optional.of(new CommFacts.CollNet(8, 8, true, true, true));

  private static boolean usesLl128(JobFixture job, String... settings) {
    return tuner(job, settings)
            .model()
            .bandwidthGBps(Collective.ALL_REDUCE, Algorithm.RING, Protocol.LL128)
        > 0;
  }

  /** Eight channels of 45 GB/s and eight GPUs. */
  @ParameterizedTest
  @CsvSource({
    "2.21.5, ALL_GATHER, 300", // 5/6 of the links
    "2.23.4, ALL_GATHER, 360", // all of the links
    "2.27.3, ALL_GATHER, 315", // what comes from others: 7/8
    "2.28.3, ALL_GATHER, 234.28125", // and a head is left out, and multicast reaches 0.85
    "2.27.5, ALL_REDUCE, 300",
    "2.28.3, ALL_REDUCE, 205.7143",
  })
  void nvlsIsMeasuredFrom228On(String version, Collective collective, float expected) {
    JobFixture job = job(version, 1, 8);
    assertEquals(expected, bandwidth(job, collective, Algorithm.NVLS, Protocol.SIMPLE));
  }

  @ParameterizedTest
  @CsvSource({"2.27.5, 2, 300", "2.27.5, 4, 150", "2.28.3, 4, 185.80644"})
  void nvlsTreeHadHalfTheNetwork(String version, int nodes, float expected) {
    JobFixture job = job(version, nodes, 8);
    assertEquals(
        expected, bandwidth(job, Collective.ALL_REDUCE, Algorithm.NVLS_TREE, Protocol.SIMPLE));
  }

  @ParameterizedTest
  @CsvSource({
    "2.24.3, 120, false",
    "2.25.1, 120, true",
    "2.26.2, 89, false",
    "2.27.3, 89, true",
    "2.27.3, 61, false",
  })
  void ll128WasForKnownGpusOnly(String version, int sm, boolean expected) {
    JobFixture job = JobFixture.of(version);
    job.minSm = sm;
    job.maxSm = sm;
    assertEquals(expected, usesLl128(job));
  }

  @ParameterizedTest
  @CsvSource({"2.29.7, 90, false", "2.30.3, 90, true", "2.30.3, 80, false"})
  void ll128BetweenGenerationsFrom230On(String version, int minSm, boolean expected) {
    JobFixture job = JobFixture.of(version);
    job.minSm = minSm;
    job.maxSm = 100;
    assertEquals(expected, usesLl128(job));
  }

  @ParameterizedTest
  @CsvSource({
    "2.26.2, PXN, NCCL_LL128_C2C=0, true", // the setting is not there yet
    "2.27.3, P2C, NCCL_LL128_C2C=1, true",
    "2.27.3, PXN, NCCL_LL128_C2C=0, true", // P2C is farther than PXN
    "2.27.3, P2C, NCCL_LL128_C2C=0, false",
    "2.27.5, PXN, NCCL_LL128_C2C=0, false",
    "2.27.5, PXN, NCCL_LL128_C2C=1, true",
  })
  void ll128OverRelaysAndC2c(String version, PathType type, String setting, boolean expected) {
    JobFixture job = JobFixture.of(version);
    job.typeInter = type;
    assertEquals(expected, usesLl128(job, setting));
  }

  @ParameterizedTest
  @CsvSource({"2.21.5, 90, false", "2.25.1, 50, true", "2.26.2, 50, false", "2.26.2, 60, true"})
  void patHasItsVersionsAndGpus(String version, int sm, boolean expected) {
    JobFixture job = job(version, 4, 1);
    job.minSm = sm;
    CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, MIB);
    assertEquals(expected, runs(job, call, Algorithm.PAT));
  }

  /** A base of 14, and three steps of 4.0 for rings or 8.5 for trees over the network. */
  @ParameterizedTest
  @CsvSource({"2.21.5, 26", "2.23.4, 39.5"})
  void oneGpuOnEachNodeHasTheLatencyOfTreeFrom222On(String version, float expected) {
    float latency =
        tuner(job(version, 4, 1))
            .model()
            .latencyUs(Collective.ALL_GATHER, Algorithm.RING, Protocol.LL128);
    assertEquals(expected, latency);
  }

  @ParameterizedTest
  @CsvSource({"2.21.5, 148.6", "2.23.4, 144.4"})
  void ringsHadTwoMoreStepsBetweenNodes(String version, float expected) {
    float latency =
        tuner(job(version, 4, 8))
            .model()
            .latencyUs(Collective.ALL_REDUCE, Algorithm.RING, Protocol.LL128);
    assertEquals(expected, latency, 1e-4);
  }

  @Test
  void treesOfSmallSizesWereCorrected() {
    assertEquals(0.9f, NcclProfile.of("2.21.5").tuning().treeCorrection(Protocol.SIMPLE, 32));
    assertEquals(1, NcclProfile.of("2.23.4").tuning().treeCorrection(Protocol.SIMPLE, 32));
  }

  @ParameterizedTest
  @CsvSource({"2.28.9, X86, 1", "2.29.3, X86, 0.5", "2.29.3, ARM, 1"})
  void nvlsTreeOfBlackwellIsCorrectedOnX86(String version, CpuArch arch, float share) {
    JobFixture job = job(version, 4, 8);
    job.minSm = 100;
    job.maxSm = 100;
    job.cpuArch = arch;
    Tuner tuner = tuner(job);
    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, MIB);
    Collective allReduce = Collective.ALL_REDUCE;
    float transfer =
        MIB / (1000 * tuner.model().bandwidthGBps(allReduce, Algorithm.NVLS_TREE, Protocol.SIMPLE));
    float latency = tuner.model().latencyUs(allReduce, Algorithm.NVLS_TREE, Protocol.SIMPLE);
    float time =
        tuner.estimates(call).stream()
            .filter(e -> e.algorithm() == Algorithm.NVLS_TREE)
            .findFirst()
            .orElseThrow()
            .timeUs();
    assertEquals(latency + transfer / share, time, 1e-3);
  }

  @Test
  void before224CallsFallBackToRings() {
    CollectiveCall broadcast = CollectiveCall.of(Collective.BROADCAST, MIB);
    String[] settings = {"NCCL_ALGO=NVLSTree", "NCCL_PROTO=LL"};
    assertInstanceOf(
        Decision.Refusal.class, tuner(JobFixture.of("2.24.3"), settings).decide(broadcast));
    assertRuns(Protocol.LL, tuner(JobFixture.of("2.23.4"), settings).decide(broadcast));
    assertRuns(Protocol.LL128, tuner(JobFixture.of("2.21.5"), settings).decide(broadcast));
  }

  @Test
  void before224CallsFallBackToRingsForTypesThatTheSwitchCannotReduce() {
    CollectiveCall sumOfBytes =
        new CollectiveCall(
            Collective.ALL_REDUCE, 64 * MIB, DataType.INT8, ReductionOperator.SUM, 1);
    String setting = "NCCL_ALGO=NVLSTree";
    assertInstanceOf(
        Decision.Refusal.class, tuner(JobFixture.of("2.24.3"), setting).decide(sumOfBytes));
    assertRuns(Protocol.LL128, tuner(JobFixture.of("2.23.4"), setting).decide(sumOfBytes));
  }

  private static void assertRuns(Protocol protocol, Decision decision) {
    Decision.Choice choice = decision.choice().orElseThrow();
    assertEquals(Algorithm.RING, choice.algorithm());
    assertEquals(protocol, choice.protocol());
  }

  @Test
  void before224AListOfCollNetAloneCountsForNothingWithoutIt() {
    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, MIB);
    String setting = "NCCL_ALGO=CollNetChain";
    assertEquals(List.of(), tuner(JobFixture.of("2.24.3"), setting).estimates(call));
    assertTrue(
        tuner(JobFixture.of("2.23.4"), setting).estimates(call).stream()
            .anyMatch(e -> e.algorithm() == Algorithm.TREE));
  }

  /** LL between nodes has 20.4 GB/s at most with Intel and 19 with AMD or a mixture. */
  @ParameterizedTest
  @CsvSource({"INTEL, 20.4", "AMD, 19.0", ", 19.0"})
  void cpusOfAllNodesLimitLowLatency(CpuVendor vendor, float busBw) {
    JobFixture job = job("2.24.3", 4, 8);
    job.cpuVendor = Optional.ofNullable(vendor);
    float ratio = (float) (32.0 / 62);
    assertEquals(
        busBw * ratio, bandwidth(job, Collective.ALL_REDUCE, Algorithm.RING, Protocol.LL), 1e-4);
  }

  @ParameterizedTest
  @CsvSource({"2.25.1, 1", "2.26.2, 0.85"})
  void treePatternOfTheJobCountsFrom226On(String version, float share) {
    JobFixture job = job(version, 4, 8);
    float balanced = bandwidth(job, Collective.ALL_REDUCE, Algorithm.TREE, Protocol.SIMPLE);
    job.maxTreePattern = Pattern.TREE;
    assertEquals(
        share * balanced,
        bandwidth(job, Collective.ALL_REDUCE, Algorithm.TREE, Protocol.SIMPLE),
        1e-4);
  }

  @Test
  void before221LowLatencyOnRingsHadAThirdOrAQuarter() {
    TuningRules older = NcclProfile.of("2.20.5").tuning();
    assertEquals(1 / 3.0, older.ringLlShare(Collective.ALL_GATHER, 1));
    assertEquals(0.25, older.ringLlShare(Collective.ALL_REDUCE, 1));
    assertEquals(0.25, older.ringLlShare(Collective.ALL_GATHER, 2));
    assertEquals(0.5, NcclProfile.of("2.21.5").tuning().ringLlShare(Collective.ALL_GATHER, 1));
  }

  @Test
  void before222RingsOfFewGpusHadLessWithLl128() {
    assertEquals(0.7, NcclProfile.of("2.21.5").tuning().ringLl128Share(1.5f));
    assertEquals(0.92, NcclProfile.of("2.21.5").tuning().ringLl128Share(2));
    assertEquals(0.92, NcclProfile.of("2.23.4").tuning().ringLl128Share(1));
  }

  @ParameterizedTest
  @CsvSource({"2.19.3, 10", "2.21.5, 1", "2.23.4, 10"})
  void groupedCallsOnRingsAddUpTheirLatencies(String version, int times) {
    Tuner tuner = tuner(job(version, 1, 8));
    CollectiveCall one = CollectiveCall.of(Collective.ALL_GATHER, 0L).exact();
    CollectiveCall ten =
        new CollectiveCall(Collective.ALL_GATHER, 0, DataType.FLOAT32, ReductionOperator.SUM, 10);
    assertEquals(times * time(tuner, one), time(tuner, ten), 1e-3);
  }

  private static float time(Tuner tuner, CollectiveCall call) {
    return tuner.estimates(call).stream()
        .filter(e -> e.algorithm() == Algorithm.RING && e.protocol() == Protocol.LL)
        .findFirst()
        .orElseThrow()
        .timeUs();
  }

  @Test
  void before224ThereIsNoFloatOf8Bits() {
    CollectiveCall gather =
        new CollectiveCall(
            Collective.ALL_GATHER, MIB, DataType.FLOAT8_E4M3, ReductionOperator.SUM, 1);
    Decision decision = tuner(JobFixture.of("2.23.4")).decide(gather);
    assertEquals(new Decision.Refusal("NCCL 2.23.4 has no 8-bit floating point"), decision);
    assertTrue(tuner(JobFixture.of("2.24.3")).decide(gather).choice().isPresent());
  }

  @ParameterizedTest
  @CsvSource({"2.27.5, 89, false", "2.27.5, 90, true", "2.28.3, 89, true"})
  void before228CopiesOfFloatsOf8BitsNeedHopper(String version, int sm, boolean expected) {
    JobFixture job = JobFixture.of(version);
    job.minSm = sm;
    CollectiveCall gather =
        new CollectiveCall(
            Collective.ALL_GATHER, MIB, DataType.FLOAT8_E4M3, ReductionOperator.SUM, 1);
    assertEquals(expected, tuner(job).decide(gather).choice().isPresent());
  }

  @ParameterizedTest
  @CsvSource({"2.26.2, false", "2.27.3, true"})
  void nvlsGathersBetweenNodesFrom227On(String version, boolean expected) {
    JobFixture job = job(version, 2, 8);
    job.collNet = SHARP;
    assertEquals(
        expected, runs(job, CollectiveCall.of(Collective.ALL_GATHER, MIB), Algorithm.NVLS));
    assertTrue(runs(job, CollectiveCall.of(Collective.ALL_REDUCE, MIB), Algorithm.NVLS));
  }

  @ParameterizedTest
  @CsvSource({"2.24.3, true", "2.25.1, false"})
  void nvlsGathersFrom32GpusAtMost(String version, boolean expected) {
    CollectiveCall gather = CollectiveCall.of(Collective.ALL_GATHER, MIB);
    assertEquals(expected, runs(job(version, 1, 33), gather, Algorithm.NVLS));
    assertTrue(runs(job(version, 1, 32), gather, Algorithm.NVLS));
  }

  @ParameterizedTest
  @CsvSource({"2.19.3, true", "2.20.5, false", "2.21.5, false", "2.23.4, true"})
  void nvlsGathersTypesThatTheSwitchCannotReduce(String version, boolean expected) {
    CollectiveCall gather =
        new CollectiveCall(Collective.ALL_GATHER, MIB, DataType.INT8, ReductionOperator.SUM, 1);
    assertEquals(expected, runs(job(version, 1, 8), gather, Algorithm.NVLS));
  }

  @Test
  void collNetChainIsLimitedTo8GpusFrom228On() {
    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, MIB);
    for (String version : List.of("2.27.5", "2.28.3")) {
      JobFixture job = job(version, 2, 9);
      job.collNet = SHARP;
      assertFalse(runs(job, call, Algorithm.COLLNET_DIRECT));
      assertEquals(version.equals("2.27.5"), runs(job, call, Algorithm.COLLNET_CHAIN));
    }
  }

  @ParameterizedTest
  @CsvSource({"2.30.3, true", "2.30.7, false"})
  void chainsLeadToTheNetworkFromHeadsOnly(String version, boolean expected) {
    JobFixture job = job(version, 2, 8);
    job.collNet = Optional.of(new CommFacts.CollNet(8, 8, false, true, true));
    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, MIB);
    assertEquals(expected, runs(job, call, Algorithm.COLLNET_CHAIN));
  }

  /** Channels of 48 GB/s: all of it less 15 %, then what 0.9 of the network allows. */
  @ParameterizedTest
  @CsvSource({"2.19.3, 0", "2.26.2, 326.4", "2.27.3, 345.6"})
  void collNetDirectGathersWithTheNetwork(String version, float expected) {
    JobFixture job = job(version, 2, 8);
    job.collNet = SHARP;
    assertEquals(
        expected,
        bandwidth(job, Collective.ALL_GATHER, Algorithm.COLLNET_DIRECT, Protocol.SIMPLE),
        1e-4);
  }

  @Test
  void theFullestNodeNeedsHeadsFrom227On() {
    CollectiveCall gather = CollectiveCall.of(Collective.ALL_GATHER, MIB);
    for (String version : List.of("2.26.2", "2.27.3")) {
      JobFixture job = JobFixture.of(version);
      job.localRanks = List.of(8, 4);
      job.collNet = Optional.of(new CommFacts.CollNet(6, 6, true, true, true));
      assertEquals(version.equals("2.26.2"), runs(job, gather, Algorithm.COLLNET_DIRECT));
    }
  }

  @Test
  void treesUseTheWholeKernelFrom222On() {
    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 8L);
    assertEquals(96, threads("2.21.5", call, Protocol.LL));
    assertEquals(64 + 4 * 32, threads("2.21.5", call, Protocol.SIMPLE));
    assertEquals(640, threads("2.23.4", call, Protocol.LL));
  }

  private static int threads(String version, CollectiveCall call, Protocol protocol) {
    return tuner(JobFixture.of(version))
        .decide(call, Algorithm.TREE, protocol)
        .choice()
        .orElseThrow()
        .threads();
  }

  @ParameterizedTest
  @CsvSource({"2.27.5, 16", "2.28.3, 4"})
  void nvlsOverSeveralNodesKeepsToTheChannelsFrom228On(String version, int expected) {
    JobFixture job = job(version, 2, 8);
    job.collNet = SHARP;
    job.nChannels = 4;
    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, MIB);
    assertEquals(
        expected,
        tuner(job).decide(call, Algorithm.NVLS, Protocol.SIMPLE).choice().orElseThrow().channels());
  }

  /** Rings have fewer channels than NVLS here. */
  @ParameterizedTest
  @CsvSource({"2.21.5, true, false", "2.23.4, true, true", "2.28.3, false, true"})
  void callsUseChannelsThatThereAreForNvls(String version, boolean raised, boolean used)
      throws IOException {
    NcclProfile profile = NcclProfile.of(version);
    Path file = ShippedMachines.files().get(0).resolveSibling("dgx-h100.xml");
    Topology topology =
        new TopologyReader(UnknownElements.REJECTED, profile)
            .read(file, GpuSelection.ALL, new Diagnostics());
    NcclSettings settings = NcclSettings.parse(List.of("NCCL_MAX_NCHANNELS=4"));
    Job job = Job.ofEqual(new Machine(topology, settings), 4);
    Communicator communicator = Communicator.of(job, GraphSearch::findAll, profile);
    CommFacts facts = communicator.facts();
    assertEquals(raised, facts.nChannels() > communicator.connection().unraisedChannels());
    assertEquals(used, facts.callChannels() == facts.nChannels());
    CollectiveCall call = CollectiveCall.of(Collective.BROADCAST, 1L << 30);
    assertEquals(
        facts.callChannels(), communicator.tuner().decide(call).choice().orElseThrow().channels());
  }
}
