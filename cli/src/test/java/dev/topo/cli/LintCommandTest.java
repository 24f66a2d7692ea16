package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.inspect.lint.LintRule;
import dev.topo.model.fixture.DocumentTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code topo lint} says and how it ends. */
class LintCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path FILES = ROOT.resolve("src/test/resources/lint");

  @TempDir private Path folder;

  private static CliRun lint(String... words) {
    String[] args = new String[words.length + 1];
    args[0] = "lint";
    for (int i = 0; i < words.length; i++) {
      Path file = FILES.resolve(words[i]);
      args[i + 1] = Files.isRegularFile(file) ? file.toString() : words[i];
    }
    return CliRun.of(args);
  }

  private static JsonNode json(CliRun run) {
    return new JsonMapper().readTree(run.out());
  }

  @Test
  void strictFailsOnWarningsToo() {
    String file = FILES.resolve("flat-tree.xml").toString();
    assertEquals(0, lint(file).status());
    CliRun strict = lint(file, "--strict");
    assertEquals(1, strict.status(), strict.err());
    assertTrue(strict.out().endsWith(": 1 warning, 2 notes\n"), strict.out());
  }

  /** The kinds of bad files that real NCCL was seen to take, or to die of. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "truncated.xml | 1 | truncated | fails",
        "not-xml.xml | 1 | not-xml | fails",
        "not-a-number.xml | 1 | not-a-number | misreads",
        "version.xml | 1 | version | fails",
        "duplicate-gpu-dev.xml | 1 | duplicate-gpu-dev | misreads",
        "empty.xml | 1 | empty-file | ignores",
        "missing.xml | 3 | file-missing | ignores"
      })
  void badFilesAreFoundWithWhatNcclDoes(String file, int status, String rule, String outcome) {
    CliRun run = lint(FILES.resolve(file).toString(), "--format", "json");
    assertEquals(status, run.status(), run.err());
    JsonNode finding = json(run).get("findings").get(0);
    assertEquals(rule, finding.get("rule").asString());
    assertEquals(outcome, finding.get("outcome").asString());
    assertEquals("error", finding.get("severity").asString());
  }

  @Test
  void aBusIdOfNoGpuIsFoundBesideTheMachine() {
    CliRun run = lint("machine-no-such-gpu.xml", "--machine", "machine.xml");
    assertEquals(1, run.status(), run.err());
    assertTrue(run.out().contains("0000:14:00.0"), run.out());
    assertTrue(run.out().contains("[machine-no-such-gpu]"), run.out());
    assertEquals(0, lint("machine-no-such-gpu.xml").status());
  }

  @Test
  void textMarksThePlaceAndSaysWhatNcclDoes() {
    CliRun run = lint("version.xml");
    assertEquals(
        """
        1 error: line 1, <system>: version="9" expected 1; NCCL fails, with an internal error if it is missing, else with invalid usage (wrong version); fix: write version="1".

        version.xml:1:9: error: <system>: version="9" expected 1 [version]
          1 | <system version="9">
            |         ^^^^^^^^^^^
          NCCL fails, with an internal error if it is missing, else with invalid usage (wrong version)
          fix: write version="1"

        version.xml: 1 error
        """,
        run.out().replace(FILES + "/", ""));
    assertFalse(run.out().contains("\u001b"));
  }

  @Test
  void jsonHasWhatTheContractNames() {
    JsonNode finding = json(lint("link-speed.xml", "--format", "json")).get("findings").get(0);
    for (String key :
        List.of("rule", "severity", "file", "line", "column", "message", "nccl", "fix")) {
      assertTrue(finding.has(key), key);
    }
    assertEquals(3, finding.get("line").asInt());
    assertTrue(finding.get("safe").asBoolean());
  }

  @Test
  void sarifNamesRulesAndPlaces() {
    CliRun run = lint("version.xml", "link-speed.xml", "--format", "sarif");
    assertEquals(1, run.status());
    JsonNode sarif = json(run);
    assertEquals("2.1.0", sarif.get("version").asString());
    JsonNode result = sarif.get("runs").get(0).get("results").get(0);
    assertEquals("version", result.get("ruleId").asString());
    JsonNode rules = sarif.get("runs").get(0).get("tool").get("driver").get("rules");
    assertEquals("version", rules.get(result.get("ruleIndex").asInt()).get("id").asString());
    JsonNode region = result.get("locations").get(0).get("physicalLocation").get("region");
    assertEquals(1, region.get("startLine").asInt());
    assertEquals(9, region.get("startColumn").asInt());
  }

  @Test
  void annotationsAreOneLineEach() {
    CliRun run = lint("version.xml", "--format", "github");
    assertTrue(run.out().startsWith("::error file=" + FILES.resolve("version.xml")), run.out());
    assertTrue(run.out().contains(",line=1,col=9,endColumn=20,title=version::"), run.out());
    assertEquals(1, run.out().lines().count());
  }

  @Test
  void warningsAndNotesAreNoErrors() {
    assertEquals(0, lint("link-speed.xml").status());
    assertEquals(0, lint("numa-unknown.xml").status());
    assertEquals(0, lint("machine.xml").status());
  }

  @Test
  void fixMendsTheFileAndShowsTheChange() throws IOException {
    Path file = folder.resolve("tabs.xml");
    byte[] before = Files.readAllBytes(FILES.resolve("tab-between-elements.xml"));
    Files.write(file, before);
    CliRun shown = CliRun.of("lint", file.toString(), "--diff");
    assertTrue(
        shown
            .out()
            .contains("\n\n%s: would be fixed\n--- %s\n+++ %s\n@@ ".formatted(file, file, file)),
        shown.out());
    assertTrue(shown.out().contains("\n-\t<pci"), shown.out());
    assertEquals(1, shown.status(), "the file is as it was");
    assertTrue(shown.out().endsWith("1 error\n"), shown.out());
    assertEquals(new String(before, StandardCharsets.UTF_8), Files.readString(file));
    CliRun run = CliRun.of("lint", file.toString(), "--fix");
    assertEquals(0, run.status(), run.out());
    assertFalse(Files.readString(file).contains("\t"));
    assertTrue(run.out().contains("tabs.xml: nothing found"), run.out());
  }

  @Test
  void saysWhatAWrongFileCosts() {
    CliRun run = lint("link-speed.xml", "--machine", "machine.xml");
    assertTrue(
        run.out()
            .contains(
                "rings with this file: 12 x 30 GB/s over NVL on one node, 2 x 12 GB/s over PXN between nodes;"
                    + " with the machine's own topology: 12 x 30 GB/s over NVL on one node,"
                    + " 4 x 24 GB/s over PXN between nodes"),
        run.out());
    assertTrue(run.out().contains("with all fixes of --fix: "), run.out());
  }

  /** Real NCCL, told so, reached 64, 157 and 190 instead of 355 GB/s (docs/accuracy.md). */
  @ParameterizedTest
  @CsvSource({"pairs2s, 64", "chain, 157", "nvs6-amd, 190"})
  void predictsWhatADeclaredMachineCosts(String declared, int measured) {
    Path folderOfMeasured = ROOT.resolve("src/test/resources/measured");
    CliRun run =
        lint(
            folderOfMeasured.resolve("declared-" + declared + ".topo.xml").toString(),
            "--machine",
            folderOfMeasured.resolve("h200-x4.topo.xml").toString());
    Matcher busbw =
        Pattern.compile("calibration h200-nvswitch: (\\d+) instead of (\\d+) GB/s")
            .matcher(run.out());
    assertTrue(busbw.find(), run.out());
    assertEquals(measured, Integer.parseInt(busbw.group(1)), measured * 0.1);
    assertEquals(355, Integer.parseInt(busbw.group(2)), 355 * 0.1);
  }

  @Test
  void wrongUseIsSaidSo() {
    assertEquals(2, lint().status());
    assertEquals(2, lint("version.xml", "--format", "csv").status());
    assertEquals(2, lint("version.xml", "--machine", "machine.xml", "--here").status());
    assertEquals(3, lint("version.xml", "--machine", "truncated.xml").status());
    assertEquals(3, lint(FILES.toString()).status());
  }

  @Test
  void theTableOfTheRulesIsThatOfTheCommand() throws IOException {
    CliRun run = lint("--list-rules", "--format", "csv");
    DocumentTables.checkFile("docs/lint-rules.csv", run.out());
    assertTrue(run.out().lines().count() > LintRule.values().length, run.out());
  }

  @Test
  void coloursAreForTerminalsOnly() {
    CliRun run =
        CliRun.withEnvironment(
            Map.of("TERM", "xterm", "NO_COLOR", "1"),
            "lint",
            FILES.resolve("version.xml").toString());
    assertFalse(run.out().contains("\u001b"));
  }

  /**
   * Threads 1 to 14 of what users ask for ({@code docs/threads.md}): a file of the kind that the
   * thread speaks of, and the rule that names its trouble.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | no-gpu.xml | | no-gpu",
        "1 | machine-elsewhere.xml | machine.xml | machine-elsewhere",
        "3 | numa-unknown.xml | | numa-unknown",
        "3 | flat-tree.xml | | flat-tree",
        "4 | second-device.xml | | second-device",
        "4 | machine-net-missing.xml | machine.xml | machine-net-missing",
        "5 | flat-tree.xml | | flat-tree",
        "6 | machine-gdr-distance.xml | machine.xml | machine-gdr-distance",
        "7 | link-speed.xml | machine.xml | machine-link",
        "8 | missing-beside-nic.xml | | missing-beside-nic",
        "9 | machine-no-such-gpu.xml | machine.xml | machine-no-such-gpu",
        "10 | graph-no-such-gpu.xml | graph-machine.xml | graph-no-such-gpu",
        "10 | conf-graph-file.conf | | conf-graph-file",
        "11 | too-many-elements.xml | | too-many-elements",
        "11 | near-element-limit.xml | | near-element-limit",
        "12 | bus-id-form.xml | | bus-id-form",
        "13 | machine-net-missing.xml | machine.xml | machine-net-missing",
        "14 | machine.xml | | nothing found"
      })
  void threadsOfUsersAreAnswered(int thread, String file, String machine, String answer) {
    CliRun run =
        machine == null || machine.isEmpty() ? lint(file) : lint(file, "--machine", machine);
    assertTrue(
        run.out().contains("[" + answer + "]") || run.out().contains(": " + answer),
        () -> "thread " + thread + ": " + run.out());
  }

  @Test
  void aFileThatIsNoneOfNcclIsNotMended() throws IOException {
    Path foreign = folder.resolve("project.xml");
    String text =
        "<?xml version='1.0'?>\n<project>\n\t<name>x</name>\n\t<name>y</name>\n</project>\n";
    Files.writeString(foreign, text);
    CliRun run = CliRun.of("lint", foreign.toString(), "--fix");
    assertEquals(ExitStatus.NO, run.status());
    assertTrue(run.out().contains("<project>: is not <system> [wrong-root]"), run.out());
    assertEquals(text, Files.readString(foreign));
    assertFalse(run.out().contains("fixed"), run.out());
  }
}
