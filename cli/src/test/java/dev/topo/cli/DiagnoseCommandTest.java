package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What {@code topo diagnose} says and how it ends. */
class DiagnoseCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path FILES = ROOT.resolve("examples");

  private static final Path ONE_GPU = ROOT.resolve("topologies/gtx1660-1.xml");

  @TempDir private Path folder;

  private static String file(String name) {
    return FILES.resolve(name).toString();
  }

  @Test
  void aFaultIsStatusOne() {
    CliRun run = CliRun.of("diagnose", file("one-nic.txt"), "--format", "json");
    assertEquals(1, run.status(), run.err());
    assertTrue(new JsonMapper().readTree(run.out()).get("causes").size() > 0, run.out());
  }

  @Test
  void aHealthyRunIsAsExpected() {
    CliRun run = CliRun.of("diagnose", file("healthy.txt"));
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().startsWith("Nothing is wrong: 13 sizes"), run.out());
  }

  /** Times as predicted, of a cluster that is so many times slower. */
  private String run(String name, double factor) throws IOException {
    StringBuilder rows = new StringBuilder("collective,bytes,time_us\n");
    String predict =
        "predict dgx-h100 --nodes 2 --sizes 1M:1G:4 --collective all_gather --format csv";
    CliRun.of(predict.split(" "))
        .out()
        .lines()
        .skip(1)
        .map(line -> line.split(","))
        .filter(cells -> cells[11].equals("true"))
        .forEach(
            cells ->
                rows.append("all_gather,")
                    .append(cells[5])
                    .append(',')
                    .append(factor * Double.parseDouble(cells[6]))
                    .append('\n'));
    return Files.writeString(folder.resolve(name), rows).toString();
  }

  @Test
  void ownTimesSayWhatIsHealthy() throws IOException {
    String own = folder.resolve("own.calibration").toString();
    String usual = run("usual.csv", 2);
    CliRun.of("calibrate", usual, "--topology", "dgx-h100", "--nodes", "2", "-o", own);
    String diagnose = "diagnose %s --machine %s --nodes 2";
    assertEquals(1, CliRun.of(diagnose.formatted(usual, "dgx-h100").split(" ")).status());
    diagnose += " --calibration " + own;
    CliRun healthy = CliRun.of(diagnose.formatted(usual, "dgx-h100").split(" "));
    assertEquals(0, healthy.status(), healthy.out());
    assertTrue(healthy.out().startsWith("Nothing is wrong"), healthy.out());
    assertEquals("", healthy.err());
    CliRun slow = CliRun.of(diagnose.formatted(run("slow.csv", 6), "dgx-h100").split(" "));
    assertEquals(1, slow.status(), slow.out());
    CliRun other = CliRun.of(diagnose.formatted(usual, "dgx-a100").split(" "));
    assertEquals(2, other.status());
    assertTrue(other.err().contains("measured on sm 90"), other.err());
  }

  @Test
  void socketsInTheLogAreStatedWithTheirLine() {
    CliRun run = CliRun.of("diagnose", "--log", file("sockets.log"), "--format", "csv");
    assertEquals(1, run.status(), run.err());
    assertTrue(run.out().contains("1,wrong-network,stated,,"), run.out());
    assertTrue(run.out().contains("sockets.log:4: Using network Socket"), run.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"one-nic.txt", "healthy.txt"})
  void theDocumentHasWhatIsPrinted(String name) throws IOException {
    String page = Files.readString(ROOT.resolve("docs/diagnose.md"));
    String printed = CliRun.of("diagnose", file(name)).out();
    assertTrue(page.contains(printed.strip()), printed);
  }

  @Test
  void aRunThatIsTooFastIsStatusOne() throws IOException {
    Path run = folder.resolve("columns.csv");
    Files.writeString(
        run,
        "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n"
            + "16,all_reduce,,,1073741824,2500,2500\n16,all_reduce,,,4294967296,9900,9900\n");
    String machine = "--machine=" + ROOT.resolve("topologies/dgx-h100.xml");
    CliRun fast = CliRun.of("diagnose", run.toString(), machine, "--nodes=2");
    assertEquals(1, fast.status(), fast.err());
    assertTrue(
        fast.out()
            .startsWith("Faster than this job can be, AllReduce of 4 GiB reaches 813 GB/s busbw"),
        fast.out());
  }

  @Test
  void aLogOfAnotherJobIsRefused() throws IOException {
    Path log = folder.resolve("other.log");
    Files.writeString(
        log, Files.readString(FILES.resolve("sockets.log")).replace("nRanks 16", "nRanks 8"));
    CliRun run = CliRun.of("diagnose", file("healthy.txt"), "--log", log.toString());
    assertEquals(3, run.status(), run.out());
    assertTrue(
        run.err().contains("is a communicator of 8 ranks, the measurements are of 16"), run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 |  | expected MEASURED or --log FILE",
        "2 | F --nodes 0 | --nodes 0: expected 1 or more",
        "2 | F --ranks-per-process 0 | --ranks-per-process 0: expected 1 or more",
        "2 | F --collective foo | --collective foo: expected all_reduce, all_gather",
        "3 | F --machine M | 16 ranks on 2 nodes need 8 GPUs of each, --machine has 1: expected",
        "3 | F --nodes 3 | healthy.txt: lists 2 hosts, --nodes states 3: expected the number of the run",
        "3 | L --nodes 3 | sockets.log:5: states 2 nodes, --nodes states 3",
        "3 | none.txt | none.txt: no such file",
        "3 | README | has no measurement, expected output of nccl-tests"
      })
  void whatCannotBeDiagnosedIsSaid(int status, String call, String message) {
    String words = call == null ? "" : call;
    CliRun run =
        CliRun.of(
            ("diagnose "
                    + words
                        .replace("F", file("healthy.txt"))
                        .replace("L --nodes", file("sockets.log") + " --nodes")
                        .replace("README", file("README.md"))
                        .replace("--machine M", "--machine " + ONE_GPU))
                .strip()
                .split(" "));
    assertEquals(status, run.status(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }
}
