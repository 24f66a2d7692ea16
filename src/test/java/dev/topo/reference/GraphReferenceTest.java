package dev.topo.reference;

import dev.topo.model.Topology;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.GraphWriter;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The graphs of every reference machine, attribute by attribute and channel by channel. */
class GraphReferenceTest {
  @Test
  void ownMachinesHaveNcclsGraphs() {
    compare("own", ReferenceSets.own(), NcclSettings.DEFAULTS, 1, 2, 4);
  }

  @Test
  void randomMachinesHaveNcclsGraphs() {
    compare("random", ReferenceSets.random(), NcclSettings.DEFAULTS, 1, 4);
  }

  @Test
  void publishedMachinesHaveNcclsGraphs() {
    compare("public", ReferenceSets.published(), NcclSettings.DEFAULTS, 1, 2, 4);
  }

  @Test
  void settingsChangeGraphsAsInNccl() {
    ReferenceSets.bySetting()
        .forEach(
            (setting, cases) ->
                compare("env " + setting, cases, NcclSettings.parse(List.of(setting)), 1, 2));
  }

  @Test
  void someGpusOfAMachineHaveNcclsGraphs() {
    compare("subset", ReferenceSets.someGpus(), NcclSettings.DEFAULTS, 1, 2);
  }

  /** NCCL dumps the graphs of rank 0, as its node found them before all nodes agree. */
  @Test
  void jobsOfUnequalMachinesHaveNcclsGraphs() {
    Agreement agreement = new Agreement("graphs mixed");
    for (ReferenceCase reference : ReferenceSets.mixed()) {
      Topology first = reference.mixedJob().machines().get(0).topology();
      Domain domain =
          DomainFinder.find(first, NcclSettings.DEFAULTS, true, NcclProfile.DEFAULT).get(0);
      String found =
          GraphWriter.write(
              GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs()),
              domain.topology(),
              domain.profile().search().graphFormat);
      agreement.addEqual(reference.name(), reference.text("graph.rank0.xml"), found);
    }
    agreement.finish();
  }

  /** Compares the graphs of jobs of some numbers of nodes, for which every case has an answer. */
  static void compare(
      String set, List<ReferenceCase> cases, NcclSettings settings, int... numbersOfNodes) {
    for (int nodes : numbersOfNodes) {
      Agreement agreement = new Agreement("graphs n" + nodes + " " + set);
      for (ReferenceCase reference : cases) {
        if (!reference.has("graph.n" + nodes + ".xml")) {
          continue; // VersionRefusalTest
        }
        Domain domain =
            DomainFinder.find(reference.topology(), settings, nodes > 1, reference.profile())
                .get(0);
        String found =
            GraphWriter.write(
                reference.graphs().graphs(domain, settings, new Inputs()),
                domain.topology(),
                domain.profile().search().graphFormat);
        agreement.addEqual(reference.name(), reference.text("graph.n" + nodes + ".xml"), found);
      }
      agreement.finish();
    }
  }
}
