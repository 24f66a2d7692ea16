package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How often {@code topo check} is right of runs of two H200: five rounds of each fault, and healthy
 * runs of six other hosts and days. Nothing is fitted to most of them (README of the folder).
 */
class CheckRatesTest {
  private static final Path MEASURED =
      Path.of(System.getProperty("topo.root"), "src/test/resources/measured");

  @TempDir private Path folder;

  /**
   * Writes the rows of a table as runs, a file for each.
   *
   * @param by the column whose values are the names of the runs
   * @param round a column of rounds; may be equal to {@code by}
   */
  private void write(String table, String by, String round) throws IOException {
    List<String> lines = Files.readAllLines(MEASURED.resolve(table));
    List<String> names = List.of(lines.get(0).split(","));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      Path file =
          folder.resolve(
              "%s@%s%s.csv"
                  .formatted(
                      cells[names.indexOf(by)],
                      cells[names.indexOf(round)],
                      Path.of(table).getFileName()));
      if (!Files.exists(file)) {
        Files.writeString(
            file,
            "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n");
      }
      Files.writeString(
          file,
          "2,%s,,,%s,%s,%s\n"
              .formatted(
                  cells[names.indexOf("collective")],
                  cells[names.indexOf("bytes")],
                  cells[names.indexOf("time_us")],
                  cells[names.indexOf("time_inplace_us")]),
          StandardOpenOption.APPEND);
    }
  }

  /** The number of runs by name and verdict. */
  private Map<String, Integer> verdicts(String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "check",
                folder.toString(),
                MEASURED.resolve("h200-x2.topo.xml").toString(),
                "--env=NCCL_NVLS_ENABLE=0",
                "--ranks-per-process=1",
                "--format=csv"));
    words.addAll(List.of(more));
    CliRun run = CliRun.of(words.toArray(String[]::new));
    Map<String, String> ofFile = new TreeMap<>();
    run.out()
        .lines()
        .skip(1)
        .map(line -> line.split(","))
        .forEach(cells -> ofFile.put(String.valueOf(Path.of(cells[0]).getFileName()), cells[1]));
    Map<String, Integer> counts = new TreeMap<>();
    ofFile.forEach(
        (file, verdict) -> counts.merge(file.split("@")[0] + " " + verdict, 1, Integer::sum));
    return counts;
  }

  /** {@code chunks} sets what collectives do not use: a healthy run. */
  @Test
  void everyFaultOfTwoH200IsSlowAndNoHealthyRunIs() throws IOException {
    write("h200-x2-faults.csv", "fault", "round");
    Map<String, Integer> expected = new TreeMap<>(Map.of("none PASS", 5, "chunks PASS", 5));
    for (String fault : List.of("buffers", "busy", "channels", "forced", "p2p", "threads")) {
      expected.put(fault + " SLOW", 5);
    }
    Map<String, Integer> found = verdicts();
    System.out.println("topo check of two H200: " + found);
    assertEquals(expected, found);
  }

  /**
   * Five healthy runs find a drift of 5 % in the five others and all faults, and accuse no healthy
   * run; the model's range is 15 % and more.
   */
  @Test
  void earlierRunsFindASmallDrift(@TempDir Path earlier) throws IOException {
    write("h200-x2-faults.csv", "fault", "round");
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (name.startsWith("none@")) {
          Files.move(file, earlier.resolve(name));
        } else if (name.startsWith("chunks@")) {
          Files.writeString(folder.resolve(name.replace("chunks", "drift")), slower(file, 1.05));
        }
      }
    }
    Map<String, Integer> expected = new TreeMap<>(Map.of("chunks PASS", 5, "drift SLOW", 5));
    for (String fault : List.of("buffers", "busy", "channels", "forced", "p2p", "threads")) {
      expected.put(fault + " SLOW", 5);
    }
    Map<String, Integer> found = verdicts("--baseline=" + earlier);
    System.out.println("topo check --baseline of two H200: " + found);
    assertEquals(expected, found);
  }

  private static String slower(Path run, double factor) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line : Files.readAllLines(run)) {
      String[] cells = line.split(",", -1);
      int last = cells.length - 1;
      text.append(
          text.isEmpty()
              ? line
              : "%s,%s,,,%s,%s,%s"
                  .formatted(
                      cells[0],
                      cells[1],
                      cells[last - 2],
                      Double.parseDouble(cells[last - 1]) * factor,
                      Double.parseDouble(cells[last]) * factor));
      text.append("\n");
    }
    return text.toString();
  }

  @Test
  void healthyRunsOfOtherHostsPass() throws IOException {
    for (String table : List.of("launches-known", "launches-known-2", "launches-unknown")) {
      write("h200-x2-processes/%s.csv".formatted(table), "way", "way");
    }
    write("h200-x2-processes/between-sizes.csv", "lever", "lever");
    write("h200-x2-processes/levers-2.csv", "lever", "lever");
    write("h200-x2-processes/levers-3.csv", "lever", "lever");
    Map<String, Integer> found = verdicts();
    System.out.println("topo check of two H200, by lever and way of launches: " + found);
    assertEquals(3, found.get("processes PASS"));
    assertEquals(3, found.get("default PASS"));
    assertEquals(1, found.get("default-b PASS"));
  }
}
