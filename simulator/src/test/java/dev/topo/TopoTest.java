package dev.topo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.lint.LintRule;
import dev.topo.model.Link;
import dev.topo.model.Node;
import dev.topo.model.Topology;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.search.explain.ChoiceExplainer;
import dev.topo.search.explain.Explanation;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.transfer.TransferTable;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryModel;
import dev.topo.simulator.memory.MemoryPart;
import dev.topo.simulator.memory.MemoryStep;
import dev.topo.simulator.memory.StepMemory;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.variant.JobChange;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jgrapht.Graph;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every answer of the front door is that of the classes below it. */
class TopoTest {
  private static final Path TOPOLOGIES =
      Path.of(System.getProperty("topo.root")).resolve("topologies");
  private static final CollectiveCall CALL = CollectiveCall.of(Collective.ALL_REDUCE, 1L << 30);
  private static final JobEvaluator EVALUATOR = new JobEvaluator(SharedGraphs.GRAPHS, new Inputs());
  private static final Topo H100 = Topo.open(TOPOLOGIES.resolve("dgx-h100.xml"));
  private static final Topo FOUR = H100.nodes(4);

  private static Topology topology(String name, NcclProfile profile) {
    return new TopologySource(new Inputs(), UnknownElements.REJECTED)
        .topology(TOPOLOGIES.resolve(name), GpuSelection.ALL, profile, new Diagnostics());
  }

  private static Machine machine(String name, String... settings) {
    return new Machine(topology(name, NcclProfile.DEFAULT), NcclSettings.parse(List.of(settings)));
  }

  private static JobResult evaluate(Job job, Call... calls) {
    return EVALUATOR.evaluate(JobRequest.of(job, List.of(calls)));
  }

  private static JobResult four() {
    return evaluate(Job.ofEqual(machine("dgx-h100.xml"), 4), CALL);
  }

  @Test
  void predictsACollectiveAsTheEvaluator() {
    Prediction expected = four().predictions().get(CALL);
    assertEquals(expected, FOUR.predict(CALL));
    assertEquals(expected.timeUs(), FOUR.predict(CALL).timeUs());
    assertTrue(FOUR.predict(CALL).longestUs().isPresent());
  }

  @ParameterizedTest
  @ValueSource(strings = {"alltoall", "sendrecv", "alltoallv", "gather", "scatter"})
  void predictsSendsAndReceivesAsTheirPredictor(String operation) {
    Call call = Call.of(operation, "64M");
    assertEquals(
        PeerPredictor.of(four().predictor()).orElseThrow().predict((PeerCall) call),
        Optional.of(FOUR.predict(call)));
  }

  @Test
  void choosesAsTheTuner() {
    Choice expected = four().communicator().tuner().decide(CALL).choice().orElseThrow();
    CallChoice choice = FOUR.tune(CALL);
    assertEquals(expected.algorithm(), choice.algorithm().orElseThrow());
    assertEquals(expected.protocol(), choice.protocol());
    assertEquals(expected.channels(), choice.mostChannels());
    assertEquals(expected.threads(), choice.threads());
    assertEquals(expected.timeUs(), choice.timeUs().orElseThrow());
    assertEquals(
        expected.algorithm().label() + "/" + expected.protocol().label(), choice.launchName());
    assertTrue(choice.channels() >= 1 && choice.channels() <= choice.mostChannels());
  }

  @Test
  void dividesSendsAndReceivesAsTheirTable() {
    CallChoice choice = FOUR.tune(Call.of("alltoall", "1G"));
    assertEquals(
        new TransferTable(four().connection()).rows(new PeerCall(PeerOperation.ALLTOALL, 1L << 30)),
        choice.transfers());
    assertEquals("P2P/Simple, NET/Simple", choice.launchName());
    assertEquals(Protocol.SIMPLE, choice.protocol());
    assertTrue(choice.algorithm().isEmpty() && choice.timeUs().isEmpty());
  }

  @Test
  void findsTheGraphsOfTheEvaluator() {
    assertEquals(
        EVALUATOR
            .graphs(machine("dgx-h100.xml"), false, NcclProfile.DEFAULT)
            .get(0)
            .graphs()
            .get(GraphKind.RING),
        H100.search().get(0).graphs().get(GraphKind.RING));
    assertEquals(1, H100.search().size());
  }

