package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code topo report} writes and how it fails. */
class ReportCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path MEASURED = ROOT.resolve("src/test/resources/measured");
  private static final String DGX_H100 = machine("dgx-h100");
  private static final int MOST_BYTES = 3_000_000;

  @TempDir private Path folder;

  @BeforeAll
  static void needsFonts() {
    Fonts.assumeThere();
  }

  private static String machine(String name) {
    return ROOT.resolve("topologies/" + name + ".xml").toString();
  }

  private static String done(String... args) {
    CliRun run = CliRun.of(args);
    assertEquals("", run.err());
    assertEquals(ExitStatus.DONE, run.status());
    return run.out();
  }

  private static void assertSays(String page, String... texts) {
    for (String text : texts) {
      assertTrue(page.contains(text), text);
    }
  }

  @Test
  void theSummaryHasBusbwAsTheAnswerHasIt() {
    String page = done("report", DGX_H100, "--nodes=3", "--collective=all_reduce", "--sizes=1G");
    assertSays(
        page,
        "AllReduce of 1 GiB on dgx-h100 x 3: 340 GB/s busbw (280 to 410) ",
        "<b>340 GB/s</b>",
        ", 340 GB/s at 1 GiB.");
  }

  @Test
  void aSplitHasTheSectionsOfEachCommunicator() {
    String page =
        done(
            "report",
            DGX_H100,
            "--nodes=4",
            "--split=0-15;16-23;24-31",
            "--collective=all_reduce,alltoall",
            "--sizes=1M,1G");
    assertSays(page, ">2 kinds of communicators<", "dgx-h100 x 2");
    assertSays(page, ">Predictions · communicator 0<", ">Predictions · communicator 1-2<");
    assertSays(page, ">Between nodes · communicator 0<");
    assertFalse(page.contains(">Between nodes · communicator 1-2<"));
    List<String> ids =
        Pattern.compile("\\bid=\"[^\"]*\"")
            .matcher(page)
            .results()
            .map(MatchResult::group)
            .toList();
    assertEquals(ids.size(), new HashSet<>(ids).size(), "an id stands once");
  }

  @Test
  void measurementsAreOfTheMachineTheCollectivesAndTheSizesThatAreAskedFor() {
    String result = MEASURED.resolve("h200-x4-run/verify.json").toString();
    String x4 = MEASURED.resolve("h200-x4.topo.xml").toString();
    assertFails(
        3,
        result + ": was measured on GPUs of sm 90, the job has sm 89: expected the same machines",
        "report",
        machine("l40s-4"),
        "--measured",
        result);
    assertFails(
        3,
        result + ": was measured on 1 node, the job has 2 nodes: expected the same machines",
        "report",
        DGX_H100,
        "--gpus",
        "0,1",
        "--nodes",
        "2",
        "--measured",
        result);
    String gather = MEASURED.resolve("h200-x4-run/all_gather.nccl-tests.txt").toString();
    assertFails(
        3,
        gather + ": contains no requested collective or size",
        "report",
        x4,
        "--measured",
        gather,
        "--collective",
        "all_reduce");
    String page = done("report", x4, "--measured", gather, "--sizes", "8M:32M:4");
    assertSays(page, "2 measurements: ");
  }

  private static void assertFails(int status, String message, String... args) {
    CliRun run = CliRun.of(args);
    assertEquals("topo: " + message + "\n", run.err());
    assertEquals(status, run.status());
    assertEquals("", run.out());
  }

  @Test
  void linksHaveTheNamesThatPredictGivesThem() {
    String[] call = {DGX_H100, "--collective", "all_reduce", "--sizes", "1G"};
    String page = done(with("report", call));
    String predicted = done(with("predict", call));
    assertSays(predicted, "NVL GPU 0 to NVS 0-0");
    assertSays(page, "NVL GPU 0 to NVS 0-0");
    assertFalse(page.contains("to NVSwitch"), page);
  }

  private static String[] with(String command, String... arguments) {
    return Stream.concat(Stream.of(command), Arrays.stream(arguments)).toArray(String[]::new);
  }

  @Test
  void aStarIsExplainedWhateverSizesAreAskedFor() {
    String page = done("report", DGX_H100, "--sizes", "64K", "--collective", "all_reduce");
    assertSays(page, " at 1 GiB*.", "NVLS (*) is based on published busbw");
  }

  /** The trays of a rack are one node: drawn once, and without the advice to join them. */
  @Test
  void equalTraysOfARackAreFolded() {
    String page =
        done(
            "report",
            machine("gb200-tray"),
            "--nodes",
            "8",
            "--nvlink-domain",
            "4",
            "--sizes",
            "1G");
    assertSays(
        page,
        "gb200-tray x 8 in NVLink domains of 4",
        "32 ranks on 2 NVLink domains of 8 hosts in all",
        "4 equal hosts: 0-3; shown are the paths of host 0, and host 1 for the others.",
        "mlx5_1 of host 0 → host 0: 1 2 3 → hosts 1 to 3, each 0 1 2 3 → host 0: 0 → mlx5_1 of host 0");
    assertFalse(page.contains("<code>nvlink-domain</code>"));
    String apart = done("report", machine("gb200-tray"), "--sizes", "1G");
    assertTrue(apart.contains("<code>nvlink-domain</code>"));
  }

  @Test
  void whatIsAssumedIsOnThePage() {
    String vm = ROOT.resolve("examples/vm.xml").toString();
    CliRun run = CliRun.of("report", vm, "--nodes", "2", "--assume", "gpu=a100,net=200000");
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    assertSays(
        run.out(),
        "Assumed, because vm.xml does not contain it: 8 x A100 (sm 80, ",
        "No tree fits: NCCL uses the GPUs in file order");
  }

  /** As a shell gives the output of a command: {@code <(zcat system.xml.gz)}. */
  @Test
  void aPipeIsReadOnce() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe.xml");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    byte[] machine = Files.readAllBytes(Path.of(DGX_H100));
    Thread writer =
        new Thread(
            () -> {
              try {
                Files.write(pipe, machine, StandardOpenOption.WRITE);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    writer.setDaemon(true);
    writer.start();
    CliRun run = CliRun.of("report", pipe.toString());
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    assertFalse(run.out().contains("empty-file"));
  }

  @Test
  void aJobIsOnOnePageOfFewBytes() {
    String page = done("report", DGX_H100, "--nodes", "4");
    int bytes = page.getBytes(StandardCharsets.UTF_8).length;
    assertTrue(bytes < MOST_BYTES, bytes + " bytes");
    assertSays(
        page,
        "<h1>dgx-h100 x 4</h1>",
        "32 ranks on 4 nodes.",
        "Each has 8 GPUs (sm 90), NVSwitch, 8 ports of 50 GB/s, 2 CPUs (Intel Sapphire Rapids).",
        "GPUs reach each other over NVL at 370.8 GB/s.",
        "ring 8 x 48 GB/s over NVL, 48 GB/s to the network over PIX.",
        "For AllReduce NCCL chooses Tree/LL up to 138.4 KiB, ",
        "<h2>Between nodes</h2>",
        "NVLS tree of head 0, channels 0,2,4,6,8,10,12,14 (ranks: channel 0)",
        "<h2>NVLS, CollNet and peers</h2>",
        "<h2>Bound</h2>",
        "<h2>Memory</h2>",
        "No CollNet: NCCL_COLLNET_ENABLE is not 1; ",
        "<b>mlx5_3</b><span>via GPU 3</span>",
        "Predicted by the model of the network rdma between nodes.");
    assertEquals(page, done("report", DGX_H100, "--nodes", "4"));
  }

  @Test
  void sendsAndReceivesAreBesideTheirMeasurements() {
    Path measured = ROOT.resolve("src/test/resources/measured");
    String[] job = {
      "report",
      measured.resolve("h200-x2.topo.xml").toString(),
      "--env=NCCL_NVLS_ENABLE=0",
      "--ranks-per-process=1",
      "--measured=" + measured.resolve("h200-x2-processes/default.csv"),
      "--sizes=1M,64M",
      "--collective=alltoall,sendrecv"
    };
    String page = done(job);
    assertSays(
        page, "Sends and receives", "busbw of AlltoAll by size.", "busbw of SendRecv by size.");
    assertSays(page, "Measured out of place, compared with the prediction", "PASS");
    job[6] = "--collective=all_reduce";
    assertFalse(done(job).contains("Sends and receives"));
  }

  private static List<String> machines() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("topologies"))) {
      return files.map(Path::toString).filter(file -> file.endsWith(".xml")).sorted().toList();
    }
  }

  /** Nothing is fetched, every picture has a text, every id is there once, every link leads. */
  @ParameterizedTest
  @MethodSource("machines")
  void everyMachineMakesASoundPage(String file) {
    String page = done("report", file, "--sizes", "1K,1M,1G");
    assertFalse(page.contains(" src="), "something is fetched");
    assertEquals(List.of(), found(page, "href=\"([^#][^\"]*)\""));
    assertEquals(List.of(), found(page, "(@import|url\\((?!#))"));
    assertEquals(
        found(page, "<svg ").size(), found(page, "<svg [^>]*(aria-label|aria-labelledby)=").size());
    List<String> ids = found(page, "\\bid=\"([^\"]*)\"");
    Set<String> distinct = new HashSet<>(ids);
    assertEquals(distinct.size(), ids.size(), ids.toString());
    for (String reference : found(page, "(?:href=\"#|url\\(#)([^\")]*)")) {
      assertTrue(distinct.contains(reference), reference);
    }
    assertEquals(List.of(), page.lines().filter(line -> line.contains(ROOT.toString())).toList());
  }

  private static List<String> found(String page, String pattern) {
    return Pattern.compile(pattern)
        .matcher(page)
        .results()
        .map((MatchResult m) -> m.groupCount() == 0 ? m.group() : m.group(1))
        .toList();
  }

  @Test
  void measurementsStandBesideWhatIsPredicted() {
    String page =
        done(
            "report",
            MEASURED.resolve("h200-x4.topo.xml").toString(),
            "--measured",
            MEASURED.resolve("h200-x4-run/verify.json").toString(),
            "--collective",
            "all_reduce");
    assertSays(page, "<h2>Measured</h2>", "<td>PASS</td>", ">measured<", "Settings: ");
    assertSays(page, "NCCL_NVLS_ENABLE=0", "Calibration h200-nvswitch");
    assertSays(
        done(
            "report",
            MEASURED.resolve("h200-x4.topo.xml").toString(),
            "--measured",
            MEASURED.resolve("h200-x4.csv").toString(),
            "--ranks-per-process",
            "4",
            "--env",
            "NCCL_NVLS_ENABLE=0"),
        "666 measurements: none is slower than tolerated.");
  }

  @Test
  void aSlowMeasurementIsAnAnomalyAboveTheMachine() throws IOException {
    Path slow = folder.resolve("slow.csv");
    Files.writeString(slow, "gpus,collective,bytes,time_us\n4,all_reduce,1073741824,50000\n");
    String page =
        done(
            "report",
            MEASURED.resolve("h200-x4.topo.xml").toString(),
            "--measured",
            slow.toString(),
            "--ranks-per-process",
            "4",
            "--env",
            "NCCL_NVLS_ENABLE=0");
    assertSays(page, "<dt>Anomalies</dt><dd><p>1 of 1 measurements do not pass.</p>");
    assertFalse(page.contains("<b>no</b><span>anomalies</span>"), "the figures");
    assertTrue(page.indexOf("<h2>Measured</h2>") < page.indexOf("<h2>Machine"), "measured first");
  }

  @Test
  void whatIsOddIsSaid() {
    assertSays(
        done("report", machine("pcie-6-uneven"), "--nodes", "2", "--sizes", "1M"),
        "Ports differ: ",
        "Rings cross the CPU between GPUs");
    assertSays(
        done("report", machine("dgx-h100"), "--nodes", "4", "--sizes", "1M"),
        "<dt>Anomalies</dt><dd><p>None.</p>");
    assertSays(
        done("report", machine("hgx-h100-vm-flat"), "--sizes", "1M"),
        "<h2>Findings in the files</h2>",
        "class=\"badge warning\"");
    assertSays(
        done(
            "report",
            machine("dgx-1v"),
            "--env",
            "NCCL_P2P_DISABLE=1",
            "--env",
            "NCCL_SHM_DISABLE=1",
            "--sizes",
            "1M"),
        "Only the network connects 8 groups of GPUs on 1 machine: NCCL treats each as a node.",
        "<h3>dgx-1v, node 7</h3>");
    assertSays(done("report", machine("gtx1660-1")), "1 rank on 1 node.", "0.125 GB/s");
  }

  @Test
  void unequalMachinesAreDrawnEach() {
    String page =
        done("report", "--node", DGX_H100 + "*3", "--node", machine("dgx-a100"), "--sizes", "1M");
    assertSays(
        page,
        "<h3>dgx-h100, nodes 0-2</h3>",
        "<h3>dgx-a100, node 3</h3>",
        "dgx-h100 x 3 + dgx-a100",
        "ring channels on dgx-h100, nodes 0-2",
        "ring channels on dgx-a100, node 3",
        "The fullest link under the ring channels on dgx-a100, node 3 is ");
  }

  @Test
  void namesInAFileDoNotBecomeMarkup() throws IOException {
    Path file = folder.resolve("bad<b>.xml");
    Files.writeString(
        file,
        Files.readString(Path.of(DGX_H100))
            .replace("\"mlx5_0\"", "\"&lt;script&gt;alert(1)&lt;/script&gt;\""));
    List<String> args = new ArrayList<>(List.of("report", file.toString(), "--nodes", "2"));
    args.addAll(List.of("--sizes", "1M"));
    String page = CliRun.of(args.toArray(String[]::new)).out();
    assertSays(page, "bad&lt;b&gt;");
    assertEquals(1, found(page, "<script").size());
    assertFalse(page.contains("<script>alert"), "a script of the file");
  }

  @Test
  void severalFilesNeedAFolder() {
    String other = machine("dgx-1v");
    CliRun run = CliRun.of("report", DGX_H100, other);
    assertEquals(ExitStatus.USAGE, run.status());
    done("report", DGX_H100, other, "--sizes", "1M", "--out-dir", folder.toString());
    assertTrue(Files.exists(folder.resolve("dgx-1v.html")));
  }

  @Test
  void whatCannotBeReportedIsRefusedInOneLine() {
    CliRun other =
        CliRun.of("report", DGX_H100, "--measured", MEASURED.resolve("h200-x4.csv").toString());
    assertEquals(ExitStatus.BAD_INPUT, other.status());
    assertTrue(
        other
            .err()
            .endsWith(
                "was measured on 4 GPUs, the job has 8: expected the same machines (--nodes, --gpus)\n"),
        other.err());
    assertEquals(1, other.err().lines().count());
    assertEquals(ExitStatus.BAD_INPUT, CliRun.of("report", "nowhere.xml").status());
    assertEquals(ExitStatus.USAGE, CliRun.of("report", DGX_H100, "--sizes", "x").status());
  }
}
