package dev.topo.reference;

import dev.topo.model.Topology;
import dev.topo.model.path.Domain;
import dev.topo.model.path.DomainFinder;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.GraphWriter;
import dev.topo.search.GraphSearch;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The graphs of every reference machine, attribute by attribute and channel by channel. */
class GraphReferenceTest {
  @Test
  void ownMachinesHaveNcclsGraphs() {
    compare("own", ReferenceSets.inProject("own"), NcclSettings.DEFAULTS);
  }

  @Test
  void randomMachinesHaveNcclsGraphs() {
    compare("random", ReferenceSets.inProject("random"), NcclSettings.DEFAULTS);
  }

  @Test
  void publishedMachinesHaveNcclsGraphs() {
    compare("public", ReferenceSets.beside("public"), NcclSettings.DEFAULTS);
  }

  @Test
  void settingsChangeGraphsAsInNccl() {
    ReferenceSets.bySetting()
        .forEach(
            (setting, cases) ->
                compare("env " + setting, cases, NcclSettings.parse(List.of(setting))));
  }

  @Test
  void someGpusOfAMachineHaveNcclsGraphs() {
    compare("subset", ReferenceSets.someGpus(), NcclSettings.DEFAULTS);
  }

  /** NCCL dumps the graphs of rank 0, as its node found them before all nodes agree. */
  @Test
  void jobsOfUnequalMachinesHaveNcclsGraphs() {
    Agreement agreement = new Agreement("graphs mixed");
    for (ReferenceCase reference : ReferenceSets.mixed()) {
      Topology first = reference.mixedJob().machines().get(0).topology();
      Domain domain = DomainFinder.find(first, NcclSettings.DEFAULTS, true).get(0);
      String found =
          GraphWriter.write(GraphSearch.findAll(domain, NcclSettings.DEFAULTS), domain.topology());
      agreement.addEqual(reference.name(), reference.text("graph.rank0.xml"), found);
    }
    agreement.finish();
  }

  private static void compare(String set, List<ReferenceCase> cases, NcclSettings settings) {
    for (int nodes : new int[] {1, 2, 4}) {
      Agreement agreement = new Agreement("graphs n" + nodes + " " + set);
      for (ReferenceCase reference : cases) {
        add(agreement, reference, reference.topology(), nodes, settings);
      }
      agreement.finish();
    }
  }

  private static void add(
      Agreement agreement,
      ReferenceCase reference,
      Topology topology,
      int nodes,
      NcclSettings settings) {
    String file = "graph.n" + nodes + ".xml";
    if (reference.has(file)) {
      Domain domain = DomainFinder.find(topology, settings, nodes > 1).get(0);
      String found = GraphWriter.write(GraphSearch.findAll(domain, settings), domain.topology());
      agreement.addEqual(reference.name(), reference.text(file), found);
    }
  }
}