  @Test
  void takesTheMemoryOfItsModel() {
    MemoryModel model = new MemoryModel(four().communicator(), List::of);
    List<String> steps = List.of("init", "all_reduce 256 MiB", "alltoall 1 MiB");
    assertEquals(
        model.answer(steps.stream().map(MemoryStep::parse).toList()),
        FOUR.memory(steps.toArray(String[]::new)));
    assertEquals(model.usual(), FOUR.memory());
  }

  @Test
  void memoryOfHalvesIsThatOfTheirCommunicators() {
    MemoryAnswer halves = FOUR.memory("init", "split halves", "split halves all_reduce 1 MiB");
    MemoryAnswer half = FOUR.groups("MOD 2").get(0).memory("init", "all_reduce 1 MiB");
    assertEquals(networkBuffers(half.ofRank(0).get(1)), networkBuffers(halves.ofRank(0).get(2)));
    for (String wrong : List.of("split all_reduce 8 B", "all_reduce")) {
      assertThrows(SettingException.class, () -> FOUR.memory("init", wrong));
    }
  }

  private static long networkBuffers(StepMemory step) {
    return step.parts().stream()
        .filter(part -> part.what().equals("network buffers"))
        .mapToLong(MemoryPart::bytes)
        .sum();
  }

  @Test
  void findsGraphsForEachGroupThatOnlyTheNetworkJoins() {
    Topo split = Topo.open(TOPOLOGIES.resolve("gb200-tray.xml")).nvlinkDomain(2);
    assertEquals(1, split.search().size());
    assertEquals(2, split.set("NCCL_MNNVL_ENABLE", "0").search().size());
  }

  @Test
  void oneRankIsConnected() {
    assertEquals(1, Topo.open(TOPOLOGIES.resolve("gtx1660-1.xml")).connect().nRanks());
  }

  @Test
  void connectsAsTheEvaluator() {
    assertEquals(four().connection().nChannels(), FOUR.connect().nChannels());
    assertEquals(four().connection().nRanks(), FOUR.connect().nRanks());
    assertEquals(
        four().connection().agreedGraphs(0).get(GraphKind.RING),
        FOUR.connect().agreedGraphs(0).get(GraphKind.RING));
  }

  @Test
  void changesReturnAnotherJobAndLeaveThisOne() {
    Prediction before = FOUR.predict(CALL);
    Topo ring = FOUR.set("NCCL_ALGO", "Ring");
    assertNotSame(FOUR, ring);
    assertEquals(Algorithm.RING, ring.tune(CALL).algorithm().orElseThrow());
    assertEquals(
        evaluate(Job.ofEqual(machine("dgx-h100.xml", "NCCL_ALGO=Ring"), 4), CALL)
            .predictions()
            .get(CALL),
        ring.predict(CALL));
    assertEquals(before, FOUR.predict(CALL));
  }

  @Test
  void followsTheRulesOfARelease() {
    NcclProfile old = NcclProfile.of("2.21.5");
    JobResult expected =
        EVALUATOR.evaluate(
            JobRequest.of(
                Job.ofEqual(new Machine(topology("dgx-h100.xml", old), NcclSettings.DEFAULTS), 4),
                old,
                List.of(CALL)));
    Topo released = FOUR.release("2.21.5");
    assertEquals(old, released.connect().profile());
    assertEquals(expected.predictions().get(CALL), released.predict(CALL));
    // How it divides sends is not known, whatever the number of nodes.
    Call send = Call.of("alltoall", "64M");
    assertThrows(SettingException.class, () -> expected.predict(send));
    assertEquals(wrong(() -> released.tune(send)), wrong(() -> released.predict(send)));
  }

  @Test
  void takesACalibrationOfTheNetwork() {
    JobRequest request =
        JobRequest.of(Job.ofEqual(machine("dgx-h100.xml"), 4), List.of(CALL))
            .withNetwork(NetworkFile.shipped("sockets").orElseThrow());
    assertEquals(
        EVALUATOR.evaluate(request).predictions().get(CALL), FOUR.network("sockets").predict(CALL));
    assertNotEquals(FOUR.predict(CALL).timeUs(), FOUR.network("sockets").predict(CALL).timeUs());
  }

