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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measurements of another release of NCCL, in every format and by every command that reads them.
 */
class OtherReleaseTest {
  private static final Path MEASURED =
      Path.of(System.getProperty("topo.root"), "src/test/resources/measured");
  private static final Path RUNS = MEASURED.resolve("h200-x4-run");
  private static final String X4 = MEASURED.resolve("h200-x4.topo.xml").toString();
  private static final String TEXT = "all_reduce.nccl-tests.txt";
  private static final String NO_NVLS = "--env=NCCL_NVLS_ENABLE=0";

  @TempDir private Path folder;

  /** The file as a run of NCCL 2.18.5 would have written it. */
  private Path other(String name) throws IOException {
    String text = Files.readString(RUNS.resolve(name));
    String changed =
        text.replace("nccl-library=22809", "nccl-library=21805")
            .replaceAll("(\"nccl_version\" ?: ?)22809", "$121805")
            .replace("\"nccl\" : \"2.28.9\"", "\"nccl\" : \"2.18.5\"");
    assertFalse(changed.equals(text), name);
    Path file = folder.resolve(name);
    Files.writeString(file, changed);
    return file;
  }

  private static String caveat(Path file) {
    return "caveat: " + notModelled(file);
  }

  private static String notModelled(Path file) {
    return "nccl-version: "
        + file
        + ": comes from NCCL 2.18.5 and is compared with the rules of 2.28.9; a difference may be"
        + " one of the releases";
  }

  /** What it prints, with long sentences in one line. */
  private static String unbroken(CliRun run) {
    return run.out().replace("\n  ", " ");
  }

  private static CliRun run(String... words) {
    return CliRun.of(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {TEXT, "all_reduce.processes.json", "verify.json"})
  void everyFormatOfMeasurementsHasTheRelease(String name) throws IOException {
    Path file = other(name);
    CliRun run = run("predict", X4, NO_NVLS, "--sizes=8M:1G", "--against", file.toString());
    assertTrue(unbroken(run).contains("not modelled: " + notModelled(file) + "\n"), run.out());
    assertTrue(run.err().startsWith("topo: " + caveat(file) + "\n"), run.err());
    String same = RUNS.resolve(name).toString();
    run = run("predict", X4, NO_NVLS, "--sizes=8M:1G", "--against", same);
    assertFalse((run.out() + run.err()).contains("nccl-version"), run.out() + run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "null", "true", "-1", "1e99", "\"2.28.9\""})
  void aVersionThatIsNoneIsNoCaveat(String version) throws IOException {
    Path file = folder.resolve("run.json");
    Files.writeString(
        file,
        Files.readString(RUNS.resolve("all_reduce.processes.json"))
            .replace("\"nccl_version\" : 22809", "\"nccl_version\" : " + version));
    CliRun run = run("predict", X4, NO_NVLS, "--sizes=8M:1G", "--against", file.toString());
    assertTrue(run.status() <= 1, run.err());
    assertFalse(run.out().contains("nccl-version"), run.out());
  }

  @Test
  void theLibraryOfAResultOfVerifyCounts() throws IOException {
    Path file = folder.resolve("verify.json");
    Files.writeString(
        file,
        Files.readString(RUNS.resolve("verify.json"))
            .replace(
                "\"nccl\" : \"2.28.9\"",
                "\"nccl\" : \"2.28.9\", \"job\" : {\"ranks\" : 4, \"nodes\" : 1}, \"ncclLibraryVersion\" : \"2.18.5\"")
            .replace("\"format\" : \"topo-result\"", "\"schema\" : \"topo/verify/1\""));
    CliRun run = run("predict", X4, NO_NVLS, "--sizes=8M:1G", "--against", file.toString());
    assertTrue(
        unbroken(run).contains("not modelled: " + notModelled(file) + "\n"), run.out() + run.err());
  }

  @Test
  void csvMayNameItInAComment() throws IOException {
    Path file = folder.resolve("times.csv");
    Files.writeString(
        file,
        """
        # 4 H200, NCCL version 2.18.5
        gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us
        4,all_reduce,,,1073741824,4600,4600
        """);
    CliRun run = run("predict", X4, NO_NVLS, "--against", file.toString());
    assertTrue(
        unbroken(run).contains("not modelled: " + notModelled(file) + "\n"), run.out() + run.err());
  }

  @ParameterizedTest
  @CsvSource({"predict", "calibrate"})
  void jsonHasIt(String command) throws IOException {
    Path file = other(TEXT);
    List<String> words = new ArrayList<>(List.of(command));
    if (command.equals("predict")) {
      words.addAll(List.of(X4, "--sizes=8M:1G"));
    } else {
      words.addAll(List.of("--topology", X4, "--calibration", "h200-nvswitch"));
    }
    words.addAll(List.of(NO_NVLS, "--format=json", "--against"));
    String same = RUNS.resolve(TEXT).toString();
    List<String> healthy = new ArrayList<>(words);
    words.add(file.toString());
    healthy.add(same);
    CliRun run = run(words.toArray(String[]::new));
    assertEquals(
        caveat(file),
        "caveat: " + JsonMapper.shared().readTree(run.out()).at("/caveats/0").asString(),
        run.err());
    assertFalse(run(healthy.toArray(String[]::new)).out().contains("nccl-version"));
  }

  @Test
  void calibrateBeginsWithIt() throws IOException {
    Path file = other(TEXT);
    CliRun run =
        run(
            "calibrate",
            "--topology=" + X4,
            "--calibration=h200-nvswitch",
            NO_NVLS,
            "--against",
            file.toString());
    assertTrue(
        unbroken(run).contains("not modelled: " + notModelled(file) + "\n"), run.out() + run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"chart", "report"})
  void picturesAndPagesHaveItOnStandardError(String command) throws IOException {
    Path file = other(TEXT);
    CliRun run =
        command.equals("chart")
            ? run("chart", file.toString(), "--machine", X4, NO_NVLS)
            : run("report", X4, NO_NVLS, "--measured", file.toString());
    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().startsWith("topo: " + caveat(file) + "\n"), run.err());
    if (command.equals("report")) {
      assertTrue(run.out().contains("comes from NCCL 2.18.5 and is compared"), "in the page");
    }
  }

