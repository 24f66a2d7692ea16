package dev.topo.simulator.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.MeasurementReader;
import dev.topo.model.Topology;
import dev.topo.model.job.Machine;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.PredictedCall.PairSelection;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.fixture.TestJobs;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import dev.topo.simulator.verdict.CalibrationFit;
import dev.topo.simulator.verdict.MeasuredSet;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What predictions rest on, and what they do not. */
class CommunicatorPredictionsTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final PairSelection CHOICE =
      new PairSelection(Optional.empty(), Optional.empty(), false);

  private static CommunicatorPredictions forecast(JobRequest job, List<CollectiveCall> calls) {
    JobResult result = TestJobs.evaluate(job);
    return new CommunicatorPredictions(
        "a job",
        result,
        calls.stream().map(call -> PredictedCall.of(result.predictor(), call, CHOICE)).toList(),
        List.of());
  }

  private static CommunicatorPredictions ofAllReduce(JobRequest job, long... sizes) {
    return forecast(job, LongStream.of(sizes).mapToObj(TestJobs::allReduce).toList());
  }

  private static List<CollectivePrediction> predictions(CommunicatorPredictions forecast) {
    return forecast.predictions().toList();
  }

  private static boolean hasCaveat(CommunicatorPredictions forecast, String words) {
    return forecast.caveats().stream().anyMatch(caveat -> caveat.contains(words));
  }

  @Test
  void oneRankSendsNothing() {
    CollectiveCall call = TestJobs.allReduce(MIB);
    CommunicatorPredictions alone = ofAllReduce(TestJobs.on(TestJobs.shipped("gtx1660-1")), MIB);
    assertEquals(Map.of(call, "one rank sends nothing"), alone.obstacles());
  }

  private static String quality(CommunicatorPredictions forecast) {
    return forecast.calibration().quality(forecast.launch());
  }

  @Test
  void nvlsRestsOnPublishedBusbw() {
    CommunicatorPredictions forecast =
        ofAllReduce(TestJobs.on(TestJobs.shipped("dgx-h100")), 8, GIB);
    assertEquals("h100-nvswitch", forecast.calibration().calibration().orElseThrow().name());
    assertEquals(1, forecast.predictor().planner().gpusPerProcess());
    assertTrue(predictions(forecast).get(0).isCalibrated());
    CollectivePrediction nvls = predictions(forecast).get(1);
    assertEquals("NVLS", nvls.algorithm().label());
    assertFalse(nvls.isCalibrated());
    assertEquals(Source.PUBLISHED, nvls.source());
    assertTrue(
        forecast.caveats().get(0).startsWith("NVLS (*) is based on published busbw"),
        forecast.caveats().toString());
    assertEquals(2, forecast.calls().size());
    assertTrue(
        forecast.calls().stream().allMatch(call -> call.comparison().best().isPresent()), "best");
  }

  @Test
  void aMachineThatNothingWasMeasuredOnHasNoCalibration() {
    SelectedCalibration none = SelectedCalibration.byMachine(topology("dgx-1v"));
    assertTrue(none.calibration().isEmpty());
    assertEquals("none matches this machine: sm 70, NVLink without NVSwitch", none.reason());
  }

  private static Topology topology(String name) {
    return TestJobs.shipped(name).topology();
  }

  @Test
  void betweenNodesTheNetworkIsWhatTimesRestOn() {
    CommunicatorPredictions forecast =
        ofAllReduce(TestJobs.on(TestJobs.shipped("dgx-h100"), 4), GIB);
    assertTrue(hasCaveat(forecast, "between nodes (*): network rdma: "));
    CollectivePrediction prediction = predictions(forecast).get(0);
    assertFalse(prediction.isCalibrated());
    assertTrue(
        List.of("NVLSTree/Simple", "Ring/Simple").contains(prediction.launchName()),
        prediction.launchName());
    assertFalse(hasCaveat(forecast, "90 of 100 within"));
  }

  @Test
  void hostsOfSeveralNodesAreNoted() {
    Machine divided = TestJobs.shipped("dgx-h100", "NCCL_P2P_DISABLE=1");
    assertEquals(
        "NCCL counts 4 nodes on 2 hosts: only the network connects the groups of GPUs"
            + " (NCCL_P2P_DISABLE=1)",
        ofAllReduce(TestJobs.on(divided, 2), GIB).limits().get(0));
    CommunicatorPredictions whole = ofAllReduce(TestJobs.on(TestJobs.shipped("dgx-h100"), 2), GIB);
    assertFalse(hasCaveat(whole, "NCCL counts"));
  }

  @Test
  void caveatsAndRangesAgreeOnWhatIsKnown() {
    Machine b300 = TestJobs.shipped("hgx-b300");
    CommunicatorPredictions each = ofAllReduce(TestJobs.on(b300), GIB);
    assertTrue(hasCaveat(each, "generation of GPUs is in calibration"));
    assertTrue(hasCaveat(each, "): the range is twice as wide"));
    JobRequest shared = TestJobs.on(b300).withContext(CallContext.USUAL.withGpusPerProcess(8));
    CommunicatorPredictions together = ofAllReduce(shared, GIB);
    assertEquals(predictions(each).get(0).spread(), predictions(together).get(0).spread());
    assertTrue(hasCaveat(together, "): the range is twice as wide"));
  }

  @Test
  void aCalibrationAsRequestedMayBeOfAnotherMachine() {
    Machine four = TestJobs.measured("h200-x4");
    Calibration a100 = CalibrationFile.shipped("a100-nvswitch").orElseThrow();
    assertEquals(
        "as requested, but this machine is sm 90, NVSwitch",
        SelectedCalibration.requested(a100, four.topology()).reason());
    JobRequest none = TestJobs.on(four).withCalibration(SelectedCalibration.none());
    CollectivePrediction prediction = predictions(ofAllReduce(none, GIB)).get(0);
    assertEquals("Ring/Simple", prediction.launchName());
    assertFalse(prediction.isCalibrated());
  }

  /** Ranges are those of times that no fit has seen, launched the same way if there are any. */
  @Test
  void whereNoRangeIsKnownNoneIsStated() {
    JobRequest pci = TestJobs.on(TestJobs.shipped("l40s-4"));
    CommunicatorPredictions graphs = ofAllReduce(pci.withGpusPerProcess(0), MIB, GIB);
    assertEquals(
        predictions(ofAllReduce(pci, MIB, GIB)).stream().map(CollectivePrediction::spread).toList(),
        predictions(graphs).stream().map(CollectivePrediction::spread).toList());
    JobRequest nodes = TestJobs.on(TestJobs.shipped("l40s-4"), 2);
    CollectivePrediction between = predictions(ofAllReduce(nodes, GIB)).get(0);
    assertEquals("not known", between.range());
    assertTrue(between.shortestUs().isEmpty());
    assertTrue(between.longestUs().isEmpty());
    CommunicatorPredictions published =
        ofAllReduce(TestJobs.on(TestJobs.shipped("dgx-a100")), MIB, GIB);
    assertTrue(
        predictions(published).stream().noneMatch(one -> one.range().equals("not known")),
        "published times of all sizes");
    assertEquals(
        "low quality, 90 of 100 within 61 %, 239 % from 256 KiB on, 264 % from 16 MiB on",
        quality(ofAllReduce(pci, GIB)));
    CommunicatorPredictions shared =
        ofAllReduce(TestJobs.on(TestJobs.measured("h200-x4")).withGpusPerProcess(4), GIB);
    assertEquals(
        "measured, 90 of 100 within 14 %, 9 % from 256 KiB on, 8 % from 16 MiB on",
        quality(shared));
  }

  @Test
  void multicastHasARangeOfPublishedTimes() {
    CommunicatorPredictions multicast =
        ofAllReduce(TestJobs.on(TestJobs.shipped("dgx-h100")), 2 * MIB, GIB);
    assertTrue(
        hasCaveat(
            multicast,
            "published busbw: 90 of 100 within 7 % from 256 KiB on, 4 % from 16 MiB on"));
    CollectivePrediction small = predictions(multicast).get(0);
    assertEquals(40.9, small.timeUs(), 0.5);
    assertNotEquals("not known", small.range());
  }

  /** A fit to the large calls of four H200. */
  private static Calibration ofLargeCalls() throws IOException {
    String file = "h200-x4.csv";
    String text = Files.readString(TestJobs.MEASURED.resolve(file));
    MeasuredSet set =
        new MeasuredSet(
                file,
                TestJobs.measured("h200-x4"),
                Optional.empty(),
                MeasurementReader.read(text, file).measurements(),
                NcclProfile.DEFAULT,
                new JobEvaluator())
            .only(one -> one.sizeBytes() >= 64 * MIB);
    return new CalibrationFit(
            set.observations(one -> true, 1),
            CalibrationFile.shipped("h200-nvswitch").orElseThrow(),
            EnumSet.allOf(Constant.class))
        .run("own", "a test", round -> {})
        .calibration()
        .withMeasuredOn(MeasuredSet.measuredOn(List.of(set), Optional.empty()));
  }

  private static CommunicatorPredictions with(Calibration calibration, Machine machine) {
    return ofAllReduce(
        TestJobs.on(machine)
            .withCalibration(SelectedCalibration.requested(calibration, machine.topology())),
        8 * GIB);
  }

  @Test
  void aCalibrationOfAnotherKindOfMachineIsSaidToBe() throws IOException {
    Calibration own = ofLargeCalls();
    CommunicatorPredictions other = with(own, TestJobs.shipped("l40s-4"));
    assertTrue(
        other.calibration().reason().startsWith("as requested, but this machine is sm 89, PCI"),
        other.calibration().reason());
    assertTrue(quality(other).endsWith(" on another kind of machine"), quality(other));
    assertTrue(hasCaveat(other, "sizes above 4 GiB were not measured for this calibration"));
    assertFalse(hasCaveat(other, "more than"), other.caveats().toString());
    CommunicatorPredictions same = with(own, TestJobs.shipped("dgx-h100"));
    assertEquals("as requested", same.calibration().reason());
    assertTrue(quality(same).startsWith("measured"), quality(same));
    assertTrue(hasCaveat(same, "not measured with more than 4 GPUs"));
  }

  @Test
  void aCudaGraphLaunchesNothing() {
    JobRequest job = TestJobs.on(TestJobs.measured("h200-x4"));
    CommunicatorPredictions replayed = ofAllReduce(job.withGpusPerProcess(0), 8, GIB);
    assertTrue(
        predictions(replayed).stream()
            .noneMatch(one -> one.estimate().bottleneck() == Bottleneck.LAUNCH));
    CommunicatorPredictions launched = ofAllReduce(job.withGpusPerProcess(4), 8, GIB);
    assertTrue(
        predictions(launched).stream()
            .anyMatch(one -> one.estimate().bottleneck() == Bottleneck.LAUNCH));
  }

  /** NCCL counts an interface whose speed it does not know as 10 Gb/s. */
  @Test
  void aSpeedThatNcclMayHaveAssumedIsSaid() {
    CommunicatorPredictions assumed =
        ofAllReduce(TestJobs.on(TestJobs.shipped("rtx3090-2-bridged"), 2), GIB);
    assertTrue(hasCaveat(assumed, "enp5s0: NCCL counts an interface that states no"));
    CommunicatorPredictions known =
        ofAllReduce(TestJobs.on(TestJobs.shipped("a100-pcie-4-bridged"), 2), GIB);
    assertFalse(hasCaveat(known, "states no speed"));
  }

  /** What is predicted of sends and receives of equal parts; of uneven ones with a factor. */
  private static CommunicatorPredictions ofPeers(JobRequest job, long bytes, double factor) {
    JobResult result = TestJobs.evaluate(job);
    PeerPredictor peers = PeerPredictor.of(result.predictor()).orElseThrow();
    PeerPrediction one =
        (factor == 1
                ? peers.predict(PeerOperation.ALLTOALL, bytes, false)
                : peers.predictSkewed(bytes, factor))
            .orElseThrow();
    return new CommunicatorPredictions("a job", result, List.of(), List.of(), List.of(one));
  }

  /** No row of such a table has a range, and so its head names none. */
  @Test
  void theHeadHasNoRangeThatNoRowHas() {
    JobRequest job = TestJobs.on(TestJobs.shipped("dgx-h100"), 2);
    JobRequest large = TestJobs.on(TestJobs.shipped("dgx-h100"), 129);
    CommunicatorPredictions collective = ofAllReduce(large, 64 << 10);
    assertEquals("not known", predictions(collective).get(0).range());
    CommunicatorPredictions uneven = ofPeers(job, 64 * MIB, 2);
    CommunicatorPredictions ofMany = ofPeers(large, 64 << 10, 1);
    assertEquals("not known", uneven.peers().get(0).range());
    assertEquals("not known", ofMany.peers().get(0).range());
    for (CommunicatorPredictions forecast : List.of(collective, uneven, ofMany)) {
      assertTrue(hasCaveat(forecast, "no range is known"), forecast.caveats().toString());
      assertFalse(hasCaveat(forecast, "90 of 100"), forecast.caveats().toString());
    }
    assertTrue(hasCaveat(uneven, "busbw by what the busiest rank sends or receives"));
  }

  @Test
  void ratiosOfAnotherMachineAreMarked() {
    CommunicatorPredictions forecast =
        ofPeers(TestJobs.on(TestJobs.shipped("l40s-8-switched")), GIB, 1);
    assertTrue(hasCaveat(forecast, "sends and receives were measured on 2 H200"));
    assertEquals("not known", forecast.peers().get(0).range());
    CommunicatorPredictions published = ofPeers(TestJobs.on(TestJobs.shipped("dgx-a100")), GIB, 1);
    assertFalse(hasCaveat(published, "sends and receives were measured on"));
    assertNotEquals("not known", published.peers().get(0).range());
  }

  /** With multicast nothing was measured: NCCL's own time, marked, without a range. */
  @Test
  void kernelsThatWereNotMeasuredAreMarked() {
    JobRequest job =
        TestJobs.on(TestJobs.shipped("dgx-h100"))
            .withContext(CallContext.USUAL.withBuffers(Buffers.SYMMETRIC));
    CommunicatorPredictions forecast = ofAllReduce(job, 16 * MIB);
    assertTrue(hasCaveat(forecast, "AllReduce_RSxLDMC_AGxSTMC (*) is not calibrated"));
    assertEquals("not known", predictions(forecast).get(0).range());
  }

  @Test
  void theFirstEfaHasNoRangeAndSaysWhatItsPluginSets() {
    NetworkCalibration efa = NetworkFile.shipped("efa").orElseThrow();
    for (String machine : List.of("dgx-a100", "dgx-h100")) {
      JobRequest job = TestJobs.on(TestJobs.shipped(machine), 2).withNetwork(efa);
      CommunicatorPredictions forecast = ofAllReduce(job, GIB);
      boolean isFirst = machine.equals("dgx-a100");
      assertEquals(isFirst, predictions(forecast).get(0).spread().isEmpty(), machine);
      assertEquals(isFirst, hasCaveat(forecast, "(NCCL_PROTO=Simple)"), machine);
    }
  }
}
