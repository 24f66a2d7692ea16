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
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
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

  /** Fails only between nodes, where the net is connected. */
  private static final Set<LintRule> FAILS_LATER = EnumSet.of(LintRule.GRAPH_NO_SUCH_NET);

  /** Cases that need hardware which the machine does not have, or that were not run there. */
  private static final Map<LintRule, String> NOT_RUN =
      Map.of(
          LintRule.NIC_BESIDE_FIRST_DEVICE, "no InfiniBand card",
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

  @Test
  void ncclDidWhatIsExpectedOfEveryFile() {
    List<NcclRun> runs = NcclRun.all();
    List<String> missing = new ArrayList<>();
    int confirmed = 0;
    for (RuleFile file : RuleFile.all()) {
      if (NOT_RUN.containsKey(file.rule())) {
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
    TreeMap<String, byte[]> entries = new TreeMap<>();
    try (ZipInputStream zip =
        new ZipInputStream(Files.newInputStream(NcclRun.FOLDER.resolve("graphs.zip")))) {
      for (ZipEntry e = zip.getNextEntry(); e != null; e = zip.getNextEntry()) {
        entries.put(e.getName(), zip.readAllBytes());
      }
    }
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

  private static String graphsOf(Path file) {
    Topology topology = new TopologyReader().read(file, GpuSelection.ALL, new Diagnostics());
    Domain domain = DomainFinder.find(topology, NO_NVLS, false).get(0);
    return GraphWriter.write(
        GraphSearch.findAll(domain, NO_NVLS, new Inputs()),
        domain.topology(),
        domain.profile().search().graphFormat);
  }
}