  @Test
  void aRunOnOtherGpusBeginsWithItsRelease() throws IOException {
    Path file = other(TEXT);
    CliRun run = run("predict", X4, NO_NVLS, "--nodes=2", "--against", file.toString());
    assertEquals(3, run.status());
    assertTrue(run.err().startsWith("topo: " + caveat(file) + "\n"), run.err());
    assertTrue(run.err().contains("was measured on 4 GPUs, the job has 8"), run.err());
  }

  @Test
  void theNetworkSocketIsNamedWhereThereIsInfiniBand() throws IOException {
    String h100 = Path.of(System.getProperty("topo.root"), "topologies/dgx-h100.xml").toString();
    Path file = folder.resolve("eight.txt");
    StringBuilder text = new StringBuilder("# nThread 1 nGpus 8 minBytes 8\n# Using devices\n");
    for (int rank = 0; rank < 8; rank++) {
      text.append(
          "#  Rank  %d Group  0 Pid 1 on vm device %d [0x1b] NVIDIA H100\n".formatted(rank, rank));
    }
    text.append(
        "vm:1:1 [0] NCCL INFO Using network Socket\n# Collective test starting: all_reduce_perf\n");
    text.append(
        "  1073741824     268435456     float     sum      -1   4000.0  268.44  469.76       0   4000.0  268.44  469.76       0\n");
    Files.writeString(file, text);
    CliRun run = run("predict", h100, "--collective=all_reduce", "--against", file.toString());
    assertTrue(
        run.out().contains("not modelled: net-socket: " + file + ": NCCL used"),
        run.out() + run.err());
    assertTrue(run.err().contains("caveat: net-socket: " + file), run.err());
    Files.writeString(file, text.toString().replace("network Socket", "network IB"));
    run = run("predict", h100, "--collective=all_reduce", "--against", file.toString());
    assertFalse((run.out() + run.err()).contains("net-socket"), run.out() + run.err());
  }
}
