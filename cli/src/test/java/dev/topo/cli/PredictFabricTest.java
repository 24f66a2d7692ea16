package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code topo predict --fabric}: the switches between the nodes. */
class PredictFabricTest {
  private static final String MACHINE =
      Path.of(System.getProperty("topo.root"), "topologies", "dgx-h100.xml").toString();
  private static final String ALTERNATING = "--hosts=n0,n4,n1,n5,n2,n6,n3,n7";

  @TempDir private Path folder;

  /** Two leaves of four nodes, 4 x 8 x 400 Gb/s below each. */
  private String fabric(String uplink) throws IOException {
    return "--fabric="
        + Files.writeString(
            folder.resolve("leaves.conf"),
            """
            SwitchName=leaf0 Nodes=n[0-3] UplinkGbps=%s
            SwitchName=leaf1 Nodes=n[4-7] UplinkGbps=%s
            SwitchName=core Switches=leaf[0-1]
            """
                .formatted(uplink, uplink));
  }

  private static String predict(String... options) {
    CliRun run =
        CliRun.of(
            Stream.concat(
                    Stream.of("predict", MACHINE, "--nodes=8", "--sizes=1M,1G", "-v"),
                    Stream.of(options))
                .toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  /** Each paragraph in a line. */
  private static String unfolded(String text) {
    return text.replaceAll("\n  (?=\\S)", " ");
  }

  /** The tables without the notes, which name the switches. */
  private static List<String> tables(String text) {
    return text.lines().takeWhile(line -> !line.startsWith("note: ")).toList();
  }

  private static double timeUs(String... options) {
    String[] all =
        Stream.concat(Stream.of(options), Stream.of("--format=csv")).toArray(String[]::new);
    List<String> rows = predict(all).lines().toList();
    return Double.parseDouble(rows.get(rows.size() - 1).split(",", -1)[6]);
  }

  @Test
  void onOneNodeTheAnswerSaysThatSwitchesHaveNoEffect() throws IOException {
    CliRun run = CliRun.of("predict", MACHINE, "--sizes=1G", fabric("400"));
    assertTrue(
        run.out().contains("note: the switches of --fabric have no effect: all ranks"), run.out());
  }

  @Test
  void aNonBlockingNetworkChangesNothing() throws IOException {
    String operations = "--collective=all_reduce,all_gather,broadcast,alltoall,gather";
    assertEquals(
        tables(predict(operations)), tables(predict(operations, fabric("12800"), ALTERNATING)));
  }

  @Test
  void theUplinkThatIsFullIsNamedWithoutARange() throws IOException {
    String text = predict("--collective=alltoall", fabric("1600"));
    assertTrue(text.contains("not known"), text);
    assertTrue(text.contains("  uplink of switch leaf0"), text);
    assertTrue(unfolded(text).contains("no range is known for what an uplink limits"), text);
  }

  @Test
  void oversubscriptionAndOrderOfHostsChangeTheTime() throws IOException {
    String ring = "--algorithm=Ring";
    String allGather = "--collective=all_gather";
    double free = timeUs(allGather, ring);
    double inOrder = timeUs(allGather, ring, fabric("1600"));
    double alternating = timeUs(allGather, ring, fabric("1600"), ALTERNATING);
    assertTrue(inOrder > 1.3 * free, inOrder + " " + free);
    assertEquals(4 * inOrder, alternating, 0.1 * alternating);
  }

  @Test
  void hashedFlowsMeetOnLinksUnlessRoutingIsAdaptive() throws IOException {
    String fabric = fabric("32x400");
    String ring = "--algorithm=Ring";
    String hashed = predict("--collective=all_gather", ring, fabric, ALTERNATING);
    assertTrue(hashed.contains(" ms by hash"), hashed);
    assertTrue(unfolded(hashed).contains("each flow stays on one link of an uplink"), hashed);
    double adaptive =
        timeUs("--collective=all_gather", ring, fabric, ALTERNATING, "--adaptive-routing");
    assertEquals(timeUs("--collective=all_gather", ring), adaptive);
    assertTrue(timeUs("--collective=all_gather", ring, fabric, ALTERNATING) > 1.3 * adaptive);
    String json = predict("--collective=all_gather", ring, fabric, ALTERNATING, "--format=json");
    assertTrue(json.contains("\"limitedBy\" : \"uplink of switch leaf"), json);
    assertTrue(!json.contains("\"hashLowUs\" : null"), json);
  }

  @Test
  void whatTheFileDoesNotSayIsSaid() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("ports.csv"),
            Stream.of("n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7")
                .map(node -> node + ",mlx5_0,leaf" + (node.compareTo("n4") < 0 ? 0 : 1) + "/core\n")
                .reduce("", String::concat));
    String text = predict("--collective=alltoall", "--fabric=" + file);
    assertTrue(
        unfolded(text).contains("no bandwidth is stated for the uplinks of leaf[0-1]"), text);
    assertTrue(unfolded(text).contains("56 ports are at no switch of --fabric"), text);
  }

  /** PAT and SHARP: never measured, so without a range and beside NCCL's own time. */
  @Test
  void whatWasNeverMeasuredIsMarked() {
    Path topologies = Path.of(System.getProperty("topo.root"), "topologies");
    CliRun sharp =
        CliRun.of(
            "predict",
            topologies.resolve("hgx-h100-sharp.xml").toString(),
            "--nodes=4",
            "--env=NCCL_COLLNET_ENABLE=1",
            "--collective=all_reduce",
            "--algorithm=NVLS",
            "--sizes=1G",
            "-v");
    assertTrue(sharp.out().contains("NVLS/Simple  16  "), sharp.out());
    assertTrue(sharp.out().contains("  not known  "), sharp.out());
    assertTrue(sharp.out().contains("  NCCL's model  "), sharp.out());
    assertTrue(unfolded(sharp.out()).contains("NVLS: no run between nodes is known"), sharp.out());
    CliRun pat =
        CliRun.of(
            "predict",
            topologies.resolve("gh200.xml").toString(),
            "--nodes=8",
            "--collective=all_gather",
            "--algorithm=PAT",
            "--sizes=1G",
            "--format=json");
    assertTrue(pat.out().contains("\"source\" : \"network-unmeasured\""), pat.out());
    assertTrue(pat.out().contains("\"timeLowUs\" : null"), pat.out());
    assertTrue(!pat.out().contains("\"ncclTimeUs\" : null"), pat.out());
  }

  @Test
  void aTableByNodesHasTheSwitches() throws IOException {
    CliRun run =
        CliRun.of(
            "predict",
            MACHINE,
            "--nodes=2,8",
            "--sizes=1G",
            "--collective=alltoall",
            fabric("1600"));
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("uplink of switch leaf0"), run.out());
    assertEquals(
        1,
        run.out().lines().skip(1).filter(l -> l.contains("uplink of switch")).count(),
        run.out());
  }
}
