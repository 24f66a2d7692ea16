package dev.topo.inspect.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Topology;
import dev.topo.model.fixture.NotRun;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.GraphWriter;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.NvlinkDomain.HostGpu;
import dev.topo.search.topology.RankFusion;
import dev.topo.search.topology.TopologyReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NCCL's behaviour as lint states it, against that on real GPUs. */
class NcclRunsTest {
  private static final NcclSettings NO_NVLS = NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"));

  /** Fails only between nodes, where the net is connected; in the calls of a job. */
  private static final Set<LintRule> FAILS_LATER =
      EnumSet.of(LintRule.GRAPH_NO_SUCH_NET, LintRule.CONF_HARMFUL);

  /** Cases that need hardware which the machine does not have, or that were not run there. */
  private static final Map<LintRule, String> NOT_RUN =
      Map.of(
          LintRule.SHARED_CPUS, "binding is not in its log",
          LintRule.NIC_BESIDE_FIRST_DEVICE, "no InfiniBand card",
          LintRule.GPU_FUNCTION, "no GPU with such a function",
          LintRule.CONF_HARMFUL, "hangs, by nccl#1739 and nccl#2408",
          LintRule.NVLINK_DOMAIN, "no rack with CPUs of Arm",
          LintRule.NVLINK_AT_RUN_TIME, "read from NCCL's source only");

  /**
   * NCCL's own dumps that say a thing twice, or are not XML, since NCCL writes what it has read;
   * topo wants each once.
   */
  private static final Set<String> REFUSED =
      Set.of(
          "blank-before-equals.asis",
          "bus-id-form.asis",
          "duplicate-attribute.asis",
          "duplicate-bus-id.asis",
          "duplicate-gpu-dev.asis",
          "duplicate-numa-id.mapped",
          "extra-blank.asis",
          "not-a-number.asis",
          "number-too-large.asis",
          "unequal-when-fused.mapped");

  private static Map<String, byte[]> dumps() throws IOException {
    TreeMap<String, byte[]> entries = new TreeMap<>();
    try (ZipInputStream zip =
        new ZipInputStream(Files.newInputStream(NcclRun.FOLDER.resolve("graphs.zip")))) {
      for (ZipEntry e = zip.getNextEntry(); e != null; e = zip.getNextEntry()) {
        entries.put(e.getName(), zip.readAllBytes());
      }
    }
    return entries;
  }

  @Test
  void ncclDidWhatIsExpectedOfEveryFile() {
    List<NcclRun> runs = NcclRun.all();
    List<String> missing = new ArrayList<>();
    int confirmed = 0;
    for (RuleFile file : RuleFile.all()) {
      if (file.rule().subject() == Subject.TUNER) {
        NotRun.print(file + " with NCCL's example tuner plugin (read from its source only)");
      } else if (NOT_RUN.containsKey(file.rule())) {
        NotRun.print(file + " on real NCCL (" + NOT_RUN.get(file.rule()) + ")");
      } else if (runs.stream().anyMatch(run -> run.confirms(file))) {
        confirmed++;
      } else {
        missing.add(file + " " + file.run());
      }
    }
    assertEquals(List.of(), missing);
    System.out.println("lint files on real NCCL " + confirmed + "/" + confirmed);
  }

  @Test
  void whereARuleSaysThatNcclFailsItFailed() {
    Set<LintRule> failed = EnumSet.noneOf(LintRule.class);
    for (RuleFile file : RuleFile.all()) {
      if (NcclRun.all().stream().anyMatch(run -> run.failed() && run.confirms(file))) {
        failed.add(file.rule());
      }
    }
    Set<LintRule> unproven = EnumSet.noneOf(LintRule.class);
    Arrays.stream(LintRule.values())
        .filter(rule -> rule.outcome() == NcclOutcome.FAILS && !failed.contains(rule))
        .forEach(unproven::add);
    assertEquals(FAILS_LATER, unproven);
  }

  @Test
  void graphsOfWhatNcclMadeOfTheFilesAreEqual(@TempDir Path folder) throws IOException {
    Map<String, byte[]> entries = dumps();
    Set<String> refused = new TreeSet<>();
    int equal = 0;
    for (String name : entries.keySet()) {
      if (!name.endsWith(".topo.xml")) {
        continue;
      }
      Path file = Files.write(folder.resolve(name), entries.get(name));
      String graph = name.replace(".topo.xml", ".graph.xml");
      try {
        String found = graphsOf(file);
        assertEquals(new String(entries.get(graph), StandardCharsets.UTF_8), found, name);
        equal++;
      } catch (TopologyFormatException e) {
        refused.add(name.replace(".topo.xml", ""));
      }
    }
    assertEquals(REFUSED, refused);
    assertTrue(equal > 80, equal + " graphs");
    System.out.println("graphs of linted files on real NCCL " + equal + "/" + equal);
  }

  /**
   * NCCL dumps what two ranks join, each with its own GPU of the file. Files whose devices are not
   * those of the dump are left out: NCCL added or lost some.
   */
  @Test
  void devicesAreInTheOrderInWhichTwoRanksJoinedThem() throws IOException {
    int equal = 0;
    int moved = 0;
    for (Map.Entry<String, byte[]> dump : dumps().entrySet()) {
      String name = dump.getKey().replace(".mapped.topo.xml", ".xml");
      if (dump.getKey().equals(name)) {
        continue;
      }
      XmlReader reader = new XmlReader();
      XmlElement file = reader.read(NcclRun.FOLDER.resolveSibling(name), new Inputs()).root();
      if (NvlinkDomain.hasSeveralHosts(file)
          || !devices(file).containsAll(List.of("gpu 0", "gpu 1"))) {
        continue; // the dump is of one host with these GPUs
      }
      List<String> expected = devices(reader.read(dump.getValue(), name).root());
      List<String> joined =
          devices(RankFusion.inRankOrder(file, List.of(new HostGpu(0, 0), new HostGpu(0, 1))));
      if (joined.stream().sorted().toList().equals(expected.stream().sorted().toList())) {
        assertEquals(expected, joined, name);
        equal++;
        moved += devices(file).equals(joined) ? 0 : 1;
      }
    }
    System.out.println("files joined by real NCCL " + equal + "/" + equal + ", moved " + moved);
    assertTrue(equal >= 15 && moved >= 14, equal + " dumps, moved " + moved);
  }

  private static List<String> devices(XmlElement element) {
    List<String> found = new ArrayList<>();
    for (String key : List.of("numaid", "dev", "name")) {
      element.attribute(key).ifPresent(value -> found.add(element.name() + " " + value));
    }
    element.elements().forEach(child -> found.addAll(devices(child)));
    return found;
  }

  private static String graphsOf(Path file) {
    Topology topology = new TopologyReader().read(file, GpuSelection.ALL, new Diagnostics());
    Domain domain = DomainFinder.find(topology, NO_NVLS, false, NcclProfile.DEFAULT).get(0);
    return GraphWriter.write(
        GraphSearch.findAll(domain, NO_NVLS, new Inputs()),
        domain.topology(),
        domain.profile().search().graphFormat);
  }
}