  @Test
  void equalGroupsAreOneObjectAndAnswerForTheirRanks() {
    List<Topo> nodes = FOUR.groups("DIV 8");
    assertEquals(4, nodes.size());
    assertSame(nodes.get(0), nodes.get(3));
    assertEquals(8, nodes.get(0).connect().nRanks());
    assertEquals(H100.predict(CALL), nodes.get(0).predict(CALL));
    List<Topo> rails = FOUR.groups("MOD 8");
    assertEquals(8, rails.size());
    assertEquals(4, rails.get(7).connect().nRanks());
    assertEquals(4, rails.get(7).connect().nNodes());
    assertEquals(2, FOUR.groups("0-7;8-31").size());
    assertEquals(3, FOUR.groups("0-7;8-31").get(1).connect().nNodes());
  }

  @Test
  void aGroupFollowsLaterChanges() {
    Topo rail = FOUR.groups("MOD 8").get(0).set("NCCL_ALGO", "Ring");
    assertEquals(Algorithm.RING, rail.tune(CALL).algorithm().orElseThrow());
    assertEquals(4, rail.connect().nRanks());
  }

  @Test
  void comparesBeforeAndAfterEdits() {
    Comparison change = FOUR.compare("net:*.speed=100000");
    assertSame(FOUR, change.before());
    double slow =
        evaluate(
                Job.ofEqual(
                    new Machine(
                        H100.edit("net:*.speed=100000").job().machines().get(0).topology(),
                        NcclSettings.DEFAULTS),
                    4),
                CALL)
            .predictions()
            .get(CALL)
            .busbwGBps();
    assertEquals(slow, change.after().predict(CALL).busbwGBps());
    assertEquals(slow / FOUR.predict(CALL).busbwGBps() - 1, change.busbwChange(CALL));
    assertTrue(change.busbwChange(CALL) < -0.5);
    JobChange changes = change.changes(List.of(Call.of("all_reduce", "1M"), CALL));
    assertEquals(1, changes.busbw().stream().filter(one -> one.call().equals(CALL)).count());
    Call send = Call.of("sendrecv", "64M");
    assertEquals(
        List.of(send),
        change.changes(List.of(send)).busbw().stream().map(one -> one.call()).toList());
    assertTrue(changes.graphs().stream().anyMatch(one -> one.property().equals("bwInter")));
  }

  @Test
  void editsMaySetReleaseAndSettings() {
    Topo edited = FOUR.edit("nccl 2.21.5; env NCCL_ALGO=Ring");
    assertEquals(
        FOUR.release("2.21.5").set("NCCL_ALGO", "Ring").predict(CALL), edited.predict(CALL));
    assertEquals("dgx-h100, 4 nodes, NCCL 2.21.5", edited.toString());
  }

  @Test
  void comparesWithAnotherFile() {
    Path other = TOPOLOGIES.resolve("hgx-h200-4nic.xml");
    assertEquals(
        Topo.open(other).nodes(4).predict(CALL), FOUR.edit("machine " + other).predict(CALL));
  }

  @Test
  void explainsTheChoiceOfTheTuner() {
    List<Explanation> explanations = FOUR.explain(CALL);
    assertTrue(explanations.contains(new ChoiceExplainer(four().communicator()).explain(CALL)));
    assertTrue(explanations.stream().anyMatch(one -> one.topic().equals("bound")));
    assertNotEquals(explanations, FOUR.network("sockets").explain(CALL));
    assertEquals(
        "AlltoAll of 64 MiB on rank 0", FOUR.explain(Call.of("alltoall", "64M")).get(0).topic());
  }

  @Test
  void lintHasFindingsAlsoOfATextThatCannotBeRead() throws IOException {
    assertEquals(List.of(), H100.lint());
    String xml = Files.readString(TOPOLOGIES.resolve("dgx-h100.xml"));
    Topo broken = Topo.parse(xml.replace("</system>", ""));
    assertTrue(
        broken.lint().stream().anyMatch(found -> found.rule().severity().name().equals("ERROR")),
        () -> broken.lint().toString());
    assertThrows(TopologyFormatException.class, broken::connect);
    assertEquals(LintRule.EMPTY_FILE, Topo.parse("").lint().get(0).rule());
  }

  @Test
  void readsTextsAndStreamsAsFiles() throws IOException {
    byte[] content = Files.readAllBytes(TOPOLOGIES.resolve("dgx-h100.xml"));
    assertEquals(
        FOUR.predict(CALL),
        Topo.parse(new String(content, StandardCharsets.UTF_8)).nodes(4).predict(CALL));
    Topo read = Topo.read(new ByteArrayInputStream(content), "memory/h100.xml");
    assertEquals("h100, 1 node, NCCL 2.28.9", read.toString());
    assertEquals(H100.predict(CALL), read.predict(CALL));
  }

