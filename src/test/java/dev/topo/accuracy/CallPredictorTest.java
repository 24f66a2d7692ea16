package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link.LinkType;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.Connection;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.LinkTable;
import dev.topo.search.path.Paths;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.evaluate.CallPlanner;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.ChannelRoutes;
import dev.topo.simulator.evaluate.PredictedCall.ChoiceComparison;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.evaluate.RecommendedRules.Recommendation;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.CallShape.Contention;
import dev.topo.simulator.timing.CallShape.TrafficRoute;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.simulator.verdict.MeasuredSet;
import dev.topo.visualizer.times.PredictionRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Routes and predictions on machines that are read from files. */
class CallPredictorTest {
  private static final NcclSettings NO_MULTICAST =
      NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"));
  private static final TimingModel MODEL =
      new TimingModel(CalibrationFile.shipped("h200-nvswitch").orElseThrow());

  private static Communicator communicator(String file, int nodes) {
    return communicator(file, nodes, NO_MULTICAST);
  }

  private static Communicator communicator(String file, int nodes, NcclSettings settings) {
    Path path = Path.of(System.getProperty("topo.root")).resolve("topologies").resolve(file);
    Topology topology = new TopologyReader().read(path, GpuSelection.ALL, new Diagnostics());
    return Communicator.of(Job.ofEqual(new Machine(topology, settings), nodes));
  }

  private static ChannelRoutes routes(MeasuredSet set) {
    return new ChannelRoutes(
        set.planner(OptionalInt.empty()).communicator().connection(), NO_MULTICAST);
  }

  @Test
  void buffersAreRegisteredInCudaGraphsUnlessASettingSaysNo() {
    NcclSettings off = NO_MULTICAST.with(NcclSettings.parse(List.of("NCCL_GRAPH_REGISTER=0")));
    String file = "dgx-h100.xml";
    assertTrue(isRegistered(new CallPlanner(communicator(file, 1), Optional.empty(), 0)));
    assertFalse(isRegistered(new CallPlanner(communicator(file, 1), Optional.empty(), 1)));
    assertFalse(isRegistered(new CallPlanner(communicator(file, 1, off), Optional.empty(), 0)));
    assertFalse(
        isRegistered(
            MeasuredSets.declared("pairs2s").withGpusPerProcess(0).planner(OptionalInt.empty())),
        "through the host's memory");
  }

  /** Whatever holds the data up, a little more of it takes a little longer. */
  @ParameterizedTest
  @EnumSource(
      value = Collective.class,
      names = {"BROADCAST", "REDUCE"})
  void aPipelineTakesLongerLittleByLittle(Collective collective) {
    for (MeasuredSet set : List.of(MeasuredSets.x2(), MeasuredSets.x4())) {
      for (Protocol protocol : Protocol.values()) {
        CallShape shape =
            set.planner(OptionalInt.empty())
                .shape(
                    CollectiveCall.of(collective, 4L << 20),
                    Optional.of(new Pair(Algorithm.RING, protocol)),
                    false)
                .orElseThrow();
        double before = 0;
        for (int bytes = 1; bytes <= shape.chunkBytes(); bytes += 1 << 10) {
          double time = MODEL.estimate(withShare(shape, bytes)).timeUs();
          assertTrue(
              time >= before && (before == 0 || time - before < 0.3),
              set.name() + " " + protocol + " " + bytes + ": " + before + " to " + time);
          before = time;
        }
      }
    }
  }

  private static CallShape withShare(CallShape shape, long bytes) {
    return new CallShape(
        shape.collective(),
        shape.algorithm(),
        shape.protocol(),
        shape.inPlace(),
        shape.nRanks(),
        0,
        shape.channels(),
        shape.threads(),
        bytes,
        shape.chunkBytes(),
        shape.route(),
        shape.registered(),
        DataType.FLOAT32);
  }

