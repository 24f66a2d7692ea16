package dev.topo.inspect.measured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.TopologyFormatException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hosts, ports and rates of runs between hosts. */
class HostRunReaderTest {
  private static final String RUN =
      """
      # Collective test starting: sendrecv_perf
      # nThread 1 nGpus 1 minBytes 1073741824 maxBytes 1073741824
      #  Rank  0 Group  0 Pid  71 on %s device  0 [0000:07:00] NVIDIA H100
      #  Rank  1 Group  0 Pid  72 on %s device  0 [0000:07:00] NVIDIA H100
      node:71:71 [0] NCCL INFO NCCL_IB_HCA set by environment to =%s
        1073741824     268435456     float    none      -1   21474.8   50.00   50.00      0   21474.8   50.00   50.00    N/A
      """;

  @Test
  void readsRunsOfPeersAfterEachOther() {
    String text = RUN.formatted("n1", "n2", "mlx5_3:1") + RUN.formatted("n1", "n3", "mlx5_4");
    List<HostRun> runs = HostRunReader.read(text, "all.txt");
    assertEquals(List.of("n1", "n2"), runs.get(0).hosts());
    assertEquals(List.of("n1", "n3"), runs.get(1).hosts());
    assertEquals("mlx5_3", runs.get(0).nic(1));
    assertEquals("mlx5_4", runs.get(1).nic(0));
    assertEquals("sendrecv_perf on 2 ranks", runs.get(1).test());
    assertEquals(1L << 30, runs.get(0).rates().get(0).bytes());
    assertEquals(50, runs.get(0).rates().get(0).gbps(), 0.01);
  }

  @Test
  void dropsWhatALauncherPutsBeforeLines() {
    String text =
        RUN.formatted("n1", "n2", "x")
            .lines()
            .map(line -> "[1,0]<stdout>:" + line + "\n")
            .reduce("", String::concat);
    HostRun run = HostRunReader.read(text, "pairs/rail2/n1-n2.txt").get(0);
    assertEquals(50, run.rates().get(0).gbps(), 0.01);
    assertEquals("x", run.nic(0));
  }

  @Test
  void takesThePortFromTheFolder() {
    String text = RUN.formatted("n1", "n2", "").replaceAll("(?m)^node.*$", "");
    assertEquals("rail2", HostRunReader.read(text, "pairs/rail2/n1-n2.txt").get(0).nic(0));
    assertEquals("", HostRunReader.read(text, "pairs/n1-n2.txt").get(0).nic(0));
  }

  @Test
  void leavesOutWrongResultsAndKeepsRunsWithoutAny() {
    String text = RUN.formatted("n1", "n2", "").replace("50.00      0   2", "50.00      7   2");
    HostRun run = HostRunReader.read(text, "a.txt").get(0);
    assertEquals(1, run.wrong());
    assertEquals(List.of(), run.rates());
  }

  @Test
  void groupsOfASplitAreNoPair() {
    String text = RUN.formatted("n1", "n2", "").replace("Rank  1 Group  0", "Rank  0 Group  1");
    assertEquals(List.of(), HostRunReader.read(text, "a.txt").get(0).rates());
  }

  @Test
  void readsTables() {
    List<HostRun> rows =
        HostRunReader.read(
            "a,b,nic,bytes,time_us\nn1,n2,mlx5_0,1000000,10\nn1,n3,mlx5_0,1000000,\n", "t.csv");
    assertEquals(100, rows.get(0).rates().get(0).gbps(), 1e-9);
    assertEquals("mlx5_0", rows.get(0).nic(1));
    assertTrue(rows.get(1).rates().isEmpty());
    List<HostRun> square =
        HostRunReader.read(",n1,n2,n3\nn1,,40,41\nn2,39,-,42\nn3,1,2,0\n", "s.csv");
    assertEquals(6, square.size());
    assertEquals(39, square.get(2).rates().get(0).gbps());
  }

  @Test
  void refusesOtherFilesInOneLine() {
    assertWrong("hello\n", "x.txt: names no hosts");
    assertWrong("collective,bytes\nall_reduce,8\n", "x.txt:2:1: \"all_reduce\" is not a column");
    assertWrong(
        "a,b,busbw_gbps\nn1,n2,-3\n", "x.txt:2:7: -3.0 GB/s at 0 B: expected a rate above 0");
    assertWrong("a,b\nn1,n2\n", "x.txt:2:1: expected a column busbw_gbps or time_us");
  }

  private static void assertWrong(String text, String message) {
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> HostRunReader.read(text, "x.txt"));
    assertTrue(String.valueOf(e.getMessage()).startsWith(message), e.getMessage());
  }
}