  @Test
  void viewHasEveryNodeAndLinkAndCannotBeChanged() {
    Graph<Node, Link> graph = H100.graph();
    Topology topology = topology("dgx-h100.xml", NcclProfile.DEFAULT);
    assertEquals(Set.copyOf(topology.nodes()), graph.vertexSet());
    Set<Link> links =
        IntStream.range(0, topology.size())
            .boxed()
            .flatMap(node -> topology.links(node).stream())
            .collect(Collectors.toSet());
    assertEquals(links, graph.edgeSet());
    links.forEach(link -> assertEquals(link.bwGBps(), (float) graph.getEdgeWeight(link)));
    assertTrue(new ConnectivityInspector<>(graph).isConnected());
    Node gpu = topology.gpus().get(0);
    assertThrows(UnsupportedOperationException.class, () -> graph.removeVertex(gpu));
    Link first = links.iterator().next();
    assertThrows(UnsupportedOperationException.class, () -> graph.setEdgeWeight(first, 1));
  }

  @Test
  void caveatsNameWhatIsNotModelled() {
    assertEquals(List.of(), H100.caveats());
    assertEquals(
        List.of("nvlink-domain"),
        Topo.open(TOPOLOGIES.resolve("gb200-tray.xml")).nodes(2).caveats().stream()
            .map(caveat -> caveat.id())
            .filter(id -> id.equals("nvlink-domain"))
            .toList());
  }

  /** As topo predict with --split. */
  @Test
  void aGroupBesideOthersOnItsNodesHasACaveat() {
    assertEquals(
        List.of("concurrent-groups"),
        FOUR.groups("MOD 8").get(0).caveats().stream().map(caveat -> caveat.id()).toList());
    assertEquals(List.of(), FOUR.groups("DIV 8").get(0).caveats());
  }

  @Test
  void manyThreadsHaveTheAnswersOfOne() {
    List<Call> calls =
        IntStream.range(0, 24)
            .mapToObj(
                i ->
                    Call.of(
                        List.of("all_reduce", "all_gather", "alltoall", "sendrecv").get(i % 4),
                        (1 << 10 + i / 2) + ""))
            .toList();
    Topo fresh = Topo.open(TOPOLOGIES.resolve("dgx-h100.xml"));
    List<Double> together =
        IntStream.range(0, 10 * calls.size())
            .parallel()
            .mapToObj(i -> fresh.nodes(1 + i % 2).predict(calls.get(i / 10)).timeUs())
            .toList();
    Topo two = fresh.nodes(2);
    List<Prediction> ofOneValue =
        IntStream.range(0, 10 * calls.size())
            .parallel()
            .mapToObj(i -> two.predict(calls.get(i % calls.size())))
            .toList();
    List<CallChoice> choices =
        IntStream.range(0, 10 * calls.size())
            .parallel()
            .mapToObj(i -> two.tune(calls.get(i % calls.size())))
            .toList();
    for (int i = 0; i < 10 * calls.size(); i++) {
      Call call = calls.get(i / 10);
      assertEquals((i % 2 == 0 ? H100 : H100.nodes(2)).predict(call).timeUs(), together.get(i));
      Call other = calls.get(i % calls.size());
      assertEquals(FOUR.nodes(2).predict(other), ofOneValue.get(i));
      assertEquals(FOUR.nodes(2).tune(other), choices.get(i));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 'nodes 0: expected 1 to 1000000'",
    "-4, 'nodes -4: expected 1 to 1000000'",
    "1000001, 'nodes 1000001: expected 1 to 1000000'"
  })
  void numbersOfNodesHaveLimits(int count, String message) {
    assertEquals(message, wrong(() -> H100.nodes(count)));
  }

