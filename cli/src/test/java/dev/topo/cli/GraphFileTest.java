package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** The graphs of a dump with their first two channels only. */
  private static String twoChannels(String dump) {
    return dump.replaceAll("nchannels=\"[1-9]\\d*\"", "nchannels=\"2\"")
        .replaceAll(
            "(?s)(<graph [^>]*>\\s*<channel>.*?</channel>\\s*<channel>.*?</channel>).*?(\\s*</graph>)",
            "$1$2");
  }

  /** An alternative starts from the same graphs: those of the file, not a search without it. */
  @Test
  void whyNotKeepsTheGraphsOfTheFile() throws IOException {
    String machine = TOPOLOGIES.resolve("hgx-h200-4nic.xml").toString();
    String setting = file(twoChannels(search("hgx-h200-4nic")));
    CliRun run = CliRun.of("explain", machine, "--why-not=crossNic=0", "--env", setting);
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("(NCCL_GRAPH_FILE) are not searched"), run.out());
    assertFalse(run.out().contains("becomes"), run.out());
  }

  @Test
  void whatIfFollowsTheFileBeforeAndAfter() throws IOException {
    String machine = TOPOLOGIES.resolve("hgx-h200-4nic.xml").toString();
    String setting = file(twoChannels(search("hgx-h200-4nic")));
    CliRun run = CliRun.of("whatif", machine, "env NCCL_BUFFSIZE=8388608", "--env", setting, "-v");
    assertEquals(0, run.status(), run.err());
    assertTrue(
        run.out().contains("ring      2 x 30 = 60 GB/s NVL  2 x 30 = 60 GB/s NVL  ="), run.out());
  }

  /** The machine of the job is the actual one where NCCL_TOPO_FILE declares another. */
  @Test
  void topologyFileOfTheSettingsDeclaresTheMachine() {
    Path measured = TOPOLOGIES.resolveSibling("src/test/resources/measured");
    String declared = measured.resolve("declared-chain.topo.xml").toString();
    String actual = measured.resolve("h200-x4.topo.xml").toString();
    String[] calls = {"--sizes", "64K,1G", "--format", "csv", "--env", "NCCL_NVLS_ENABLE=0"};
    String byOption = predict(List.of(declared, "--actual", actual), calls);
    String bySetting = predict(List.of(actual, "--env", "NCCL_TOPO_FILE=" + declared), calls);
    assertEquals(byOption, bySetting);
    assertFalse(bySetting.equals(predict(List.of(actual), calls)), bySetting);
    CliRun both =
        CliRun.of("predict", declared, "--actual", actual, "--env", "NCCL_TOPO_FILE=" + declared);
    assertEquals(2, both.status(), both.out());
    CliRun search =
        CliRun.of("search", actual, "--format=xml", "--env", "NCCL_TOPO_FILE=" + declared);
    assertEquals(CliRun.of("search", declared, "--format=xml").out(), search.out());
    assertEquals("", search.err(), "a job of one node uses no port");
  }

  /** Without the ports of the machine, nodes would be joined by nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"nic", "gpu"})
  void devicesThatATopologyFileLacksAreThoseOfTheMachine(String lacking) throws IOException {
    Path machine = TOPOLOGIES.resolve("dgx-h100.xml");
    String less =
        Files.readString(machine)
            .replaceAll("(?s)<nic>.*?</nic>", "")
            .replaceAll(lacking.equals("gpu") ? "(?s)<gpu .*?</gpu>" : "^$", "");
    Path file = Files.writeString(folder.resolve("less.xml"), less);
    List<String> job = List.of("--nodes", "2", "--collective", "all_reduce", "--sizes", "1G");
    List<String> args = new ArrayList<>(List.of("predict", machine.toString()));
    args.addAll(job);
    args.addAll(List.of("--format", "csv"));
    CliRun as = CliRun.of(args.toArray(String[]::new));
    args.addAll(List.of("--env", "NCCL_TOPO_FILE=" + file));
    CliRun with = CliRun.of(args.toArray(String[]::new));
    assertEquals(0, with.status(), with.err());
    assertEquals(as.out(), with.out());
    String note =
        "topo: note: NCCL adds what it detects: %s8 NICs of %s that %s lacks\n"
            .formatted(lacking.equals("gpu") ? "8 GPUs and " : "", machine, file);
    assertEquals(note, with.err());
    List<String> edit = List.of("whatif", machine.toString(), "env NCCL_TOPO_FILE=" + file);
    args = new ArrayList<>(edit);
    args.addAll(job);
    CliRun whatif = CliRun.of(args.toArray(String[]::new));
    assertTrue(whatif.err().startsWith(note), whatif.err());
    assertTrue(whatif.out().contains("AllReduce of 1 GiB stays at"), whatif.out());
  }

  private static String predict(List<String> machine, String... calls) {
    List<String> args = new ArrayList<>(List.of("predict"));
    args.addAll(machine);
    args.addAll(List.of(calls));
    CliRun run = CliRun.of(args.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return run.out();
  }
}
