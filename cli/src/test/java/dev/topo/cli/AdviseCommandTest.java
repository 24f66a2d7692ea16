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

class AdviseCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String X2 =
      ROOT.resolve("src/test/resources/measured/h200-x2.topo.xml").toString();
  private static final String ALL = "--may=settings,tuner,code";

  @TempDir private Path folder;

  private static CliRun run(String machine, String... args) {
    List<String> words = new ArrayList<>(List.of("advise", machine, "--env=NCCL_NVLS_ENABLE=0"));
    words.addAll(List.of(args));
    return CliRun.of(words.toArray(String[]::new));
  }

  private static String topology(String name) {
    return ROOT.resolve("topologies").resolve(name).toString();
  }

  @Test
  void symmetricWindowsWithMoreBlocksAreBestForAllGather() {
    CliRun run = run(X2, ALL, "--collective=all_gather", "--sizes=4M");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("  nccl.conf: NCCL_MIN_CTAS=32\n"), run.out());
    assertTrue(run.out().contains("AllGather_ST"), run.out());
    assertTrue(
        run.out()
            .startsWith(
                "With NCCL_MIN_CTAS=32 and symmetric buffers on h200-x2.topo, AllGather of 4 MiB is 2.00 times as fast ("),
        run.out());
    assertTrue(
        run.out().contains("-n 40 -w 10 --env NCCL_MIN_CTAS=32 --env NCCL_NVLS_ENABLE=0 -R 2"));
  }

  @Test
  void withoutThePermissionTheProgramStaysAsItIs() {
    CliRun run = run(X2, "--format=csv");
    assertEquals(0, run.status(), run.err());
    assertFalse(run.out().contains("registered") || run.out().contains("symmetric"), run.out());
    assertTrue(run.out().lines().anyMatch(row -> row.endsWith(",channels+pair,")), run.out());
    assertFalse(run(X2, "--may=tuner", "--format=csv").out().contains("NCCL_MIN_CTAS"));
  }

  @Test
  void aSettingOfTheJobIsLeftAsItIs() {
    CliRun run = run(X2, ALL, "--env=NCCL_MIN_CTAS=24", "--format=csv");
    assertEquals(0, run.status(), run.err());
    assertFalse(run.out().contains("NCCL_MIN_CTAS=32"), run.out());
  }

  @Test
  void theFileOfTheTunerPluginHasTheAdvisedPairs() throws IOException {
    CliRun run = run(X2, "--format=tuner");
    assertEquals(0, run.status(), run.err());
    assertTrue(
        run.out().lines().anyMatch(rule -> rule.matches("allgather,\\d+,\\d+,ring,ll128,.*")),
        run.out());
    Path file = folder.resolve("tuner.csv");
    assertEquals(0, run(X2, "--may=tuner", "-o", file.toString()).status());
    assertTrue(Files.readString(file).startsWith("# collective_type,"), "rules of the plugin");
    CliRun none = run(X2, ALL, "--format=tuner", "--collective=alltoall");
    assertEquals(1, none.status());
    assertTrue(none.err().contains("nothing for a tuner plugin"), none.err());
    Path absent = folder.resolve("absent.csv");
    none = run(topology("dgx-h100.xml"), "--may=tuner", "-o", absent.toString());
    assertEquals(1, none.status());
    assertTrue(none.err().contains("; worth measuring first: "), none.err());
    assertFalse(Files.exists(absent), "a file without a rule");
  }

  /** Threads, buffer and chunk sizes are shown with what they did, and never advised. */
  @Test
  void settingsThatAreNotPredictedAreNotAdvised() {
    CliRun run = run(X2, ALL, "-v");
    int measured = run.out().indexOf("not predicted and not advised");
    assertTrue(measured > 0 && run.out().indexOf("NCCL_NTHREADS") > measured, run.out());
  }

  @ParameterizedTest
  @CsvSource({"dgx-h100.xml", "dgx-a100.xml", "hgx-b200.xml"})
  void otherMachinesAreMarkedAndGetCommandsThatMeasure(String machine) {
    CliRun run = run(topology(machine), ALL, "--sizes=16M");
    assertTrue(
        run.out().contains("\nnot modelled: gains were measured on 2 H200 (sm 90, NVSwitch) only"));
    assertTrue(run.out().contains(ALL + " --sizes=16M --try\n"), run.out());
    CliRun each = run(topology(machine), ALL, "--sizes=16M", "-v");
    assertTrue(each.out().contains("topo run all_reduce -t 8 -b 1M -e 1G -f 4"), each.out());
  }

  @ParameterizedTest
  @CsvSource({
    "dgx-h100.xml, --nodes=2, between nodes no gain of a setting was compared with a measurement",
    "dgx-1v.xml, --nodes=1, without a calibration nothing is advised"
  })
  void whereNothingIsKnownNothingIsAdvised(String machine, String nodes, String why) {
    CliRun run = run(topology(machine), ALL, nodes, "--sizes=64M");
    assertEquals(1, run.status(), run.err());
    assertTrue(run.out().contains(why), run.out());
    assertTrue(run.out().startsWith("Nothing is known to be faster on "), run.out());
    assertFalse(run.out().contains("faster by"), run.out());
  }

  /** Gains were measured with one release and a process for each GPU. */
  @ParameterizedTest
  @CsvSource({"--nccl=2.21.5", "--nccl=2.30.7", "--ranks-per-process=2", "--cuda-graph"})
  void whatWasNotMeasuredIsMarked(String option) {
    CliRun run = run(X2, ALL, option, "--sizes=4M");
    assertTrue(
        run.out().contains("modelled: gains were measured on 2 H200"), run.out() + run.err());
    assertFalse(run(X2, ALL, "--sizes=4M").out().contains("modelled: gains were measured"));
  }

  @Test
  void wrongUseIsAnsweredInOneLine() {
    CliRun run = run(X2, "--may=hope");
    assertEquals(2, run.status());
    assertTrue(run.err().contains("--may hope: expected one of settings, tuner, graph, code"));
    run = run(X2, "--format=xml");
    assertEquals(2, run.status());
    assertTrue(run.err().contains("--format xml: expected graph among --may"), run.err());
    run = run(X2, "--gpus=0");
    assertEquals(1, run.status(), run.err());
  }
}
