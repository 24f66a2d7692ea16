package dev.topo.search.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeId;
import dev.topo.model.fixture.GraphBuilder;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.engine.GraphSearch.GraphRequest;
import dev.topo.search.engine.SearchMonitor.SearchOutcome;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GraphSearchTest {
  private final TestMachine machine = new TestMachine();

  private Domain domain(boolean crossesNetwork) {
    return DomainFinder.find(
            machine.build(), NcclSettings.DEFAULTS, crossesNetwork, NcclProfile.DEFAULT)
        .get(0);
  }

  private static SearchOutcome ring(Domain domain, Optional<NodeGraphs> stated) {
    return new GraphSearch(domain, NcclSettings.DEFAULTS, stated, SearchMonitor.NONE)
        .find(GraphRequest.ring(NcclProfile.DEFAULT));
  }

  private void pciPair(float bwGBps) {
    Vertex cpu = machine.arm();
    machine.gpu(cpu, 80, true, bwGBps);
    machine.gpu(cpu, 80, true, bwGBps);
  }

  @Test
  void aRingThroughTheCpuTakesTheLargestStepThatFits() {
    pciPair(24);
    SearchOutcome outcome = ring(domain(false), Optional.empty());
    assertInstanceOf(SearchOutcome.Found.class, outcome);
    ChannelGraph graph = outcome.graph();
    assertEquals(PathType.PHB, graph.typeIntra());
    assertEquals(List.of(), ChannelVerifier.verify(domain(false), graph));
    // 24 GB/s carry two channels of 12 or one of 20 GB/s.
    assertEquals(24, graph.nChannels() * graph.bwIntra());
    assertTrue(outcome.stats().attempts() > 0);
    assertTrue(outcome.stats().steps() > 0);
  }

  @Test
  void whereNoChannelFitsThereIsOneInFileOrder() {
    pciPair(0.75f);
    SearchOutcome outcome = ring(domain(false), Optional.empty());
    assertInstanceOf(SearchOutcome.Infeasible.class, outcome);
    ChannelGraph graph = outcome.graph();
    assertEquals(0.1f, graph.bwIntra());
    assertEquals(0.1f, graph.bwInter());
    assertEquals(PathType.SYS, graph.typeIntra());
    assertEquals(List.of(new Channel(List.of(0, 1), Optional.empty())), graph.channels());
  }

  @Test
  void theFallbackBetweenNodesNamesTheFirstPort() {
    pciPair(0.75f);
    Channel channel = ring(domain(true), Optional.empty()).graph().channels().get(0);
    assertEquals(Optional.of(new Channel.Nets(new NodeId(0, 0), new NodeId(0, 0))), channel.nets());
  }

  @Test
  void aGraphThatIsStatedIsTakenAsItIs() {
    pciPair(24);
    Domain domain = domain(false);
    ChannelGraph found = ring(domain, Optional.empty()).graph();
    ChannelGraph stated =
        GraphBuilder.of(GraphKind.RING, List.of(new Channel(List.of(1, 0), Optional.empty())))
            .like(found.pattern())
            .bwGBps(7, 7)
            .paths(PathType.SYS, PathType.SYS)
            .differing()
            .build();
    SearchOutcome outcome = ring(domain, Optional.of(new NodeGraphs(List.of(stated))));
    assertEquals(new SearchOutcome.NotSearched(stated), outcome);
    assertEquals(new SearchOutcome.Stats(0, 0), outcome.stats());
  }

  @Test
  void aStatedGraphThatChangesPortsIsPassedOverWhereTheUserForbidsIt() {
    pciPair(24);
    Domain domain = domain(false);
    ChannelGraph stated =
        GraphBuilder.of(GraphKind.RING, List.of(new Channel(List.of(1, 0), Optional.empty())))
            .crossNic(1)
            .bwGBps(7, 7)
            .paths(PathType.SYS, PathType.SYS)
            .differing()
            .build();
    Optional<NodeGraphs> graphs = Optional.of(new NodeGraphs(List.of(stated)));
    assertEquals(stated, ring(domain, graphs).graph());
    SearchOutcome outcome =
        new GraphSearch(
                domain, NcclSettings.parse(List.of("NCCL_CROSS_NIC=0")), graphs, SearchMonitor.NONE)
            .find(GraphRequest.ring(NcclProfile.DEFAULT));
    assertInstanceOf(SearchOutcome.Found.class, outcome);
  }

  @Test
  void aStatedGraphWithoutChannelsIsSearchedFor() {
    pciPair(24);
    SearchOutcome outcome =
        ring(
            domain(false), Optional.of(new NodeGraphs(List.of(ChannelGraph.none(GraphKind.RING)))));
    assertInstanceOf(SearchOutcome.Found.class, outcome);
  }

  @Test
  void aSingleGpuHasARingOfItself() {
    machine.gpu(machine.intel(), 80);
    NodeGraphs graphs = GraphSearch.findAll(domain(false), NcclSettings.DEFAULTS, new Inputs());
    assertTrue(graphs.get(GraphKind.RING).nChannels() > 0);
    graphs
        .get(GraphKind.RING)
        .channels()
        .forEach(channel -> assertEquals(List.of(0), channel.ranks()));
    assertEquals(0, graphs.get(GraphKind.NVLS).nChannels());
  }

  @Test
  void multicastNeedsAnNvSwitchAndHopper() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 90);
    Vertex b = machine.gpu(cpu, 90);
    assertEquals(
        0,
        GraphSearch.findAll(domain(false), NcclSettings.DEFAULTS, new Inputs())
            .get(GraphKind.NVLS)
            .nChannels());
    machine.nvSwitch(370.8f, a, b);
    assertEquals(
        2,
        GraphSearch.findAll(domain(false), NcclSettings.DEFAULTS, new Inputs())
            .get(GraphKind.NVLS)
            .nChannels());
    assertEquals(
        0,
        GraphSearch.findAll(
                domain(false), NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0")), new Inputs())
            .get(GraphKind.NVLS)
            .nChannels());
  }

  @Test
  void treesHaveAsManyChannelsAsRings() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 70);
    Vertex b = machine.gpu(cpu, 70);
    Vertex c = machine.gpu(cpu, 70);
    machine.nvlink(a, b, 20);
    machine.nvlink(b, c, 20);
    machine.nvlink(a, c, 20);
    NodeGraphs graphs = GraphSearch.findAll(domain(false), NcclSettings.DEFAULTS, new Inputs());
    assertEquals(2, graphs.get(GraphKind.RING).nChannels());
    assertEquals(PathType.NVL, graphs.get(GraphKind.RING).typeIntra());
    assertEquals(graphs.get(GraphKind.RING).nChannels(), graphs.get(GraphKind.TREE).nChannels());
  }

  @Test
  void theSameQuestionHasTheSameAnswer() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 70);
    Vertex b = machine.gpu(cpu, 70);
    machine.nvlink(a, b, 40);
    machine.net(cpu, 25);
    assertEquals(
        GraphSearch.findAll(domain(true), NcclSettings.DEFAULTS, new Inputs()),
        GraphSearch.findAll(domain(true), NcclSettings.DEFAULTS, new Inputs()));
  }

  @Test
  void theMonitorSeesEveryAttemptAndItsEnd() {
    pciPair(24);
    List<String> events = new ArrayList<>();
    SearchMonitor monitor =
        new SearchMonitor() {
          private long steps;

          @Override
          public void attemptStarted(GraphKind kind, Constraints constraints) {
            events.add("start");
          }

          @Override
          public void improved(GraphKind kind, int nChannels, int hops) {
            events.add("improved");
          }

          @Override
          public void attemptEnded(
              GraphKind kind, Constraints constraints, AttemptEnd end, int taken) {
            events.add("end");
            steps += taken;
          }

          @Override
          public void finished(GraphKind kind, SearchOutcome outcome) {
            events.add("finished");
            assertEquals(outcome.stats().steps(), steps);
            assertEquals(outcome.stats().attempts(), events.stream().filter("end"::equals).count());
          }
        };
    new GraphSearch(domain(false), NcclSettings.DEFAULTS, Optional.empty(), monitor)
        .find(GraphRequest.ring(NcclProfile.DEFAULT));
    assertEquals("start", events.get(0));
    assertEquals("finished", events.get(events.size() - 1));
    assertTrue(events.contains("improved"));
    assertEquals(
        events.stream().filter("start"::equals).count(),
        events.stream().filter("end"::equals).count());
  }
}
