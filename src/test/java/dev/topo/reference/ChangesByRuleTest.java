package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Topology;
import dev.topo.model.fixture.CollectiveCalls;
import dev.topo.model.fixture.DocumentTables;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.rules.MixedProfile;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner.Decision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * docs/nccl-versions/changes-by-rule.csv has what each rule of NCCL 2.31.2 and 2.32.3 changes by
 * itself, on the machines of the reference sets.
 */
class ChangesByRuleTest {
  private static final String FILE = "docs/nccl-versions/changes-by-rule.csv";
  private static final String HEADER = "set,machine,nodes,from,to,rule,choices,launches\n";
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  /** Of the other machines one in so many is compared. */
  private static final int SAMPLE = 12;

  /**
   * A change of a release.
   *
   * @param name what changes
   * @param from the release before
   * @param to the release
   * @param ofGraphs whether other graphs are searched for
   * @param keys its keys in the rule files
   */
  private record Rule(String name, String from, String to, boolean ofGraphs, List<String> keys) {
    static Rule of(String name, String... keys) {
      boolean ofGraphs = !keys[0].startsWith("tuning.") && !keys[0].startsWith("launch.");
      return new Rule(name, "2.30.7", "2.31.2", ofGraphs, List.of(keys));
    }

    static Rule in232(String name, String... keys) {
      return new Rule(name, "2.31.2", "2.32.3", false, List.of(keys));
    }

    NcclProfile profile() {
      return MixedProfile.of(from, to, keys);
    }
  }

  private static final List<Rule> RULES =
      List.of(
          Rule.of("links of AMD sockets", "topology.amd-generations"),
          Rule.of("Granite Rapids", "topology.granite-rapids-as"),
          Rule.of("first ports", "path.first-port"),
          Rule.of("speeds between nodes on Blackwell", "search.speeds-inter.100"),
          Rule.of("threads of Ring/Simple", "launch.slow-ring-threads"),
          Rule.of("plateau of Blackwell", "tuning.ring-plateau-one-node-sm"),
          Rule.of("bandwidth of Ring on Blackwell", "tuning.ring-intra-bandwidth-nodes"),
          Rule.of("bandwidth of Tree on Blackwell", "tuning.tree-lower-bandwidth-sm"),
          Rule.of("NVLSTree on Arm", "tuning.nvls-tree-correction-arm-gbps"),
          Rule.of("NVLS", "tuning.nvls-max-channels", "tuning.nvls-ranks"),
          Rule.of("PAT", "tuning.pat-lower-bandwidth", "tuning.pat-over-nvls"),
          Rule.of("one GPU on each node", "tuning.one-gpu-nodes-as-tree"),
          Rule.of("trees on POWER", "tuning.power-trees-as-rings"),
          Rule.of("size from which a link is full", "tuning.size-of-links"),
          Rule.of("equal times", "tuning.ties"),
          Rule.in232(
              "plateau of Blackwell", "tuning.ring-plateau-one-node", "tuning.ring-plateau-fall"),
          Rule.in232("NVLSTree on Arm", "tuning.nvls-tree-correction-arm-two-nodes"));

  /** Keys without a row: for other buffers, settings, files and messages, or with CollNet. */
  private static final String WITHOUT_ROW =
      "(xml|setting|symmetric|copy-engine|transfer)\\..*|tuning\\.(collnet-.*|kernel-names"
          + "|pat-scaled-sums|unused-in-log)|path\\.nvlink-domains|topology\\.port-merging"
          + "|link\\.nvlink-known-below-sm";

  private static final List<CollectiveCall> CALLS = CollectiveCalls.atPowersOfTwo();

  @Test
  void everyRuleIsThere() {
    for (String to : List.of("2.31.2", "2.32.3")) {
      String from = to.equals("2.31.2") ? "2.30.7" : "2.31.2";
      assertEquals(
          new TreeSet<>(
              MixedProfile.differences(from, to).stream()
                  .filter(key -> !key.matches(WITHOUT_ROW))
                  .toList()),
          new TreeSet<>(
              RULES.stream()
                  .filter(rule -> rule.to().equals(to))
                  .flatMap(rule -> rule.keys().stream())
                  .toList()));
    }
  }

  @Test
  @Tag("slow")
  void shippedMachinesChangeAsListed() throws IOException {
    check("own", ReferenceSets.own(), ReferenceSets.own());
  }

  @Test
  @Tag("slow")
  void publishedMachinesChangeAsListed() throws IOException {
    List<ReferenceCase> all = ReferenceSets.published();
    check("public", all, Thorough.orEvery(SAMPLE, 5, all, "published machines"));
  }

  @Test
  @Tag("slow")
  void machinesAtRandomChangeAsListed() throws IOException {
    List<ReferenceCase> all = ReferenceSets.random();
    check("random", all, Thorough.orEvery(SAMPLE, 7, all, "machines at random"));
  }

