package dev.topo.visualizer.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.FabricReader;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.nic.HostList;
import dev.topo.search.connect.Connection;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.fixture.TestJobs;
import dev.topo.visualizer.view.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written of connected jobs, of their parts, and of the switches between their nodes. */
class ConnectionTextTest {
  private static final SortedSet<Integer> ALL = new TreeSet<>();
  private static final Path FABRICS = TestJobs.ROOT.resolve("topologies/fabric");

  private static Job job(String machine, int nodes, String... settings) {
    return Job.ofEqual(TestJobs.shipped(machine, settings), nodes);
  }

  private static Connection connection(Job job) {
    return Connection.of(job, SharedGraphs.GRAPHS, NcclProfile.DEFAULT);
  }

  private static List<String> lines(Answer answer) {
    StringBuilder text = new StringBuilder();
    try {
      answer.writeTo(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString().lines().toList();
  }

  private static List<String> text(Job job, ConnectPart part, Integer... ranks) {
    return text(connection(job), job.machines().get(0).settings(), part, ranks);
  }

  private static List<String> text(
      Connection connection, NcclSettings settings, ConnectPart part, Integer... ranks) {
    return lines(
        ConnectionText.of(
            "a job",
            Excerpt.of(connection, ALL, new TreeSet<>(List.of(ranks))),
            EnumSet.of(part),
            new AbsenceReason(connection, settings),
            false));
  }

  private static List<String> tsv(Connection connection, ConnectPart part, Integer... ranks) {
    Excerpt excerpt = Excerpt.of(connection, ALL, new TreeSet<>(List.of(ranks)));
    return lines(ConnectionRows.tsv(part, excerpt, false, "", true));
  }

  private static List<String> fabric(int nodes, String file, List<String> hosts) {
    Job job = job("dgx-h100", nodes);
    return lines(
        FabricText.of(
            new JobEvaluator(SharedGraphs.GRAPHS, new Inputs()),
            connection(job),
            FabricReader.read(FABRICS.resolve(file), new Inputs()),
            hosts,
            job));
  }

  @Test
  void aWrongOrderOfNodesIsNamedAndMended() throws IOException {
    List<String> wrong =
        Files.readAllLines(FABRICS.resolve("round-robin.hosts")).stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .flatMap(line -> HostList.expand(line.split("\\s")[0]).stream())
            .toList();
    List<String> found = fabric(64, "fat-tree-64.conf", wrong);
    assertEquals(
        "hops between nodes: 2032 in all channels; 1920 leave their leaf switch (the map knows nodes, not ports);"
            + " 0 change rail",
        found.get(1));
    // All 64 hops of each ring and 56 of the 63 edges of each tree suffer.
    assertEquals(
        "  0-15     64         0           64            63         0           56", found.get(3));
    assertEquals(
        List.of("an order of nodes with 304 hops across switches instead of 1920:", "  n[00-63]"),
        found.subList(found.size() - 2, found.size()));
    List<String> reordered = fabric(64, "fat-tree-64.conf", HostList.expand("n[00-63]"));
    assertTrue(
        reordered.contains("no order of nodes by switch leaves fewer hops across switches"),
        reordered.toString());
  }

  @Test
  void railsKeepTrafficOffTheCoreOfAPod() {
    List<String> found = fabric(32, "rails-64.csv", HostList.expand("n[00-31]"));
    assertTrue(
        found.contains(
            "hops between nodes: 1008 in all channels; 0 leave their leaf switch; 0 change rail"),
        String.join("\n", found));
  }

  @Test
  void nvlsTreesAreShownByNodes() {
    List<String> found = text(job("dgx-h100", 4), ConnectPart.NVLS);
    assertEquals("  node 3  24 25 26 27 28 29 30 31", found.get(7));
    assertEquals(
        List.of(
            "  channels 0,2,…,14  root 0 1>2 2>0 3>2", "  channels 1,3,…,15  0>1 1>3 2>1 root 3"),
        found.subList(found.size() - 2, found.size()));
    List<String> rank = text(job("dgx-h100", 4), ConnectPart.NVLS, 9);
    assertEquals("9     1,3,5,7,9,11,13,15  1     25       17 1", rank.get(rank.size() - 1));
  }

  @Test
  void chainsAndHeadsOfInNetworkReduction() {
    List<String> found =
        text(job("hgx-h100-sharp", 2, "NCCL_COLLNET_ENABLE=1"), ConnectPart.COLLNET);
    assertTrue(
        found.contains("  channels 1,9   1 2 3 4 5 6 7 0 | 9 10 11 12 13 14 15 8"),
        String.join("\n", found));
    assertTrue(
        found.get(found.size() - 1).startsWith("  1     8 9 10 11 12 13 14 15"),
        found.get(found.size() - 1));
  }

  /** Both ports of a card are used, one by even and one by odd channels. */
  @Test
  void nicsOfPeersByChannel() {
    List<String> found = text(job("hgx-h100-dualport", 2), ConnectPart.NICS, 1);
    int even = found.indexOf("node 0, channels 0,2,…,30 of sends and receives");
    assertTrue(even > 0, String.join("\n", found));
    assertTrue(found.get(even + 2).contains(" mlx5_0 (GPU 0)  mlx5_3  "), found.get(even + 2));
    assertTrue(found.get(even + 5).contains(" mlx5_1 (GPU 0)  mlx5_2  "), found.get(even + 5));
  }

  @Test
  void theScheduleOfALargeJobIsShownForTheFirstRanks() {
    List<String> found = text(job("dgx-h100", 64), ConnectPart.P2P);
    assertTrue(
        found.get(5).startsWith("  rank 0  0/0 1/7 2/6 3/5 4/4 5/3 6/2 7/1 8/504 "), found.get(5));
    assertEquals("  …       512 ranks; --rank R shows one", found.get(found.size() - 1));
    List<String> table = tsv(connection(job("dgx-h100", 1024)), ConnectPart.P2P, 8191);
    assertEquals(8193, table.size());
    assertEquals("rank\tround\tsend_to\treceive_from\tchannels_by_part", table.get(0));
  }

  /** {@code ncclP2pChannelBaseForRound} and {@code ncclP2pChannelForPart} of these releases. */
  @ParameterizedTest
  @CsvSource({"2.28.9,'0,1','8,9'", "2.27.5,'0,8','1,9'", "2.21.5,'',''"})
  void channelsOfARoundAreThoseOfTheRelease(String version, String first, String ninth) {
    NcclProfile profile = NcclProfile.of(version);
    Machine machine =
        new Machine(
            new TopologyReader(UnknownElements.REJECTED, profile)
                .read(
                    TestJobs.ROOT.resolve("topologies/dgx-h100.xml"),
                    GpuSelection.ALL,
                    new Diagnostics()),
            NcclSettings.DEFAULTS);
    Connection connection = Connection.of(Job.ofEqual(machine, 2), SharedGraphs.GRAPHS, profile);
    List<String> rows = tsv(connection, ConnectPart.P2P);
    assertTrue(rows.get(1).endsWith("\t" + first), rows.get(1));
    assertTrue(rows.get(9).endsWith("\t" + ninth), rows.get(9));
  }
}