  @Test
  void messagesNameWhatWasGivenAndWhatWasExpected() {
    assertEquals(
        "release '2.x': expected a version such as 2.27.7", wrong(() -> H100.release("2.x")));
    assertTrue(
        wrong(() -> H100.release("2.9.6")).matches("release 2.9.6: expected [0-9.]+ or newer"));
    assertEquals(
        "network lan: expected a file or one of rdma, slingshot, efa, sockets",
        wrong(() -> H100.network("lan")));
    assertTrue(wrong(() -> H100.set("NCCL_ALGOS", "Ring")).contains("NCCL_ALGO"));
    assertTrue(wrong(() -> H100.set("NCCL_ALGO", "Rings")).contains("Rings"));
    assertEquals(
        "groups DIV: split 'DIV': expected AND, OR, MOD or DIV (or & | % /) and a number, as in"
            + " 'AND 0x7'",
        wrong(() -> H100.groups("DIV")));
    assertEquals("groups 0-8: rank 8: expected ranks from 0 to 7", wrong(() -> H100.groups("0-8")));
    assertEquals(
        "nodes 2: this is a group of a split, expected nodes before groups",
        wrong(() -> H100.groups("DIV 4").get(0).nodes(2)));
    assertEquals(
        "groups DIV 2: this is a group of a split already",
        wrong(() -> H100.groups("DIV 4").get(0).groups("DIV 2")));
    assertEquals("NVLink domain of 0 hosts: expected 1 to 1000", wrong(() -> H100.nvlinkDomain(0)));
  }

  @Test
  void callsWithoutAnAnswerSayWhy() {
    Topo one = H100.groups("0;1-7").get(0);
    assertEquals(
        "all_reduce of 1024 bytes: one rank has nothing to send, expected 2 ranks or more",
        wrong(() -> one.predict(Call.of("all_reduce", "1K"))));
    assertTrue(
        wrong(() -> H100.set("NCCL_ALGO", "PAT").tune(Call.of("all_reduce", "1K")))
            .startsWith("all_reduce of 1024 bytes: NCCL refuses the call: "));
    assertEquals(
        "hypercube of 1024 bytes: the operation is several calls, expected a collective, sendrecv,"
            + " alltoall, alltoallv, gather or scatter",
        wrong(() -> H100.tune(Call.of("hypercube", "1K"))));
    assertEquals(
        wrong(() -> H100.tune(Call.of("hypercube", "1K"))),
        wrong(() -> H100.predict(Call.of("hypercube", "1K"))));
    assertEquals(
        "alltoall of 8 bytes: NCCL discards the call: it has no element, expected 128 bytes or"
            + " more",
        wrong(() -> H100.tune(Call.of("alltoall", "8"))));
    assertEquals(
        wrong(() -> H100.tune(Call.of("alltoall", "8"))),
        wrong(() -> H100.predict(Call.of("alltoall", "8"))));
    assertEquals(
        "all_reduce of 3 bytes: NCCL discards the call: it has no element, expected 4 bytes or"
            + " more",
        wrong(() -> H100.predict(Call.of("all_reduce", "3"))));
    assertEquals(
        "alltoall of 1048576 bytes: how NCCL 2.21.5 divides sends and receives is not modelled,"
            + " expected 2.22.3 or newer",
        wrong(() -> H100.release("2.21.5").tune(Call.of("alltoall", "1M"))));
    assertEquals(
        wrong(() -> H100.release("2.21.5").tune(Call.of("alltoall", "1M"))),
        wrong(() -> H100.release("2.21.5").predict(Call.of("alltoall", "1M"))));
  }

  @Test
  void aFileThatIsMissingOrNoTopologyIsNamed() {
    TopologyFormatException missing =
        assertThrows(TopologyFormatException.class, () -> Topo.open(Path.of("none.xml")));
    assertTrue(missing.getMessage().startsWith("none.xml: "), missing.getMessage());
    TopologyFormatException edit =
        assertThrows(TopologyFormatException.class, () -> H100.edit("remove net:mlx5_99"));
    assertTrue(edit.getMessage().contains("mlx5_99"), edit.getMessage());
    assertTrue(wrong(() -> H100.edit(" ")).contains("expected one as in 'remove net:mlx5_3'"));
  }

  private static String wrong(Runnable asked) {
    String message = String.valueOf(assertThrows(SettingException.class, asked::run).getMessage());
    assertFalse(message.contains("--"), message);
    return message;
  }

  @Test
  void aNullIsRefusedByName() {
    Topo job = Topo.open(Path.of("dgx-h100"));
    Map<String, Executable> calls =
        Map.of(
            "file", () -> Topo.open(null),
            "xml", () -> Topo.parse(null),
            "in", () -> Topo.read(null, "x"),
            "version", () -> job.release(null),
            "value", () -> job.set("NCCL_ALGO", null),
            "name", () -> job.network(null),
            "rule", () -> job.groups(null),
            "edits", () -> job.compare(null),
            "call", () -> job.predict(null));
    calls.forEach(
        (name, call) ->
            assertEquals(name, assertThrows(NullPointerException.class, call).getMessage()));
  }
}
