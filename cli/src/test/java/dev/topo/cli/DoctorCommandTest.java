package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.hw.fixture.ElfFile;
import dev.topo.hw.fixture.MachineFolder;
import dev.topo.hw.fixture.MachineText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code topo doctor} on a made machine, and on this one. */
class DoctorCommandTest {
  private static final Path EXPECTED =
      Path.of(System.getProperty("topo.root"), "src/test/resources/doctor");
  private static final String SITE = "/venv/lib/python3.12/site-packages";

  @TempDir private Path folder;

  /** A server with a system NCCL, a Python environment with a wheel, a plugin and a file. */
  @BeforeEach
  void make() {
    new MachineFolder(MachineText.expand("bare-metal-switched", folder))
        .elf("/lib64/ld-linux-x86-64.so.2", ElfFile.library("ld-linux-x86-64.so.2"))
        .elf("/usr/lib/x86_64-linux-gnu/libcuda.so.1", ElfFile.library("libcuda.so.1"))
        .elf("/usr/lib/x86_64-linux-gnu/libnccl.so.2.27.3", ElfFile.nccl("2.27.3+cuda12.9"))
        .link("/usr/lib/x86_64-linux-gnu/libnccl.so.2", "libnccl.so.2.27.3")
        .cached("/usr/lib/x86_64-linux-gnu/libnccl.so.2")
        .elf("/usr/lib/x86_64-linux-gnu/libnccl-net.so", net())
        .elf("/usr/bin/python3.12", ElfFile.program())
        .text("/venv/pyvenv.cfg", "home = /usr/bin\n")
        .link("/venv/bin/python3", "/usr/bin/python3.12")
        .text(
            SITE + "/torch/version.py",
            "__version__ = '2.9.0+cu130'\ncuda: Optional[str] = '13.0'\n")
        .elf(
            SITE + "/torch/lib/libtorch_cuda.so",
            ElfFile.library("libtorch_cuda.so")
                .runpath("$ORIGIN/../../nvidia/nccl/lib")
                .needs("libnccl.so.2")
                .expects("ncclAllReduce", "ncclCommWindowRegister"))
        .elf(
            SITE + "/nvidia/nccl/lib/libnccl.so.2",
            ElfFile.nccl("2.28.9+cuda13.0", "ncclCommWindowRegister"))
        .text(SITE + "/nvidia_nccl_cu13-2.28.9.dist-info/METADATA", "Version: 2.28.9\n")
        .elf("/app/run", ElfFile.program().needs("libnccl.so.2"))
        .text("/app/script", "#!/bin/sh\n")
        .text("/root/.nccl.conf", "NCCL_DEBUG=INFO\n")
        .text("/etc/nccl.conf", "NCCL_IB_HCA=mlx5_1,mlx5_2\nNCCL_DEBUG=WARN\n")
        .text("/proc/driver/nvidia/gpus/0000:1b:00.0/information", "Model: \t NVIDIA H100\n");
  }

  private static ElfFile net() {
    return ElfFile.library("libnccl-net.so").defines("ncclNetPlugin_v10");
  }

  private CliRun run(String... args) {
    String[] all = new String[args.length + 3];
    all[0] = "doctor";
    all[1] = "--root";
    all[2] = folder.toString();
    System.arraycopy(args, 0, all, 3, args.length);
    return CliRun.of(all);
  }

