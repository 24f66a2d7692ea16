package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Graph files that were dumped under other conditions than those of the job that takes them. */
class GraphFileTest {
  private static final Path TOPOLOGIES =
      Path.of(System.getProperty("topo.root")).resolve("topologies");

  @TempDir private Path folder;

  private static String search(String machine, String... options) {
    List<String> args = new ArrayList<>(List.of("search"));
    args.add(TOPOLOGIES.resolve(machine + ".xml").toString());
    args.addAll(List.of("--format", "xml"));
    args.addAll(List.of(options));
    CliRun run = CliRun.of(args.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  private String file(String graphs) throws IOException {
    return "NCCL_GRAPH_FILE=" + Files.writeString(folder.resolve("graphs.xml"), graphs);
  }

  /**
   * NCCL 2.28.9 begins its search with what the file says of a graph without channels: here, that
   * CollNet was not searched for. Both graphs as its native code answers.
   */
  @Test
  void aGraphWithoutChannelsIsWhereTheSearchBegins() throws IOException {
    String dump = search("hgx-h100-sharp");
    String given = search("hgx-h100-sharp", "--env", "NCCL_COLLNET_ENABLE=1", "--env", file(dump));
    String plain = search("hgx-h100-sharp", "--env", "NCCL_COLLNET_ENABLE=1");
    assertTrue(
        given.contains(
            "<graph id=\"4\" pattern=\"6\" crossnic=\"0\" nchannels=\"8\" speedintra=\"60\" speedinter=\"60\""
                + " latencyinter=\"0\" typeintra=\"LOC\" typeinter=\"LOC\" samechannels=\"0\">"),
        given);
    assertTrue(
        given.contains(
            "<graph id=\"2\" pattern=\"3\" crossnic=\"0\" nchannels=\"12\" speedintra=\"30\" speedinter=\"30\""
                + " latencyinter=\"0\" typeintra=\"NVL\" typeinter=\"LOC\" samechannels=\"1\">"),
        given);
    assertFalse(plain.contains("typeinter=\"LOC\""), plain);
  }

  @Test
  void onOneNodeThePortsOfADumpOfSeveralAreLeftOut() throws IOException {
    String dump = search("hgx-h100-sharp", "--nodes", "2");
    assertTrue(dump.contains("<net "), dump);
    String given = search("hgx-h100-sharp", "--env", file(dump));
    assertEquals(dump.replaceAll("(?m)^ *<net .*\n", ""), given);
  }

  /** An alternative is evaluated with the graphs of the same file. */
  @Test
  void whyNotKeepsTheGraphsOfTheFile() throws IOException {
    String two = search("hgx-h200-4nic", "--nodes", "2", "--env", "NCCL_MAX_NCHANNELS=2");
    String machine = TOPOLOGIES.resolve("hgx-h200-4nic.xml").toString();
    String setting = file(two);
    CliRun run =
        CliRun.of("explain", machine, "--nodes=2", "--why-not=crossNic=0", "--env", setting);
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("(NCCL_GRAPH_FILE) are not searched"), run.out());
    assertTrue(run.out().contains("  channels: 4, unchanged\n"), run.out());
  }

  /** A job under another setting, a job before a difference: all start from the same file. */
  @Test
  void whatIfAndDiffFollowTheFile() throws IOException {
    String two = search("hgx-h200-4nic", "--env", "NCCL_MAX_NCHANNELS=2");
    String machine = TOPOLOGIES.resolve("hgx-h200-4nic.xml").toString();
    String setting = file(two);
    CliRun run = CliRun.of("whatif", machine, "env NCCL_BUFFSIZE=8388608", "--env", setting);
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("channels  2 "), run.out());
  }
}
