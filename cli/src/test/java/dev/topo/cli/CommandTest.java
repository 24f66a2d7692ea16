package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.simulator.network.NetworkKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the command is called, what it says when it is called wrongly, and its exit statuses. */
class CommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String DGX_1V = ROOT.resolve("topologies/dgx-1v.xml").toString();
  private static final String DGX_H100 = ROOT.resolve("topologies/dgx-h100.xml").toString();

  @TempDir private Path folder;

  private static void assertUsage(String message, String... args) {
    CliRun run = CliRun.of(args);
    assertEquals(2, run.status(), run.err());
    assertEquals("", run.out());
    assertTrue(run.err().startsWith("topo: "), run.err());
    assertTrue(run.err().contains(message), () -> "'" + message + "' is missing in " + run.err());
    assertFalse(run.err().contains("Exception"), run.err());
  }

  @Test
  void anAnswerEndsInStatusZeroWithNothingOnStderr() {
    for (String command : List.of("show", "paths", "search")) {
      CliRun run = CliRun.of(command, DGX_H100);
      assertEquals(0, run.status(), run.err());
      assertEquals("", run.err());
      assertTrue(run.out().contains("dgx-h100: 8 GPUs (sm 90), NVSwitch, 8 ports"), run.out());
      assertTrue(run.out().endsWith("\n"));
    }
  }

  @Test
  void badInputEndsInStatusThree() {
    CliRun run = CliRun.of("paths", folder.resolve("none.xml").toString());
    assertEquals(3, run.status());
    assertEquals("", run.out());
  }

  @Test
  void helpIsDataAndHasAnExampleForEachCommand() {
    for (String command : List.of("show", "paths", "search")) {
      CliRun run = CliRun.of(command, "--help");
      assertEquals(0, run.status());
      assertEquals("", run.err());
      assertTrue(run.out().contains("Example: topo " + command + " topologies/"), run.out());
      assertTrue(run.out().lines().allMatch(line -> line.length() <= 120), run.out());
    }
    CliRun top = CliRun.of("--help");
    assertEquals(0, top.status());
    assertTrue(top.out().contains("Example: topo "), top.out());
    assertTrue(top.out().contains("Exit status: 0 done; 1"), top.out());
    for (String command : List.of("show", "paths", "search")) {
      assertTrue(top.out().contains("  " + command), top.out());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"show", "paths", "search"})
  void theExampleInTheHelpRuns(String command) {
    String example =
        CliRun.of(command, "--help")
            .out()
            .lines()
            .filter(line -> line.startsWith("Example: topo "))
            .findFirst()
            .orElseThrow()
            .substring("Example: topo ".length());
    String[] words = example.split(" ");
    for (int i = 0; i < words.length; i++) {
      words[i] = words[i].endsWith(".xml") ? ROOT.resolve(words[i]).toString() : words[i];
    }
    CliRun run = CliRun.of(words);
    assertEquals(0, run.status(), run.err());
    assertEquals("", run.err());
  }

  @Test
  void versionNamesTheRulesOfNccl() {
    CliRun run = CliRun.of("--version");
    assertEquals(0, run.status());
    assertTrue(run.out().contains("2.28.9"), run.out());
  }

  @Test
  void withoutCommandOrFileItSaysWhatIsMissing() {
    assertUsage("Missing command");
    assertUsage("FILE", "search");
  }

  @ParameterizedTest
  @CsvSource({"serach, search", "sho, show", "path, paths"})
  void aMisspelledCommandComesWithASuggestion(String wrong, String right) {
    CliRun run = CliRun.of(wrong, DGX_H100);
    assertEquals(2, run.status());
    assertTrue(run.err().contains(wrong), run.err());
    assertTrue(run.err().contains(right), run.err());
    assertEquals("", run.out());
  }

  @Test
  void aMisspelledOptionComesWithASuggestion() {
    CliRun run = CliRun.of("search", DGX_H100, "--nodse", "2");
    assertEquals(2, run.status());
    assertTrue(run.err().contains("--nodes"), run.err());
  }

  @Test
  void aMisspelledSettingComesWithASuggestion() {
    assertUsage(
        "setting 'NCCL_NVLS_ENABEL' is not one of NCCL 2.28.9; did you mean NCCL_NVLS_ENABLE?",
        "search",
        DGX_H100,
        "--env",
        "NCCL_NVLS_ENABEL=0");
  }

  @Test
  void valuesThatDoNotFitAreUsageErrors() {
    assertUsage(
        "NCCL_CROSS_NIC=x: expected 0 never", "search", DGX_H100, "--env", "NCCL_CROSS_NIC=x");
    assertUsage("expected NAME=VALUE", "search", DGX_H100, "--env", "NCCL_CROSS_NIC");
    assertUsage("--format", "search", DGX_H100, "--format", "yaml");
    assertUsage("--format", "show", DGX_H100, "--format", "xml");
    assertUsage("--nodes", "search", DGX_H100, "--nodes", "two");
    assertUsage("expected 2.19.3 or newer", "search", DGX_H100, "--nccl", "2.18.5");
    assertUsage("expected a version as 2.27.7", "search", DGX_H100, "--nccl", "latest");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1"})
  void aJobHasAtLeastOneNode(String nodes) {
    assertUsage("--nodes", "search", DGX_H100, "--nodes", nodes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.28.9", "v2.28.9", "2.28.9-1"})
  void theVersionWhoseRulesAreKnownCanBeNamed(String version) {
    assertEquals(0, CliRun.of("show", DGX_H100, "--nccl", version).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "search ", "diff ", "whatif "})
  void anyCommandListsTheVersions(String command) {
    CliRun run = CliRun.of((command + "--nccl list").split(" "));
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().startsWith("rules   releases\n2.19.3  2.19.3, 2.19.4\n"), run.out());
    assertTrue(run.out().contains("2.28.9  2.28.9 (default)\n"), run.out());
    assertTrue(run.out().contains("2.30.3  2.30.3, 2.30.4\n"), run.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "predict ", "calibrate "})
  void anyCommandListsTheNetworks(String command) {
    CliRun run = CliRun.of((command + "--network list").split(" "));
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().startsWith("network    for"), run.out());
    for (NetworkKind kind : NetworkKind.values()) {
      assertTrue(run.out().contains("\n" + kind.label() + " rests on: "), run.out());
    }
    assertTrue(run.out().contains("efa: ranges for all_gather, all_reduce, alltoall, up to 32"));
  }

  @Test
  void aSettingThatTheVersionDoesNotHaveIsNamed() {
    CliRun run = CliRun.of("search", DGX_H100, "--nccl=2.21.5", "--env=NCCL_PAT_ENABLE=1");
    assertEquals(
        "topo: note: NCCL_PAT_ENABLE ignored: NCCL 2.21.5 has no such setting, it came with 2.23.4\n",
        run.err());
  }

  @Test
  void theSameQuestionHasTheSameBytesForAnswer() {
    for (String format : List.of("text", "xml", "json")) {
      String[] args = {"search", DGX_1V, "--nodes", "2", "--format", format};
      assertEquals(CliRun.of(args), CliRun.of(args));
    }
    assertEquals(
        CliRun.of("paths", DGX_1V, "--format", "tsv"),
        CliRun.of("paths", DGX_1V, "--format", "tsv"));
  }

  /** What a call cannot mean is said before any work, with the value and what was expected. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "connect H --rank 99 | --rank 99: expected a number from 0 to 7",
        "predict H --sizes 8:4 | --sizes 8:4: expected the smaller size first",
        "predict H --tolerance 5 | --tolerance needs --against FILE",
        "explain H --why-not crossNic=5 | --why-not crossNic=5: expected a number from 0 to 2",
        "explain H --why-not channels=0 | expected a number from 1 to 64",
        "explain H --why-not channels=many | expected a number from 1 to 64",
        "explain H --why-not algorithm=ring,channels=3 | expected algorithm=NAME, protocol=NAME",
        "explain H --why-not algorithm=ring,bogus=1 | expected algorithm=NAME, protocol=NAME",
        "explain H --why-not ring=0,x | 'x' is no device number",
        "upgrade H --nccl 2.27.5 | --nccl: expected both releases, as in --nccl 2.27.5,2.28.9",
        "tune H --format tuner --force all_reduce:1M:2M:ring:simple:x | expected COLLECTIVE:MIN:MAX:ALGORITHM",
        "explain H --why-not algorithm=foo | expected one of Tree, Ring, CollNetDirect",
        "search H --env NCCL_ALGO=foo | setting NCCL_ALGO=foo: element 'foo', expected",
        "search H H --out-dir D | dgx-h100.xml is given twice",
        "whatif H '' | edit 1 is empty, expected one as in",
        "whatif H 'remove gpu:0' --edited-nodes 7 --nodes 2 | --edited-nodes 7: expected 1 to 2",
        "whatif H 'remove gpu:0' --top 3 | need --all-placements",
        "whatif H --all-placements --top 0 | --top 0: expected 1 or more",
        "whatif --foo | Unknown option: '--foo'",
        "lint --list-rules H | --list-rules takes no FILE",
        "diff H H H | expected two files, or a folder with several: got only",
        "verify -f 1 | expected a step or a factor above 1",
        "verify -b 1G -e 8 | expected the first not above the last",
        "verify -o D/none/x.json | cannot write",
        "run all_reduce -J D/none/x.json | cannot write",
        "calibrate none.csv -o D | is a directory, expected a file to write",
        "draw H --format png -o D/x.svg | ends in .svg, expected .png",
        "chart none.csv -o D/x.html | ends in .html, expected .svg or .png",
        "foo | there is no command 'foo'",
      })
  void whatACallCannotMeanIsSaid(String call, String message) {
    List<String> words = new ArrayList<>();
    for (String bare : CliRun.words(call)) {
      words.add(
          bare.equals("H")
              ? DGX_H100
              : bare.startsWith("topologies/")
                  ? ROOT.resolve(bare).toString()
                  : bare.replaceFirst("^D(?=/|$)", folder.toString()));
    }
    assertUsage(message, words.toArray(String[]::new));
  }

  @Test
  void eachCommandTellsItsVersion() {
    CliRun run = CliRun.of("search", "--version");
    assertEquals(0, run.status());
    assertEquals(CliRun.of("--version").out(), run.out());
  }

  @Test
  void settingsOfTheProcessCountOnlyWhenAskedFor() {
    Map<String, String> environment =
        Map.of("NCCL_NVLS_ENABLE", "0", "NCCL_NO_SUCH", "1", "PATH", "/bin");
    CliRun without = CliRun.withEnvironment(environment, "search", DGX_H100);
    assertEquals(CliRun.of("search", DGX_H100), without);
    CliRun with = CliRun.withEnvironment(environment, "search", DGX_H100, "--env-from-process");
    assertEquals(0, with.status());
    assertEquals(CliRun.of("search", DGX_H100, "--env", "NCCL_NVLS_ENABLE=0").out(), with.out());
    assertNotEquals(without.out(), with.out());
    assertEquals("topo: note: NCCL_NO_SUCH is not a setting of NCCL 2.28.9, ignored\n", with.err());
  }

  @Test
  void settingsOnTheCommandLineWinOverThoseOfTheProcess() {
    CliRun run =
        CliRun.withEnvironment(
            Map.of("NCCL_NVLS_ENABLE", "0"),
            "search",
            DGX_H100,
            "--env-from-process",
            "--env",
            "NCCL_NVLS_ENABLE=2");
    assertEquals(CliRun.of("search", DGX_H100).out(), run.out());
  }

  @Test
  void settingsWithoutInfluenceAreNoted() {
    CliRun run = CliRun.of("search", DGX_H100, "--env", "NCCL_DEBUG=INFO");
    assertEquals(0, run.status());
    assertEquals("topo: note: NCCL_DEBUG ignored: no effect on what topo models\n", run.err());
    assertEquals(CliRun.of("search", DGX_H100).out(), run.out());
  }

  @Test
  void someGpusOfAMachineCanBeChosen() {
    CliRun run = CliRun.of("search", DGX_H100, "--gpus", "0,3,5");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("\ndgx-h100: 3 GPUs"), run.out());
    assertEquals(run, CliRun.of("search", DGX_H100, "--gpus", "5,0", "--gpus", "3"));
    CliRun ranges = CliRun.of("search", DGX_H100, "--gpus", "0-2,6,4-4");
    assertEquals(CliRun.of("search", DGX_H100, "--gpus", "0,1,2,4,6"), ranges);
    assertTrue(ranges.out().contains("\ndgx-h100: 5 GPUs"), ranges.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3-0 | '3-0': expected the smaller number first",
        "0- | '0-': expected a device number or a range of them, as in 0-3,6",
        "-3 | '-3': expected a device number or a range",
        "0,x | 'x': expected a device number or a range",
        "'0,,1' | '': expected a device number or a range",
        "0-99999 | '0-99999': expected a device number or a range",
      })
  void aBadRangeOfGpusIsSaidOnce(String gpus, String message) {
    for (String command : List.of("search", "predict", "whatif", "report", "draw")) {
      CliRun run = CliRun.of(command, DGX_H100, "--gpus=" + gpus);
      assertEquals(2, run.status(), run.err());
      assertTrue(run.err().startsWith("topo: Invalid value for option '--gpus'"), run.err());
      assertTrue(run.err().contains(message), run.err());
      assertEquals(2, run.err().lines().count(), run.err());
    }
  }

  @Test
  void gpusThatAreNotThereAreBadInputAndWhatIsNoNumberIsUsage() {
    CliRun absent = CliRun.of("search", DGX_H100, "--gpus", "0,8");
    assertEquals(3, absent.status());
    assertTrue(
        absent.err().contains("no gpu has dev=\"8\", expected one of [0, 1, 2, 3, 4, 5, 6, 7]"),
        absent.err());
    CliRun range = CliRun.of("search", DGX_H100, "--gpus", "6-9");
    assertEquals(3, range.status());
    assertTrue(range.err().contains("no gpu has dev=\"8\", expected one of"), range.err());
    assertUsage("--gpus", "search", DGX_H100, "--gpus", "");
  }

  @Test
  void strictMakesWarningsErrorsAndVerboseShowsNotes() throws IOException {
    String text = Files.readString(Path.of(DGX_H100)).replaceFirst("<gpu ", "<gpu colour=\"x\" ");
    String file = Files.writeString(folder.resolve("noted.xml"), text).toString();
    assertEquals("", CliRun.of("show", file, "--strict").err());
    CliRun verbose = CliRun.of("show", file, "--verbose");
    assertTrue(
        verbose.err().startsWith("topo: note: " + file + ":")
            && verbose.err().contains("attribute colour means nothing to NCCL"),
        verbose.err());
  }

  @Test
  void debugShowsTheTraceOfAnErrorAndOtherwiseNone() {
    String[] args = {"search", DGX_H100, "--env", "NCCL_NO_SUCH=1"};
    assertEquals(1, CliRun.of(args).err().lines().count());
    CliRun debug = CliRun.of("search", DGX_H100, "--env", "NCCL_NO_SUCH=1", "--debug");
    assertTrue(debug.err().contains("\tat dev.topo."), debug.err());
    assertEquals(2, debug.status());
  }
}
