package dev.topo.visualizer.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A channel stepped to is the channel drawn by itself. */
class MachineStepsTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  @ParameterizedTest
  @ValueSource(strings = {"dgx-1v", "dgx-h100", "gb200-tray", "ac922-6", "pcie-6-uneven"})
  void stepsShowWhatADrawingOfTheChannelShows(String machine) {
    Domain domain =
        DomainFinder.find(
                new TopologyReader()
                    .read(
                        ROOT.resolve("topologies/" + machine + ".xml"),
                        GpuSelection.ALL,
                        new Diagnostics()),
                NcclSettings.DEFAULTS,
                true,
                NcclProfile.DEFAULT)
            .get(0);
    int shown = 0;
    for (ChannelGraph graph :
        GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs()).all()) {
      for (int channel = 0; channel < graph.nChannels(); channel++) {
        ChannelRoute route = new RouteFinder(domain).find(graph, channel);
        compare(domain, route);
        shown++;
      }
    }
    assertTrue(shown > 0, machine);
  }

  private static void compare(Domain domain, ChannelRoute route) {
    SteppedDrawing stepped = MachineSteps.draw("m", domain.topology(), List.of(route));
    SteppedDrawing.Step step = stepped.steps().get(0);
    Drawing alone = MachineLayout.draw("m", domain.topology(), Optional.of(route));
    for (int i = 0; i < stepped.drawing().wires().size(); i++) {
      if (stepped.drawing().wires().get(i).hint().isEmpty()) {
        continue; // A sample in the legend.
      }
      Wire wire = alone.wires().get(i);
      assertEquals(wire.flow(), step.flows().getOrDefault(i, Wire.Flow.NONE), wire.hint());
      assertEquals(wire.stress() == Wire.Stress.FULL, step.full().contains(i), wire.hint());
    }
    step.places()
        .forEach(
            (box, text) ->
                assertEquals(alone.boxes().get(box).lines().get(1).text(), text, step.route()));
    assertEquals(domain.topology().gpus().size(), step.places().size());
  }
}