  /** What it prints is reviewed like code; {@code -Dgolden.update=true} accepts it. */
  @ParameterizedTest
  @CsvSource({"txt,--format text", "verbose.txt,--verbose", "json,--format json"})
  void printsWhatWasReviewed(String extension, String options) throws IOException {
    String words =
        "--python /venv --env LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu --env NCCL_IB_DISABEL=1 ";
    CliRun run = run((words + options).split(" "));
    String out = run.out().replace(folder.toString(), "/machine");
    Path file = EXPECTED.resolve("expected.self." + extension);
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, out);
    }
    assertEquals(Files.readString(file), out);
    assertEquals("", run.err());
    assertEquals(1, run.status());
  }

  @Test
  void withoutTheVariableAllIsWell() {
    CliRun run = run("--python", "/venv", "--verbose");
    assertEquals(0, run.status(), run.out());
    assertTrue(run.out().contains("2.28.9+cuda13.0  " + SITE + "/nvidia/nccl/lib"), run.out());
  }

  @Test
  void aWarningIsAnErrorOnlyIfThatIsWanted() {
    CliRun run = run("--python", "/venv", "--env", "NCCL_IB_DISABEL=1");
    assertTrue(run.out().contains("warning"), run.out());
    assertEquals(0, run.status());
    assertEquals(1, run("--python", "/venv", "--env", "NCCL_IB_DISABEL=1", "--strict").status());
  }

  @Test
  void whatTheDoctorIsAskedAboutIsBadInputIfItIsNotThere() {
    List<List<String>> questions =
        List.of(
            List.of("--program", "/app/none"),
            List.of("--program", "/app/script"),
            List.of("--python", "/app"),
            List.of("--python", "/none"));
    for (List<String> question : questions) {
      CliRun run = run(question.toArray(String[]::new));
      assertEquals(3, run.status(), run.err());
      assertEquals(1, run.err().lines().count(), run.err());
      assertTrue(run.err().startsWith("topo: " + question.get(1) + ": "), run.err());
      assertTrue(run.err().contains("expected"), run.err());
      assertEquals("", run.out());
    }
    assertEquals(3, CliRun.of("doctor", "--root", "/no/such/folder").status());
    assertEquals(2, run("--env", "=1").status());
  }

  @Test
  void theAnswerGoesToAFileIfThatIsWanted(@TempDir Path out) throws IOException {
    Path file = out.resolve("doctor.json");
    CliRun run = run("--program", "/app/run", "--format", "json", "-o", file.toString());
    assertEquals(0, run.status(), run.err());
    assertEquals("", run.out());
    assertTrue(Files.readString(file).contains("\"process\" : \"/app/run\""));
  }

  /** Programs depend on the codes. */
  @Test
  void everyFindingIsInTheDocuments() throws IOException {
    Path root = Path.of(System.getProperty("topo.root"));
    String page = Files.readString(root.resolve("docs/hardware.md"));
    List<String> rows = Files.readAllLines(root.resolve("docs/doctor-findings.csv"));
    Pattern finding = Pattern.compile("^finding ([a-z-]+) (\\w+) ", Pattern.MULTILINE);
    Path table = root.resolve("hw-probe/src/main/resources/dev/topo/hw/library/findings.txt");
    List<MatchResult> findings = finding.matcher(Files.readString(table)).results().toList();
    for (MatchResult found : findings) {
      String begin = found.group(1) + "," + found.group(2) + ",";
      assertEquals(1, rows.stream().filter(row -> row.startsWith(begin)).count(), begin);
      assertTrue(!begin.contains(",error,") || page.contains(found.group(1)), begin);
    }
    assertTrue(findings.size() > 20, "found only " + findings.size());
  }

  /** A GPU host without NCCL, then one without driver, then an image, which has no devices. */
  @Test
  void missingHardwareOrLibraryIsStatusFour() throws IOException {
    Path system = folder.resolve("usr/lib/x86_64-linux-gnu/libnccl.so.2");
    assertEquals(0, run("--program", "/app/run").status());
    Files.delete(system);
    assertEquals(4, run("--program", "/app/run").status());
    assertEquals(4, run().status());
    Path image = Files.createDirectory(folder.resolve("image"));
    new MachineFolder(image)
        .elf("/lib64/ld-linux-x86-64.so.2", ElfFile.library("ld-linux-x86-64.so.2"))
        .elf("/app/run", ElfFile.program().needs("libnccl.so.2"));
    String[] question = {"doctor", "--root", image.toString(), "--program", "/app/run"};
    assertEquals(4, CliRun.of(question).status());
    new MachineFolder(image)
        .elf("/usr/lib/x86_64-linux-gnu/libnccl.so.2", ElfFile.nccl("2.28.9+cuda13.0"));
    assertEquals(0, CliRun.of(question).status());
    Files.createDirectories(image.resolve("sys/class"));
    assertEquals(4, CliRun.of(question).status());
  }

  /** Also with an error: without these, nothing else decides whether NCCL runs. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "usr/lib/x86_64-linux-gnu/libnccl.so.2|0,1|no process finds libnccl.so.2; install NCCL",
        "sys/module/nvidia/version nvml.txt proc/driver|0|NVIDIA's kernel driver is not loaded; any",
        "sys/module/nvidia/version nvml.txt proc/driver usr/lib/x86_64-linux-gnu/libnccl.so.2"
            + "|0|NVIDIA's kernel driver is not loaded, and no process finds libnccl.so.2.",
        "app/script|-1|no GPU is there; any program would load NCCL 2.27.3+cuda12.9.",
        "usr/lib/x86_64-linux-gnu/libnccl.so.2|-1|no GPU is there, and no process finds",
      })
  void whatIsMissingEndsInFour(String removed, String visible, String expected) throws IOException {
    for (String path : removed.split(" ")) {
      remove(folder.resolve(path));
    }
    CliRun run = run("--env", "CUDA_VISIBLE_DEVICES=" + visible);
    assertTrue(run.out().startsWith("NCCL would not run here: " + expected), run.out());
    assertEquals(4, run.status(), run.out());
    assertEquals("", run.err());
    String graph = "NCCL_GRAPH_FILE=/none.xml";
    CliRun json =
        run(
            "--strict",
            "--env",
            graph,
            "--env",
            "CUDA_VISIBLE_DEVICES=" + visible,
            "--format=json");
    assertEquals(4, json.status(), json.out());
  }

  @Test
  void aProgramThatFindsNoNcclEndsInFour() throws IOException {
    remove(folder.resolve("usr/lib/x86_64-linux-gnu/libnccl.so.2"));
    CliRun run = run("--program", "/app/run");
    assertTrue(
        run.out().startsWith("NCCL would fail here: /app/run needs libnccl.so.2"), run.out());
    assertEquals(4, run.status(), run.out());
    assertEquals(1, run("--program", "/app/run", "--python", "/venv").status());
  }

  /** Its driver and devices are those of the host that will run it. */
  @Test
  void anImageWithNcclLacksNothing() throws IOException {
    for (String path : List.of("sys", "proc", "nvml.txt")) {
      remove(folder.resolve(path));
    }
    CliRun run = run("--program", "/app/run");
    assertTrue(
        run.out()
            .startsWith(
                "NCCL 2.27.3+cuda12.9 would be loaded here by /app/run, and nothing is wrong;"
                    + " driver and devices are not examined without /sys.\n"),
        run.out());
    assertEquals(0, run.status(), run.out());
    remove(folder.resolve("usr/lib/x86_64-linux-gnu/libnccl.so.2"));
    assertEquals(4, run().status());
  }

  private static void remove(Path path) throws IOException {
    try (Stream<Path> all = Files.walk(path)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    }
  }

  /** Whatever it has: the answer is the same, and the status is one of those documented. */
  @Test
  void thisMachineHasAnAnswerWithOrWithoutGpu() {
    Map<String, String> environment = Map.of("NCCL_SOCKET_IFNAME", "lo");
    CliRun run = CliRun.withEnvironment(environment, "doctor", "--verbose");
    assertTrue(List.of(0, 1, 4).contains(run.status()), run.err());
    assertFalse(run.err().contains("bug"), run.err());
    assertTrue(run.out().contains("\n\ndriver and CUDA\n"), run.out());
    assertTrue(run.out().contains("NCCL_SOCKET_IFNAME=lo"), run.out());
    assertEquals(run, CliRun.withEnvironment(environment, "doctor", "--verbose"));
  }
}
