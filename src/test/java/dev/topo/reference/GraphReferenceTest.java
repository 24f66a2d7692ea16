package dev.topo.reference;

import dev.topo.model.Topology;
import dev.topo.model.path.Domain;
import dev.topo.model.path.DomainFinder;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.GpuSelection;
import dev.topo.model.xml.GraphWriter;
import dev.topo.search.GraphSearch;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    if (!ReferenceSets.isThere("reference/env")) {
      return;
    }
    for (Path folder : ReferenceSets.folders(ReferenceSets.shared("reference/env"))) {
      String setting = folder.getFileName().toString();
      List<ReferenceCase> cases =
          ReferenceSets.beside(
              "env/" + setting, machine -> ownTopology(machine.getFileName().toString()));
      compare("env " + setting, cases, NcclSettings.parse(List.of(setting)));
    }
  }

  @Test
  void someGpusOfAMachineHaveNcclsGraphs() {
    Agreement oneNode = new Agreement("graphs n1 subset");
    Agreement twoNodes = new Agreement("graphs n2 subset");
    for (ReferenceCase reference : ReferenceSets.beside("subset")) {
      Map<String, String> facts =
          reference.lines("case.txt").stream()
              .map(line -> line.split(" ", 2))
              .collect(Collectors.toMap(words -> words[0], words -> words[1]));
      Set<Integer> devs =
          Stream.of(facts.get("gpus").split(",")).map(Integer::valueOf).collect(Collectors.toSet());
      ReferenceCase machine =
          new ReferenceCase(reference.folder(), ownTopology(facts.get("machine")));
      Topology topology = machine.topology(GpuSelection.of(devs));
      add(oneNode, machine, topology, 1, NcclSettings.DEFAULTS);
      add(twoNodes, machine, topology, 2, NcclSettings.DEFAULTS);
    }
    oneNode.finish();
    twoNodes.finish();
  }

  private static Path ownTopology(String machine) {
    return ReferenceSets.topologies().resolve(machine + ".xml");
  }

  private static void compare(String set, List<ReferenceCase> cases, NcclSettings settings) {
    for (int nodes : new int[] {1, 2, 4}) {
      Agreement agreement = new Agreement("graphs n" + nodes + " " + set);
      for (ReferenceCase reference : cases) {
        add(agreement, reference, reference.topology(GpuSelection.ALL), nodes, settings);
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
