package dev.topo.visualizer.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures of NVLink domains: readable, narrow, and nothing over anything else. */
class DomainPictureTest {
  private static final double WIDEST = 2_000;

  private static void check(Drawing drawing, String name) {
    assertEquals(List.of(), new SvgPicture(SvgWriter.write(drawing)).faults(), name);
    assertTrue(drawing.width() <= WIDEST, name + " is " + drawing.width() + " wide");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyChannelIsDrawnCleanly(boolean crossesNetwork) {
    Domain domain = NvlinkDomains.of(18, gpu -> gpu.host() != 2 || gpu.dev() != 3, crossesNetwork);
    Topology topology = domain.topology();
    for (ChannelGraph graph :
        GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs()).all()) {
      for (int channel = 0; channel < graph.nChannels(); channel += 7) {
        Optional<ChannelRoute> route = Optional.of(new RouteFinder(domain).find(graph, channel));
        List<VisitOrder> orders = VisitOrder.all(topology, graph);
        String name = graph.kind() + " " + channel;
        check(
            MachineLayout.draw(
                new DrawnMachine(name, topology, HostFold.of(topology, route), route, orders)),
            name);
      }
    }
  }

  @Test
  void anUnfoldedDomainHasEveryHost() {
    Topology topology = NvlinkDomains.of(18, gpu -> true, false).topology();
    Drawing drawing =
        MachineLayout.draw(
            new DrawnMachine(
                "all", topology, HostFold.none(topology), Optional.empty(), List.of()));
    check(drawing, "unfolded");
    SvgPicture picture = new SvgPicture(SvgWriter.write(drawing));
    assertTrue(picture.says("host 0") && picture.says("host 17"));
    assertTrue(picture.says("GPU 3 · rank 71"));
  }

  /** The tray on which a channel begins stands for the equal ones while the channel is shown. */
  @Test
  void aStepShowsTheTrayOnWhichTheChannelBegins() {
    Domain domain = NvlinkDomains.of(3, gpu -> true, true);
    ChannelGraph ring =
        GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs()).all().stream()
            .filter(graph -> graph.nChannels() > 5)
            .findFirst()
            .orElseThrow();
    RouteFinder finder = new RouteFinder(domain);
    List<ChannelRoute> routes = List.of(finder.find(ring, 0), finder.find(ring, 5));
    SteppedDrawing steps = MachineSteps.draw("m", domain.topology(), routes);
    assertTrue(steps.steps().get(0).places().containsValue("shown: host 0"));
    assertTrue(steps.steps().get(1).places().containsValue("shown: host 1"));
    for (SteppedDrawing.Step step : steps.steps()) {
      assertTrue(step.places().containsValue("1 of 12"), step.places().toString());
      long toNetwork =
          step.flows().keySet().stream()
              .filter(line -> steps.drawing().wires().get(line).hint().contains("NET"))
              .count();
      assertEquals(1, toNetwork, step.route());
    }
  }
}
