package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --buffers} of tune and explain. */
class BuffersOptionTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  /** A command about a machine, in words. */
  private static CliRun run(String line) {
    List<String> args = new ArrayList<>(Arrays.asList(line.split(" ", -1)));
    args.add(1, ROOT.resolve("topologies/dgx-h100.xml").toString());
    return CliRun.of(args.toArray(String[]::new));
  }

  private static String ok(String line) {
    CliRun run = run(line);
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  @Test
  void aTableForEachKindNamesWhatRunsTheCalls() {
    String text = ok("tune --buffers plain,registered,symmetric --collective all_reduce");
    assertTrue(text.contains("2 MiB to 8 GiB:  NVLS/Simple,  16 channels,"), text);
    assertTrue(text.contains("2 MiB to 8 GiB:  NVLS/Simple,  4 channels,"), text);
    assertTrue(text.contains(", registered: nvls"), text);
    assertTrue(text.contains("32 KiB to 8 GiB:  AllReduce_RSxLDMC_AGxSTMC,"), text);
  }

  @Test
  void csvHasThePathAfterTheChoice() {
    String csv = ok("tune --buffers registered,symmetric --sizes 8,64M --format csv");
    List<String> lines = csv.lines().toList();
    assertEquals(1 + 2 * 5 * 2, lines.size());
    assertEquals(
        "collective,bytes,algorithm,protocol,channels,threads,time_us,buffers,path,kernel,blocks,registered,launched_channels,caveats",
        lines.get(0));
    assertTrue(
        csv.contains(
            "all_gather,67108864,Ring,Simple,16,544,195.31181,registered,algorithm,,,p2p,16,\n"),
        csv);
    assertTrue(csv.contains("reduce_scatter,8,,,,,,symmetric,none,,,,,\n"), csv);
    assertTrue(
        csv.contains(
            "all_reduce,8,,,1,512,4.9713974,symmetric,symmetric kernel,AllReduce_AGxLLMC_R,2,,1,\n"),
        csv);
  }

  @Test
  void theOutputWithoutTheOptionIsAsBefore() {
    String csv = ok("tune --sizes 64M --format csv --collective all_gather");
    assertTrue(
        csv.startsWith(
            "collective,bytes,algorithm,protocol,channels,threads,time_us,launched_channels,caveats\n"),
        csv);
  }

  @Test
  void theCopyEngineTakesNoChannels() {
    String text = ok("tune --buffers symmetric --sizes 1M --env NCCL_CTA_POLICY=2");
    assertTrue(
        text.replaceAll(" +", " ")
            .contains("copy engine, no channels, driver of CUDA 12.5 or newer"),
        text);
    assertTrue(text.contains("AllReduce_RSxLDMC_AGxSTMC"), text);
    assertFalse(text.contains("not modelled"), text);
  }

  @Test
  void from231OnTheCopiesAreEstimated() {
    String call =
        "tune --buffers symmetric --sizes 1M,512M --collective all_gather --nccl 2.31.2"
            + " --env NCCL_CTA_POLICY=2";
    String text = ok(call);
    assertTrue(
        text.contains(
            "1 MiB:    copy engine,  no channels,  driver of CUDA 12.5 or newer,  multicast, 23.4 us"),
        text);
    assertTrue(text.contains("12.5 or newer,  unicast, 1.23 ms"), text);
    assertTrue(
        ok(call + " --format csv").contains("all_gather,1048576,,,,,23.382938,"),
        ok(call + " --format csv"));
  }

  @Test
  void from231OnCopiesInPlaceAndInCudaGraphsAreEstimated() {
    String call =
        " --buffers symmetric --sizes 512M --collective all_gather --nccl 2.31.2"
            + " --env NCCL_CTA_POLICY=2";
    assertTrue(ok("tune" + call).contains("unicast, 1.23 ms, in a CUDA graph unicast, 1.26 ms"));
    assertTrue(
        ok("explain --about choice" + call)
            .replaceAll("\\s+", " ")
            .contains("(in place by unicast, 1231.5 us; in a CUDA graph by unicast, 1257.6 us)"));
    String json = ok("tune --format json" + call).replaceAll("\\s+", "");
    assertTrue(json.contains("{\"call\":\"CUDAgraph\",\"by\":\"unicast\",\"timeUs\":1257.6"), json);
    assertFalse(ok("tune --format json" + call.replace("2.31.2", "2.30.7")).contains("copies"));
  }

  @ParameterizedTest
  @CsvSource({
    "tune --buffers symmetric, 2.32.3, 1",
    "tune --buffers symmetric --format json, 2.32.3, 1",
    "tune --buffers plain, 2.32.3, 0",
    "tune --buffers symmetric, 2.31.2, 0",
    "explain --about choice --buffers symmetric, 2.32.3, 1",
    "explain --about choice --buffers symmetric --format json, 2.32.3, 1",
    "explain --about choice, 2.32.3, 0",
    "predict --buffers symmetric, 2.32.3, 1",
    "predict --buffers symmetric --format json, 2.32.3, 1",
    "predict, 2.32.3, 0"
  })
  void kernelsOfAReleaseThatWasNotReadInFullHaveACaveat(
      String command, String version, int caveats) {
    String text = ok(command + " --sizes 1M --collective all_gather --nccl " + version);
    assertEquals(caveats, text.split("window-rules", -1).length - 1, text);
  }

  /** For plain buffers these settings are not modelled in other commands. */
  @Test
  void settingsThatThePathFollowsAreNoCaveats() {
    assertTrue(ok("tune --sizes 1M --env NCCL_CTA_POLICY=2").contains("not modelled: setting: "));
    String text =
        ok("tune --buffers plain --sizes 1M --env NCCL_SYM_CTAS=4 --env NCCL_CUMEM_ENABLE=0");
    assertFalse(text.contains("not modelled"), text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tune --buffers window: expected one of plain, registered, symmetric",
        "tune --buffers registered --nccl 2.32.3: what NCCL 2.32.3 runs on them is not known",
        "tune --buffers registered --nccl 2.26.2: what NCCL 2.26.2 runs on them is not known",
        "tune --buffers symmetric --nccl 2.26.2: NCCL 2.26.2 has no symmetric windows, 2.27 is the first",
        "tune --buffers symmetric --format tuner: has no effect on rules for NCCL's tuner plugin",
        "explain --buffers registered --nccl 2.29.3: what NCCL 2.29.3 runs on them is not known"
      })
  void otherKindsAndReleasesAreRefused(String refused) {
    String[] parts = refused.split(": ", 2);
    CliRun run = run(parts[0]);
    assertEquals(2, run.status());
    assertTrue(run.err().contains("--buffers"), run.err());
    assertTrue(run.err().contains(parts[1]), run.err());
    assertEquals("", run.out());
  }

  @Test
  void explainNamesTheSettingsThatChangeThePath() {
    String text =
        ok(
            "explain --buffers registered,symmetric --about choice --sizes 64M --collective all_gather"
                + " --env NCCL_WIN_ENABLE=0");
    assertTrue(text.contains("path of AllGather of 64 MiB with registered buffers\n"), text);
    assertTrue(
        text.contains("NCCL runs it by Ring with Simple, on 16 channels of 544 threads."), text);
    assertTrue(text.contains("NCCL_CTA_POLICY=1 takes NVLS on 4 channels."), text);
    assertTrue(
        text.contains("NCCL_WIN_ENABLE=0 allows no windows (NCCL_WIN_ENABLE=1 changes that)"),
        text);
  }

  @Test
  void explainListsTheKernelsWithTheirTimes() {
    String text = ok("explain --buffers symmetric --about choice --sizes 1M");
    String unbroken = text.replaceAll("\n {4,}", " ");
    assertTrue(
        unbroken.contains(
            "NCCL runs it by the symmetric kernel AllReduce_RSxLDMC_AGxSTMC, on 1 channel"),
        text);
    assertTrue(unbroken.contains("; NCCL_SYM_KERNEL=AllReduce_RSxLD_AGxST forces it "), text);
    assertTrue(
        unbroken.contains("the copy engine cannot run AllReduce: it does not reduce."), text);
  }
}
