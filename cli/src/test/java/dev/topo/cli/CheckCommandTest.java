package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code topo check} says of runs, and how it ends. */
class CheckCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String H200 = "examples/h200-x4.xml";
  private static final String H200_RUN = "examples/h200-x4-all_gather.txt";
  private static final String DGX = "topologies/dgx-h100.xml --nodes 2";

  @TempDir private Path folder;

  private static CliRun check(String words) {
    List<String> all = new ArrayList<>(List.of("check"));
    for (String word : CliRun.words(words)) {
      boolean isFile = word.startsWith("examples/") || word.startsWith("topologies/");
      all.add(isFile ? ROOT.resolve(word).toString() : word);
    }
    return CliRun.of(all.toArray(String[]::new));
  }

  /** Each exit status of the command; {@code #} is a file that is written before. */
  @ParameterizedTest
  @CsvSource({
    "0, PASS, examples/healthy.txt " + DGX,
    "0, PASS, " + H200_RUN + " " + H200,
    "1, SLOW, examples/one-nic.txt " + DGX,
    "1, SLOW, " + H200_RUN + " " + H200 + " --at-least 400",
    "0, PASS, " + H200_RUN + " " + H200 + " --at-least 300",
    "0, PASS, " + H200_RUN + " " + H200 + " --at-least 85%",
    "1, SLOW, examples/one-nic.txt " + DGX + " --at-least 50%",
    "2, '', examples/healthy.txt",
    "2, '', " + H200_RUN + " " + H200 + " --at-least fast",
    "2, '', " + H200_RUN + " " + H200 + " --at-least 105%",
    "2, '', " + H200_RUN + " topologies/dgx-h100.xml --nodes 1:4",
    "3, '', examples/nothing.txt " + H200,
    "3, '', examples/memory.csv " + H200,
    "6, NOT JUDGED, examples/healthy.txt " + H200,
    "6, NOT JUDGED, " + H200_RUN + " topologies/v100-4-mesh.xml",
  })
  void everyStatusMeansOneThing(int status, String verdict, String words) {
    CliRun run = check(words);
    assertEquals(status, run.status(), run.out() + run.err());
    assertTrue(run.out().startsWith(verdict), run.out());
    assertEquals(verdict.isEmpty(), run.out().isEmpty(), run.out());
  }

  private String changed(String name, String from, String to) throws IOException {
    String text = Files.readString(ROOT.resolve(name));
    String other = text.replaceFirst(from, to);
    assertTrue(!other.equals(text), from);
    Path file = folder.resolve("changed-" + Path.of(name).getFileName());
    return Files.writeString(file, other).toString();
  }

  @Test
  void wrongResultsAreStatusFive() throws IOException {
    String wrong = changed(H200_RUN, "0(\\s+1254.37)", "5$1");
    CliRun run = check(wrong + " " + H200);
    assertEquals(5, run.status(), run.err());
    assertTrue(run.out().contains("1 of 12 results are wrong (#wrong)"), run.out());
  }

  @Test
  void aRunThatEndedEarlyIsNotJudgedUnlessItIsSlow() throws IOException {
    CliRun run = check(changed(H200_RUN, "(?s)# Out of bounds.*", "") + " " + H200);
    assertEquals(6, run.status(), run.err());
    assertTrue(run.out().contains("the run was cut off"), run.out());
    CliRun slow = check(changed("examples/one-nic.txt", "(?s)# Out of bounds.*", "") + " " + DGX);
    assertEquals(1, slow.status(), slow.out());
  }

  @Test
  void aTimeThatIsSlowByItselfDoesNotFailItsBand() throws IOException {
    CliRun run =
        check(
            changed(H200_RUN, "345.66(\\s+)388.30(\\s+)291.22", "3456.6$138.83$229.12")
                + " "
                + H200
                + " --format json");
    assertEquals(0, run.status(), run.out());
    JsonNode bands = JsonMapper.shared().readTree(run.out()).at("/runs/0/bands");
    assertTrue(bands.toString().contains("times fail by themselves"), bands.toString());
  }

  /** One line each, and the most urgent decides. */
  @Test
  void wrongComesBeforeSlowBeforeNotJudged() throws IOException {
    String hostile = Files.writeString(folder.resolve("a.txt"), "1 2 x\n<x>\u0000").toString();
    String runs = H200_RUN + " examples/healthy.txt " + hostile + " ";
    CliRun mixed = check(runs + H200);
    assertEquals(6, mixed.status(), mixed.out());
    assertEquals(
        List.of("NOT JUDGED: ", "PASS: "),
        mixed.out().lines().skip(2).map(line -> line.replaceFirst(": .*", ": ")).toList());
    assertTrue(mixed.out().startsWith("2 of 3 runs: NOT JUDGED: "), mixed.out());
    String slow =
        changed(H200_RUN, "(\\s+)1277.67(\\s+)420.20(\\s+)315.15", "$12555.3$2210.1$3157.6");
    String slowBoth =
        Files.writeString(
                folder.resolve("slow.txt"),
                Files.readString(Path.of(slow))
                    .replace("1254.37  428.00  321.00", "2508.7  214.00  160.50"))
            .toString();
    assertEquals(1, check(runs + slowBoth + " " + H200).status());
    String wrong = changed(H200_RUN, "0(\\s+1254.37)", "5$1");
    assertEquals(5, check(runs + slowBoth + " " + wrong + " " + H200).status());
  }

  /** The files of a folder are runs of their own; thousands of them take little memory. */
  @Test
  void aFolderIsManyRuns() throws IOException {
    Path runs = Files.createDirectories(folder.resolve("runs/node"));
    String text = Files.readString(ROOT.resolve(H200_RUN));
    for (int i = 0; i < 300; i++) {
      Files.writeString(runs.resolve("run%03d.txt".formatted(i)), text);
    }
    CliRun run = check(folder.resolve("runs") + " " + H200 + " --format csv");
    assertEquals(0, run.status(), run.err());
    assertEquals(1 + 300 * 5, run.out().lines().count());
  }

  @Test
  void theDocumentHasWhatIsPrinted() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/check.md"));
    String printed = check("examples/one-nic.txt " + DGX).out().replace(ROOT + "/", "");
    assertTrue(page.contains(printed.strip()), printed);
  }
}
