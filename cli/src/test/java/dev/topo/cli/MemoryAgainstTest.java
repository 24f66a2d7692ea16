package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code topo memory --against}: predicted beside measured memory, and the chart of both. */
class MemoryAgainstTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path MEASURED = ROOT.resolve("src/test/resources/measured/memory");
  private static final String MACHINE = MEASURED.resolve("h100-x2.topo.xml").toString();

  @TempDir private Path folder;

  private static CliRun memory(String... args) {
    return CliRun.of(
        Stream.concat(Stream.of("memory", MACHINE, "--env", "NCCL_NVLS_ENABLE=0"), Stream.of(args))
            .toArray(String[]::new));
  }

  /** The rows of a case in a stored table. */
  private Path stored(String table, String name) throws IOException {
    List<String> lines = Files.readAllLines(MEASURED.resolve(table));
    List<String> kept = new ArrayList<>(List.of(lines.get(0)));
    lines.stream().filter(line -> line.startsWith(name + ",")).forEach(kept::add);
    return Files.write(folder.resolve("measured.csv"), kept);
  }

  @Test
  void equalMemoryIsSaidInTheFirstLine() throws IOException {
    CliRun run = memory("--against", stored("h100-x2.csv", "default").toString());
    assertEquals("", run.err());
    assertEquals(ExitStatus.DONE, run.status());
    assertEquals(
        "The prediction equals the measured memory of 20 steps of each of 2 ranks, on the GPU and in shared memory of the host.",
        run.out().lines().findFirst().orElseThrow());
    assertTrue(
        run.out().contains("  alltoall 256 MiB                442      442       0 "), run.out());
  }

  @Test
  void theLargestDifferenceIsInTheFirstLine() throws IOException {
    CliRun run = memory("--against", stored("h200-x2-run.csv", "default collectives").toString());
    assertEquals(ExitStatus.NO, run.status());
    assertEquals(
        "The prediction differs from the measured memory of 5 steps: on the GPU in 1, most in init (392 MiB predicted, 386 MiB"
            + " measured); in shared memory of the host in none.",
        run.out().lines().findFirst().orElseThrow());
    assertTrue(run.out().contains("392      386       +6 "), run.out());
  }

  /** 100 KiB beside a heading in KiB. */
  @Test
  void differencesOfTheHostAreInTheUnitOfTheirColumn() throws IOException {
    Path file = stored("h100-x2.csv", "default");
    Files.writeString(
        file, Files.readString(file).replaceAll("(?m)^(default,.*,init,.*),4096$", "$1,3996"));
    CliRun run = memory("--against", file.toString());
    assertEquals(ExitStatus.NO, run.status(), run.err());
    assertEquals(
        List.of("init", "392", "392", "0", "4096", "3996", "+100"),
        run.out()
            .lines()
            .map(line -> List.of(line.strip().split("\\s+")))
            .filter(cells -> cells.size() == 7 && cells.get(0).equals("init"))
            .findFirst()
            .orElseThrow(() -> new AssertionError(run.out())));
  }

  /** The output of {@code topo run --memory-steps}, with the figures of a stored run. */
  @Test
  void theOutputOfTheRunIsTheSameAsItsTable() throws IOException {
    Path csv = stored("h200-x2-run.csv", "default others");
    Path text =
        Files.writeString(
            folder.resolve("measured.txt"),
            """
            NCCL 2.28.9 took 1306 MiB of the GPU of rank 0 (NVIDIA H200) of 2 in these steps.

              step                   GPU MiB  host shared KiB  GPU bytes
              init                   386      4096             404750336
              sendrecv 1 MiB         632      8452             662700032
              reduce_scatter 16 MiB  288      0                301989888
              broadcast 64 MiB       0        0                0
              gather 8 MiB           0        0                0

            compare with: topo memory system.xml --gpus 0-1 --steps "init"
            """);
    for (String format : List.of("text", "csv")) {
      CliRun ofCsv = memory("--against", csv.toString(), "--format", format);
      CliRun ofText = memory("--against", text.toString(), "--format", format);
      assertEquals(ofCsv.out(), ofText.out());
      assertEquals(ExitStatus.NO, ofText.status(), ofText.err());
    }
  }

  @Test
  void jsonAndCsvHaveEveryStepOfEveryRank() throws IOException {
    Path file = stored("h100-x2.csv", "default");
    JsonNode against =
        JsonMapper.shared()
            .readTree(memory("--against", file.toString(), "--format", "json").out())
            .get("against");
    assertTrue(against.get("equal").asBoolean());
    List<String> rows =
        against
            .get("steps")
            .valueStream()
            .map(
                step ->
                    Stream.of(
                            "step",
                            "rank",
                            "gpuBytes",
                            "measuredGpuBytes",
                            "hostSharedBytes",
                            "measuredHostSharedBytes")
                        .map(name -> step.get(name).asString())
                        .collect(Collectors.joining(",", "", ",")))
            .toList();
    assertEquals(40, rows.size());
    assertEquals(
        rows,
        memory("--against", file.toString(), "--format", "csv").out().lines().skip(1).toList());
    assertEquals(
        Files.readAllLines(file).stream()
            .skip(1)
            .map(line -> line.split(","))
            .map(cells -> cells[5])
            .sorted()
            .toList(),
        rows.stream().map(row -> row.split(",")[3]).sorted().toList());
  }

  @Test
  void theChartHasBothBesideEachOther() throws IOException {
    Fonts.assumeThere();
    Path file = stored("h200-x2-run.csv", "default collectives");
    Path picture = folder.resolve("memory.svg");
    CliRun run = memory("--against", file.toString(), "-o", picture.toString());
    assertEquals("", run.err());
    assertEquals(ExitStatus.NO, run.status());
    String svg = Files.readString(picture);
    assertTrue(svg.contains("aria-label=\"The prediction differs from the measured memory"), svg);
    assertTrue(
        svg.contains(" init: 392 MiB predicted, 386 MiB measured; all_reduce 1 MiB: 474 MiB "),
        svg);
    for (String text : List.of("predicted", "measured", "392", "386", "474", "446")) {
      assertTrue(svg.contains(">" + text + "</text"), text);
    }
    assertEquals(
        svg, memory("--against", file.toString(), "--format", "svg").out(), "the same bytes");
  }

  @Test
  void theChartOfAPredictionHasOneBarForEachStep() {
    Fonts.assumeThere();
    CliRun run = memory("--steps", "init,all_reduce 256 MiB", "--format", "svg");
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    assertTrue(run.out().contains("aria-label=\"NCCL takes "), run.out());
    assertTrue(run.out().contains(">predicted</text"), run.out());
    assertTrue(!run.out().contains(">measured</text"), run.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "step,gpu_bytes\\ninit,1|--steps=init|--against: expected no --steps",
        "step,gpu_bytes\\ninit,1|--split=MOD 2|--against: expected no --steps",
        "step,gpu_bytes\\nstart,1||'start' is no step",
        "step,gpu_bytes\\ninit,some||gpu_bytes \"some\" is not a number",
        "step,rank,gpu_bytes\\ninit,7,1||has rank 7, the job has 2 ranks",
        "step,rank,gpu_bytes\\ninit,0,1\\nsplit,1,1||rank 1 has other steps than rank 0",
        "case,step,gpu_bytes\\na,init,1\\nb,init,1||a second case, 'b': expected the rows of one",
        "step,bytes\\ninit,1||the heading has no column gpu_bytes",
        "step,gpu_bytes||has no step: expected what topo run measures of memory, or CSV"
      })
  void wrongFilesAndOptionsHaveOneLine(String text, String option, String message)
      throws IOException {
    Path file = Files.writeString(folder.resolve("wrong.csv"), text.replace("\\n", "\n"));
    List<String> args = new ArrayList<>(List.of("--against", file.toString()));
    if (option != null) {
      args.add(option);
    }
    CliRun run = memory(args.toArray(String[]::new));
    assertTrue(run.status() >= 2, run.out());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void aPictureIsOfOneCommunicator() {
    CliRun run = memory("--split", "0;1", "--format", "svg");
    assertEquals(2, run.status(), run.out());
    assertTrue(run.err().contains("--format svg"), run.err());
  }
}