  @Test
  void nvlsIsToldOverNvlinkOnly() {
    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 1L << 30);
    Communicator declared = communicator("dgx-h100.xml", 1, NcclSettings.DEFAULTS);
    assertTrue(
        new CallPlanner(declared, Optional.empty(), 1)
            .shape(call, Optional.of(new Pair(Algorithm.NVLS, Protocol.SIMPLE)), false)
            .isPresent());
    Paths pci = communicator("l40s-8-switched.xml", 1).connection().domain(0).paths();
    assertTrue(
        new CallPlanner(declared, Optional.of(pci), 1)
            .shape(call, Optional.of(new Pair(Algorithm.NVLS, Protocol.SIMPLE)), false)
            .isEmpty());
  }

  private static boolean isRegistered(CallPlanner planner) {
    CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, 1L << 30);
    return planner
        .shape(call, Optional.of(new Pair(Algorithm.RING, Protocol.SIMPLE)), false)
        .orElseThrow()
        .registered();
  }

  @Test
  void ringsThroughASwitchShareTheLinksOfTheGpusEvenly() {
    TrafficRoute ring = routes(MeasuredSets.x4()).ring(24);
    assertEquals(24 / 370.8 * 1000, ring.together().nvlinkPsPerByte(), 1e-3);
    assertEquals(0, ring.together().otherPsPerByte());
    assertFalse(ring.together().throughHost());
  }

  /** Middle ranks of a chain send up and down; two GPUs take the root in turns. */
  @Test
  void treesLoadTheMiddleOfAChainTwice() {
    TrafficRoute four = routes(MeasuredSets.x4()).tree(24);
    assertEquals(6, four.stages().size());
    assertEquals(24 / 370.8 * 1000, four.stages().get(0).nvlinkPsPerByte(), 1e-3);
    assertEquals(48 / 370.8 * 1000, four.together().nvlinkPsPerByte(), 1e-3);
    TrafficRoute two = routes(MeasuredSets.x2()).tree(24);
    assertEquals(12 / 370.8 * 1000, two.stages().get(0).nvlinkPsPerByte(), 1e-3);
    assertEquals(24 / 370.8 * 1000, two.together().nvlinkPsPerByte(), 1e-3);
  }

  @Test
  void pairsOnTwoSocketsMeetInTheHostsMemory() {
    MeasuredSet pairs = MeasuredSets.declared("pairs2s");
    ChannelRoutes routes = routes(pairs);
    assertFalse(routes.isThroughHost(0, 1));
    assertTrue(routes.isThroughHost(1, 2));
    Contention hops = routes.ring(4).together();
    assertTrue(hops.throughHost());
    assertTrue(hops.otherPsPerByte() > 0);
    assertFalse(routes(MeasuredSets.declared("chain")).tree(8).together().throughHost());
  }

  /** NCCL 2.28 plans with 16 GB/s between any two AMD CPUs. */
  @Test
  void newerCpusCarryMoreThanTheReleasePlansWith() {
    NcclSettings direct = NcclSettings.parse(List.of("NCCL_P2P_LEVEL=SYS"));
    Communicator communicator = communicator("rtx-pro-6000-8.xml", 1, direct);
    Contention hops = new ChannelRoutes(communicator.connection(), direct).ring(1).together();
    assertFalse(hops.throughHost());
    assertEquals(1000 / 42.7, hops.otherPsPerByte(), 1e-3);
  }

  /** Between two EPYC Genoa NCCL plans with 16, then 24 GB/s, between two Xeon 8480 10, then 22. */
  @ParameterizedTest
  @CsvSource({"l40s-4.xml, 2.30.7, 2.31.2", "dgx-h100.xml, 2.25.1, 2.30.7"})
  void theDataRateOfLinksIsTheSameUnderEachRelease(String file, String older, String newer) {
    ChannelRoutes before = routes(file, older);
    ChannelRoutes after = routes(file, newer);
    assertEquals(rates(before, false), rates(after, false));
    assertEquals(rates(before, true), rates(after, true));
    assertNotEquals(plannedBetweenCpus(before), plannedBetweenCpus(after));
  }

  /** Of links to ports, which some releases leave out on one node, it says nothing. */
  private static List<String> rates(ChannelRoutes routes, boolean throughHost) {
    LinkTable table = routes.linkTable();
    return IntStream.range(0, table.size())
        .filter(link -> table.type(link) != LinkType.NET)
        .mapToObj(link -> table.type(link) + " " + routes.psPerByte(link, throughHost))
        .sorted()
        .toList();
  }

  private static Set<Float> plannedBetweenCpus(ChannelRoutes routes) {
    LinkTable table = routes.linkTable();
    return IntStream.range(0, table.size())
        .filter(link -> table.type(link) == LinkType.SYS)
        .mapToObj(table::bwGBps)
        .collect(Collectors.toSet());
  }

  private static ChannelRoutes routes(String file, String release) {
    NcclProfile profile = NcclProfile.of(release);
    Path path = Path.of(System.getProperty("topo.root")).resolve("topologies").resolve(file);
    Topology topology =
        new TopologyReader(UnknownElements.REJECTED, profile)
            .read(path, GpuSelection.ALL, new Diagnostics());
    Job job = Job.ofEqual(new Machine(topology, NO_MULTICAST), 1);
    return new ChannelRoutes(Connection.of(job, GraphSearch::findAll, profile), NO_MULTICAST);
  }

  /** Only PCI links are slower on the way through the host's memory. */
  @Test
  void otherLinksCarryAsMuchOnTheWayThroughTheHost() {
    for (String file : List.of("ac922-6.xml", "gh200.xml", "l40s-4.xml")) {
      ChannelRoutes routes = new ChannelRoutes(communicator(file, 1).connection(), NO_MULTICAST);
      LinkTable table = routes.linkTable();
      for (int link = 0; link < table.size(); link++) {
        double direct = routes.psPerByte(link, false);
        double throughHost = routes.psPerByte(link, true);
        boolean isPci = table.type(link) == LinkType.PCI;
        assertEquals(isPci, throughHost > direct, file + " " + table.type(link));
      }
    }
  }

  /** The closed form against flows that share links fairly, on machines of every kind. */
  @Test
  void contentionIsWhatTheSlowestFlowGets() {
    for (String file : List.of("dgx-h100.xml", "dgx-1v.xml", "v100-4-mesh.xml", "l40s-4.xml")) {
      Communicator communicator = communicator(file, 1);
      ChannelRoutes routes = new ChannelRoutes(communicator.connection(), NO_MULTICAST);
      int channels = communicator.facts().nChannels();
      Contention hops = routes.ring(channels).together();
      double[] capacity = capacity(routes, hops.throughHost());
      double slowest =
          Arrays.stream(rates(communicator, routes, channels, capacity)).min().orElseThrow();
      double ps = Math.max(hops.nvlinkPsPerByte(), hops.otherPsPerByte());
      assertEquals(1000 / slowest, ps, 1e-3 * ps, file);
    }
  }

  private static double[] rates(
      Communicator communicator, ChannelRoutes routes, int channels, double[] capacity) {
    List<int[]> flows = new ArrayList<>();
    rings(communicator, routes, channels).forEach(flows::addAll);
    double[] limits = new double[flows.size()];
    Arrays.fill(limits, Double.POSITIVE_INFINITY);
    return new FairShare(capacity).rates(flows, limits);
  }

  /** What links carry of the data, in GB/s; of those inside a device any amount. */
  private static double[] capacity(ChannelRoutes routes, boolean throughHost) {
    LinkTable table = routes.linkTable();
    double[] capacity = new double[table.size()];
    Arrays.setAll(
        capacity,
        link ->
            table.type(link) == LinkType.LOC
                ? Double.MAX_VALUE
                : 1000 / routes.psPerByte(link, throughHost));
    return capacity;
  }

  private static List<List<int[]>> rings(
      Communicator communicator, ChannelRoutes routes, int channels) {
    List<List<int[]>> rings = new ArrayList<>();
    for (int channel = 0; channel < channels; channel++) {
      List<int[]> ring = new ArrayList<>();
      int rank = 0;
      do {
        int next = communicator.connection().rings().next(channel, rank);
        ring.add(routes.links(rank, next));
        rank = next;
      } while (rank != 0);
      rings.add(ring);
    }
    return rings;
  }

  /** Where every ring meets the same links, all of them move at the pace of the closed form. */
  @Test
  void chunksMoveAsFastAsTheClosedFormSays() {
    Communicator communicator = communicator("dgx-h100.xml", 1);
    ChannelRoutes routes = new ChannelRoutes(communicator.connection(), NO_MULTICAST);
    List<RingSimulation.Step> steps =
        List.of(
            new RingSimulation.Step(40, true),
            new RingSimulation.Step(25, true),
            new RingSimulation.Step(50, false));
    for (int channels : new int[] {1, 8, 24}) {
      double linkUsPerMegabyte = routes.ring(channels).together().nvlinkPsPerByte();
      double expected =
          Math.max(1000 / 40.0, linkUsPerMegabyte) + Math.max(1000 / 25.0, linkUsPerMegabyte) + 20;
      double time =
          new RingSimulation(
                  capacity(routes, false), rings(communicator, routes, channels), steps, 1, 1e6)
              .run();
      assertEquals(expected, time, 1e-3 * expected, channels + " channels");
    }
  }

  @Test
  void eightGpusReachTheirLinksAndNameThem() {
    Communicator communicator = communicator("dgx-h100.xml", 1);
    CallPredictor predictor =
        new CallPredictor(new CallPlanner(communicator, Optional.empty(), 8), MODEL);
    CollectivePrediction large =
        predictor.predict(CollectiveCall.of(Collective.ALL_REDUCE, 8L << 30), false).orElseThrow();
    assertEquals(Bottleneck.LINKS, large.estimate().bottleneck());
    // Measured by others on 8 GPUs of HGX H200 without multicast: 365.6 GB/s at 8 GiB.
    assertEquals(365.6, large.busbwGBps(), 10);
    assertTrue(large.shortestUs().orElseThrow() < large.timeUs());
    assertTrue(large.timeUs() < large.longestUs().orElseThrow());
    CollectivePrediction small =
        predictor.predict(CollectiveCall.of(Collective.ALL_REDUCE, 8L), false).orElseThrow();
    assertEquals(Bottleneck.LAUNCH, small.estimate().bottleneck());
  }

  @Test
  void theBestIsNeverPredictedToBeSlowerThanNcclsChoice() {
    CallPredictor predictor =
        new CallPredictor(MeasuredSets.x4().planner(OptionalInt.empty()), MODEL);
    for (long size = 8; size <= 1L << 32; size *= 2) {
      for (Collective collective : Collective.values()) {
        CollectiveCall call = CollectiveCall.of(collective, size).exact();
        double chosen = predictor.predict(call, false).orElseThrow().timeUs();
        double fastest =
            predictor.predictEach(call, false).stream()
                .min(Comparator.comparingDouble(CollectivePrediction::timeUs))
                .orElseThrow()
                .timeUs();
        double best = predictor.compare(call).best().orElseThrow().timeUs();
        assertTrue(fastest <= best && best <= chosen, call.toString());
      }
    }
  }

  /** Whatever is shown for each pair, no answer of the same comparison contradicts it. */
  @ParameterizedTest
  @CsvSource({"dgx-h100.xml,1", "dgx-h100.xml,2", "dgx-a100.xml,1", "l40s-4.xml,1", "dgx-1v.xml,1"})
  void noPairIsShownFasterThanTheBestUnlessItCannotBeCompared(String file, int nodes) {
    Communicator communicator = communicator(file, nodes, NcclSettings.DEFAULTS);
    CallPredictor predictor =
        CallPredictor.of(
            new CallPlanner(communicator, Optional.empty(), 1),
            CalibrationChoice.of(communicator.job().machines().get(0).topology()).calibration());
    for (Collective collective : Collective.values()) {
      for (long size = 1 << 10; size <= 1L << 32; size *= 2) {
        ChoiceComparison comparison = predictor.compare(CollectiveCall.of(collective, size));
        CollectivePrediction best = comparison.best().orElseThrow();
        boolean isAnyFaster =
            comparison.each().stream().anyMatch(p -> p.timeUs() * 1.03 < best.timeUs());
        String what =
            file + " " + collective + " " + size + ": " + PredictionRow.faster(comparison);
        assertTrue(!isAnyFaster || comparison.regret().isEmpty(), what);
        assertEquals(
            comparison.regret().isEmpty(),
            PredictionRow.faster(comparison).contains("not comp"),
            what);
        assertEquals(best.source(), comparison.chosen().orElseThrow().source(), what);
        assertEquals(
            best.source() == Source.NCCL_MODEL || isAnyFaster, comparison.regret().isEmpty(), what);
      }
    }
  }

  @Test
  void publishedTimesOfNvlsAreNotComparedWithFittedOnesOfRings() {
    CallPredictor blackwell =
        new CallPredictor(
            new CallPlanner(
                communicator("hgx-b200.xml", 1, NcclSettings.DEFAULTS), Optional.empty(), 1),
            new TimingModel(CalibrationFile.shipped("b200-nvswitch").orElseThrow()));
    ChoiceComparison small = blackwell.compare(CollectiveCall.of(Collective.ALL_REDUCE, 8L << 20));
    assertEquals(Algorithm.NVLS, small.chosen().orElseThrow().algorithm());
    assertEquals(OptionalDouble.empty(), small.regret());
    assertEquals("Ring LL128", small.notComparable().get(0).pair().toString());
    assertTrue(
        PredictionRow.faster(small).startsWith("not comparable: Ring/LL128, 60.3 us"),
        PredictionRow.faster(small));
    assertEquals(
        Optional.empty(),
        Recommendation.of(blackwell).instead(small.chosen().get().call()),
        "tuner");
    CallPredictor predictor =
        new CallPredictor(
            new CallPlanner(
                communicator("dgx-h100.xml", 1, NcclSettings.DEFAULTS), Optional.empty(), 1),
            MODEL);
    ChoiceComparison large = predictor.compare(CollectiveCall.of(Collective.ALL_REDUCE, 1L << 30));
    assertEquals(OptionalDouble.of(0), large.regret());
  }

  @Test
  void betweenNodesTimesAreThoseOfTheNetworkAndAreNotComparable() {
    CallPredictor twoNodes =
        new CallPredictor(
            new CallPlanner(communicator("dgx-h100.xml", 2), Optional.empty(), 1), MODEL);
    CollectivePrediction between =
        twoNodes.predict(CollectiveCall.of(Collective.ALL_REDUCE, 1L << 30), false).orElseThrow();
    assertFalse(between.isCalibrated());
    assertEquals(Prediction.Source.NETWORK, between.source());
    assertTrue(between.spread().orElseThrow() > 0.05);
    assertTrue(between.busbwGBps() > 0 && between.busbwGBps() < 500, between.toString());
    assertEquals(
        between, twoNodes.compare(between.call()).best().orElseThrow(), "nothing to compare with");
    CallPredictor one =
        new CallPredictor(
            new CallPlanner(communicator("dgx-h100.xml", 1), Optional.empty(), 8), MODEL);
    CollectiveCall call = CollectiveCall.of(Collective.BROADCAST, 1L << 20);
    assertTrue(one.predict(call, Algorithm.TREE, Protocol.SIMPLE, false).isEmpty());
    assertEquals(3, one.predictEach(call, false).size());
    assertTrue(one.predictEach(call, false).stream().allMatch(CollectivePrediction::isCalibrated));
  }
}