  /** The numbers of machines in the text are those of the table. */
  @Test
  void theDocumentCountsTheMachines() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/nccl-versions.md")).replaceAll("\\s+", " ");
    String threads = "2.31.2,threads of Ring/Simple";
    for (String part :
        List.of(
            "LL128 (%d machines)".formatted(machines("2.31.2,plateau of Blackwell", 1)),
            "two bandwidths on two nodes (%d machines)"
                .formatted(machines("2.31.2,bandwidth of Tree on Blackwell", 2)),
            "(%d machines on one node, %d on four)"
                .formatted(machines(threads, 1), machines(threads, 4)))) {
      assertTrue(text.contains(part), part);
    }
  }

  private static long machines(String rule, int nodes) throws IOException {
    return rows().stream()
        .filter(row -> row.contains("," + nodes + ",") && row.contains("," + rule + ","))
        .count();
  }

  private static List<String> rows() throws IOException {
    return Files.readAllLines(ROOT.resolve(FILE)).stream().skip(1).toList();
  }

  private static void check(String set, List<ReferenceCase> all, List<ReferenceCase> part)
      throws IOException {
    List<String> found = new ArrayList<>();
    for (ReferenceCase machine : part) {
      for (int nodes : List.of(1, 2, 4)) {
        try {
          addRows(set, machine, nodes, found);
        } catch (UnusableTopologyException e) {
          assertTrue(nodes > 1, e.getMessage());
        }
      }
    }
    if (part.size() == all.size()) {
      replace(set, found);
    }
    List<String> names = part.stream().map(machine -> set + "," + machine.name() + ",").toList();
    assertEquals(
        found,
        rows().stream().filter(row -> names.stream().anyMatch(row::startsWith)).toList(),
        "-Dgolden.update=true -Dtopo.test.thorough=true writes " + FILE);
  }

  /** Writes the rows of a set where files are to be updated. */
  private static synchronized void replace(String set, List<String> found) throws IOException {
    if (Boolean.getBoolean("golden.update")) {
      List<String> others =
          Files.exists(ROOT.resolve(FILE))
              ? rows().stream().filter(row -> !row.startsWith(set + ",")).toList()
              : List.of();
      DocumentTables.checkFile(
          FILE,
          HEADER
              + Stream.concat(others.stream(), found.stream())
                  .sorted(Comparator.comparing(row -> row.substring(0, row.indexOf(','))))
                  .map(row -> row + "\n")
                  .collect(Collectors.joining()));
    }
  }

  private static void addRows(String set, ReferenceCase machine, int nodes, List<String> rows) {
    for (String from : List.of("2.30.7", "2.31.2")) {
      NcclProfile before = NcclProfile.of(from);
      List<NodeGraphs> graphs = new ArrayList<>();
      GraphSource searched =
          (domain, settings, inputs) -> {
            NodeGraphs found = GraphSearch.findAll(domain, settings, inputs);
            graphs.add(found);
            return found;
          };
      List<Decision> old = decisions(machine, nodes, before, searched);
      for (Rule rule : RULES) {
        if (!rule.from().equals(from) || rule.ofGraphs() && !mayChange(rule, machine)) {
          continue;
        }
        Iterator<NodeGraphs> again = graphs.iterator();
        GraphSource known = (domain, settings, inputs) -> again.next();
        List<Decision> changed =
            decisions(
                machine, nodes, rule.profile(), rule.ofGraphs() ? GraphSearch::findAll : known);
        int choices = 0;
        int launches = 0;
        for (int i = 0; i < CALLS.size(); i++) {
          boolean isOther = !pair(old.get(i)).equals(pair(changed.get(i)));
          choices += isOther ? 1 : 0;
          launches += isOther || launch(old.get(i)).equals(launch(changed.get(i))) ? 0 : 1;
        }
        if (choices + launches > 0) {
          rows.add(
              "%s,%s,%d,%s,%s,%s,%d,%d"
                  .formatted(
                      set, machine.name(), nodes, from, rule.to(), rule.name(), choices, launches));
        }
      }
    }
  }

  /** False where a rule of other graphs cannot change those of a machine. */
  private static boolean mayChange(Rule rule, ReferenceCase machine) {
    String file = machine.topologyText();
    return switch (rule.keys().get(0)) {
      case "topology.amd-generations" -> file.contains("AuthenticAMD");
      case "topology.granite-rapids-as" -> file.contains("GenuineIntel");
      default -> true;
    };
  }

  private static List<Decision> decisions(
      ReferenceCase machine, int nodes, NcclProfile profile, GraphSource graphs) {
    Topology topology =
        new ReferenceCase(machine.folder(), machine.topologyFile(), profile).topology();
    Job job = Job.ofEqual(new Machine(topology, NcclSettings.DEFAULTS), nodes);
    Communicator communicator = Communicator.of(job, graphs, profile);
    return CALLS.stream().map(communicator.tuner()::decide).toList();
  }

  private static String pair(Decision decision) {
    return decision
        .choice()
        .map(choice -> choice.algorithm() + "/" + choice.protocol())
        .orElse("none");
  }

  private static String launch(Decision decision) {
    return decision
        .choice()
        .map(choice -> choice.channels() + " channels of " + choice.threads() + " threads")
        .orElse("none");
  }
}
