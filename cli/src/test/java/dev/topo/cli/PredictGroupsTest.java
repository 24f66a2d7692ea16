package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code topo predict --groups-at-once}: communicators whose calls run at the same time. */
class PredictGroupsTest {
  @TempDir private Path folder;

  private static CliRun run(String machine, String... args) {
    Path file = Path.of(System.getProperty("topo.root"), "topologies", machine + ".xml");
    return CliRun.of(
        Stream.concat(Stream.of("predict", file.toString(), "--sizes=1G"), Arrays.stream(args))
            .toArray(String[]::new));
  }

  /** The busbw of each row of 1 GiB, communicator by communicator. */
  private static List<Double> busbw(String machine, String... args) {
    CliRun run =
        run(machine, Stream.concat(Stream.of("-v"), Arrays.stream(args)).toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return rates(run);
  }

  private static List<Double> rates(CliRun run) {
    return run.out()
        .lines()
        .filter(line -> line.startsWith("  1 GiB"))
        .map(line -> Double.parseDouble(line.replaceAll(" GB/s.*", "").replaceAll(".* ", "")))
        .toList();
  }

  /** Two GPUs for each port: groups of one GPU a node get half of it. */
  @ParameterizedTest
  @CsvSource({"all_reduce", "all_gather", "alltoall"})
  void groupsShareTheirPorts(String operation) {
    String[] options = {"--nodes=8", "--split=MOD 8", "--collective=" + operation};
    List<Double> alone = busbw("hgx-h200-4nic", options);
    String[] atOnce = Arrays.copyOf(options, 4);
    atOnce[3] = "--groups-at-once=split";
    List<Double> shared = busbw("hgx-h200-4nic", atOnce);
    assertEquals(8, shared.size());
    for (int group = 0; group < 8; group++) {
      assertEquals(0.5, shared.get(group) / alone.get(group), 0.03);
    }
  }

  /** A port for each GPU, and groups of whole nodes: nothing is shared. */
  @ParameterizedTest
  @CsvSource({"MOD 8", "DIV 32", "0-31;32-63"})
  void groupsWithTheirOwnPortsAreAsFastAsAlone(String split) {
    String[] options = {"--nodes=8", "--split=" + split, "--collective=all_gather"};
    String[] atOnce = Arrays.copyOf(options, 4);
    atOnce[3] = "--groups-at-once=split";
    assertEquals(busbw("dgx-h100", options), busbw("dgx-h100", atOnce));
  }

  @Test
  void groupsShareUplinks() throws Exception {
    Path fabric =
        Files.writeString(
            folder.resolve("leaves.conf"),
            """
            SwitchName=leaf0 Nodes=n[0-3] UplinkGbps=1600
            SwitchName=leaf1 Nodes=n[4-7] UplinkGbps=1600
            SwitchName=core Switches=leaf[0-1]
            """);
    String[] options = {
      "--nodes=8",
      "--split=0-15,32-47;16-31,48-63",
      "--collective=all_gather",
      "--algorithm=Ring",
      "--fabric=" + fabric
    };
    String[] atOnce = Arrays.copyOf(options, 6);
    atOnce[5] = "--groups-at-once=split";
    double alone = busbw("dgx-h100", options).get(0);
    assertEquals(0.5, busbw("dgx-h100", atOnce).get(0) / alone, 0.1);
    CliRun run = run("dgx-h100", atOnce);
    assertTrue(run.out().contains("uplink of switch leaf0"), run.out());
    assertTrue(run.out().contains("note: 2 groups at once make equal calls"), run.out());
    assertTrue(!run.out().contains("concurrent-groups"), run.out());
  }

  /** Two rings of two GPUs each that cross the same PCI switch. */
  @Test
  void groupsShareLinksInsideANode() {
    String[] options = {"--split=MOD 2", "--collective=all_gather"};
    String[] atOnce = Arrays.copyOf(options, 3);
    atOnce[2] = "--groups-at-once=split";
    double alone = busbw("l40s-8-switched", options).get(0);
    double shared = busbw("l40s-8-switched", atOnce).get(0);
    assertTrue(shared < 0.8 * alone, shared + " " + alone);
  }

  /** Over the same GPUs, ports are shared as links in a node are. */
  @Test
  void groupsOverTheSameGpusShareThePorts() {
    String[] options = {"--nodes=8", "--collective=alltoall"};
    String[] atOnce = Arrays.copyOf(options, 3);
    atOnce[2] = "--groups-at-once=2";
    double alone = busbw("dgx-h100", options).get(0);
    assertEquals(0.5, busbw("dgx-h100", atOnce).get(0) / alone, 0.01);
  }

  /** Two groups that share the one port of each node, each with the same sizes. */
  @Test
  void unevenCallsOfGroupsShareThePorts() throws Exception {
    String row = "134217728,".repeat(8).replaceFirst(",$", "\n");
    String traffic = Files.writeString(folder.resolve("traffic.csv"), row.repeat(8)).toString();
    double alone = uneven(traffic, "MOD 2").get(0);
    double shared = uneven(traffic, "MOD 2", "--groups-at-once=split").get(0);
    assertEquals(0.5, shared / alone, 0.05);
    CliRun unequal =
        CliRun.of(
            matrix(traffic, "0-3,8-11;4-7,12-14", "--groups-at-once=split").toArray(String[]::new));
    assertEquals(2, unequal.status(), unequal.out());
    assertTrue(unequal.err().contains("expected groups of equally many ranks"), unequal.err());
  }

  private static List<String> matrix(String traffic, String split, String... more) {
    List<String> args = new ArrayList<>(List.of("predict"));
    args.add(Path.of(System.getProperty("topo.root"), "topologies/hgx-a100-1nic.xml").toString());
    args.addAll(List.of("--nodes=2", "--split=" + split, "--collective=alltoallv"));
    args.add("--traffic=" + traffic);
    args.addAll(List.of(more));
    return args;
  }

  private static List<Double> uneven(String traffic, String split, String... more) {
    CliRun run = CliRun.of(matrix(traffic, split, more).toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return rates(run);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0-7;16-23|rank 23: expected ranks from 0 to 15",
        "0-7;7-15|rank 7 is in two groups",
        "0-7;|expected a rank"
      })
  void refusesGroupsThatAreNone(String split, String message) {
    CliRun run = run("dgx-h100", "--nodes=2", "--split=" + split);
    assertEquals(2, run.status());
    assertTrue(run.err().contains("--split: ") && run.err().contains(message), run.err());
  }
}
