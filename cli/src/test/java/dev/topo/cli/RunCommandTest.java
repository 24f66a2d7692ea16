package dev.topo.cli;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.hw.run.MemoryPlan;
import dev.topo.hw.run.RunCollective;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class RunCommandTest {
  /** No machine has a GPU here. */
  private static final Map<String, String> NO_GPU = Map.of("CUDA_VISIBLE_DEVICES", "");

  private static final String TRACE =
      System.getProperty("topo.root")
          + "/src/test/resources/measured/h200-x2-workloads/pp.rank0.json.gz";

  @Test
  void withoutAGpuOneLineSaysSo() {
    CliRun run =
        CliRun.withEnvironment(NO_GPU, "run", "all_reduce", "-b", "8", "-e", "1K", "-f", "2");
    assertEquals(4, run.status(), run.err());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(
        run.err().matches("topo: (CUDA cannot be loaded|NCCL cannot be loaded|no GPU): .*\n"),
        run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "run --launch-time -q|4",
        "run --memory-steps init -q|4",
        "run --workload TRACE -q|4",
        "run --workload TRACE -q --format json|2",
        "run all_reduce -q|2"
      })
  void whatHasASentenceIsAskedForItAlone(String call, int status) {
    CliRun run =
        CliRun.withEnvironment(
            NO_GPU, CliRun.words(call.replace("TRACE", TRACE)).toArray(String[]::new));
    assertEquals(status, run.status(), run.err());
    assertEquals(status == 2, run.err().startsWith("topo: --quiet prints a sentence, expected --"));
  }

  /** Scripts of nccl-tests name options at their defaults. */
  @Test
  void optionsOfNcclTestsAtTheirDefaultsAreAccepted() {
    TopoCommand.line()
        .parseArgs(
            ("run all_reduce -t 1 -g 1 -b 8 -e 8 -i 1 -n 1 -m 1 -w 1 -N 1 -p 1 -c 1 -o sum -d float -r 0 -z 0 -y 0"
                    + " -T 0 -G 0 -C 0 -S 1 -a 1 -R 0 -x 1 -D 0 -V 16 -M 0 -u 0 -I 0 -K 0")
                .split(" "));
  }

  /** In nccl-tests it is a number of blocks; the version of topo has its long name only. */
  @Test
  void theLetterVIsThatOfNcclTests() {
    CliRun blocks = CliRun.withEnvironment(NO_GPU, "run", "all_reduce", "-V", "16");
    assertEquals(4, blocks.status(), blocks.err());
    assertEquals("", blocks.out());
    assertEquals(2, CliRun.withEnvironment(NO_GPU, "run", "all_reduce", "-V").status());
    assertEquals(CliRun.of("-V").out(), CliRun.of("run", "--version").out());
  }

  @ParameterizedTest
  @CsvSource({"16,16", "0x10,16", "020,16", "-1,-1", "0,0"})
  void numbersAreThoseOfC(String text, int number) {
    assertEquals(
        number,
        TopoCommand.line()
            .parseArgs("run", "all_reduce", "--root=" + text)
            .subcommand()
            .matchedOptionValue("-r", 99));
  }

  /** Each option of the table exists under both names. */
  @Test
  void theTableOfOptionsIsTrue() throws IOException {
    String table =
        Files.readString(Path.of(System.getProperty("topo.root"), "docs/nccl-tests-options.csv"));
    CommandSpec spec = TopoCommand.line().getSubcommands().get("run").getCommandSpec();
    List<MatchResult> rows =
        Pattern.compile("(?m)^(-\\w),(--\\w+),[^,]*,\"?\\w+").matcher(table).results().toList();
    assertEquals(32, rows.size());
    for (MatchResult row : rows) {
      OptionSpec option = spec.findOption(row.group(2));
      assertTrue(option != null, row.group());
      assertEquals(option, spec.findOption(row.group(1)), row.group());
    }
    String letters =
        rows.stream().map(row -> row.group(1).substring(1)).sorted().collect(joining());
    assertEquals("CDGIJKMNRSTVabcdefghimnoprtuwxyz", letters);
  }

  /** The processes of a replay fail alike, and one of them says why. */
  @Test
  void aReplayWithoutAGpuSaysSoInOneLine() {
    CliRun run =
        CliRun.withEnvironment(NO_GPU, "run", "--workload", TRACE, TRACE.replace("rank0", "rank1"));
    assertEquals(4, run.status(), run.err());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @Test
  void aTracedRankThatIsNoProcessIsNamed() {
    CliRun run =
        CliRun.withEnvironment(
            Map.of(
                "OMPI_COMM_WORLD_RANK", "0",
                "OMPI_COMM_WORLD_SIZE", "3",
                "OMPI_COMM_WORLD_LOCAL_RANK", "0",
                "OMPI_COMM_WORLD_LOCAL_SIZE", "3"),
            "run",
            "--workload",
            TRACE);
    assertEquals(2, run.status());
    assertEquals(
        "topo: the traced job has 2 ranks, 3 processes were launched: expected one for each rank\n",
        run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "run all_recude!collective all_recude: expected one of all_reduce, all_gather, reduce_scatter,"
            + " broadcast, reduce, sendrecv, alltoall, alltoallv, gather, scatter, hypercube",
        "run!expected COLLECTIVE, as in topo run all_reduce, or --workload TRACE",
        "run all_reduce --workload t.json!all_reduce and --workload: expected one of them, traces have the"
            + " calls",
        "run --workload t.json -n 5 -e 4G!-e cannot be combined with --workload: the traces say which calls"
            + " are made",
        "run all_reduce --format json!--gaps and --format: expected --workload TRACE",
        "run all_reduce -b 1G -e 1M!sizes from 1073741824 to 1048576 bytes: expected the first not above"
            + " the last",
        "run all_reduce -b many!size 'many': expected a number of bytes such as 8, 64K, 1.5M, 4G or 1T",
        "run all_reduce -f 0!size step 1048576, factor 0: expected a step or a factor above 1",
        "run all_reduce -o xor!-o xor: expected one of sum, prod, max, min, avg, mulsum, all",
        "run all_reduce -z 4!-z 4: expected 0 to 3",
        "run all_reduce -x 3!-x 3: expected 0 to 2",
        "run all_reduce -D 1!-D 1 of nccl-tests: only NCCL's own kernels are run (docs/hardware.md), expected 0",
        "run all_reduce -V 0!-V 0: expected a number of CTAs from 1 to 128 (topo run --version shows the"
            + " version)",
        "run all_reduce -V 200!-V 200: expected a number of CTAs from 1 to 128 (topo run --version shows"
            + " the version)",
        "run all_reduce -I 2!-I 2: expected 0 to 1",
        "run all_reduce -z 3 -G 1!-G with -z 3: a CUDA graph has no end of an iteration to wait for",
        "run all_reduce -u -1!-u -1: expected 0 or more elements",
        "run all_reduce -I 1 -G 2!-G with -I or -y: a CUDA graph has no times of iterations and no default"
            + " stream",
        "run all_reduce -K 2!-K 2: expected 0, or more with -I 1",
        "run all_reduce -I 1 -K 20!-K 20: expected fewer than the 20 iterations of -n",
        "run hypercube -g 2!hypercube: expected -g 1 (use -t) and -m 1: NCCL runs the calls of a group at"
            + " the same time, and each exchange needs the data of the previous one",
        "run all_reduce -n 0!iterations and calls in one: expected at least 1",
        "run all_reduce -g 0!threads and GPUs of a thread: expected at least 1",
        "run all_reduce --algorithm Star!--algorithm Star: expected one of Tree, Ring, CollNetDirect,"
            + " CollNetChain, NVLS, NVLSTree, PAT",
        "run all_reduce --protocol LL256!--protocol LL256: expected one of LL, LL128, Simple",
        "run all_reduce --channels 0!--channels 0: expected 1 or more",
        "run all_reduce --corrupt one!--corrupt one: expected RANK:ELEMENT, as in 0:17",
        "run all_reduce --split SUM3!split 'SUM3': expected AND, OR, MOD or DIV (or & | % /) and a number,"
            + " as in 'AND 0x7'",
        "run all_reduce --env NCCL_ALOG=Ring!setting 'NCCL_ALOG' is not one of NCCL 2.28.9; did you mean"
            + " NCCL_ALGO?",
        "run all_reduce --nccl-library nowhere!--nccl-library nowhere: expected libnccl.so.2 or a folder"
            + " with it",
      })
  void whatCannotBeAskedIsSaid(String line, String message) {
    CliRun run = CliRun.withEnvironment(NO_GPU, line.split(" "));
    assertEquals("topo: " + message + "\n", run.err());
    assertEquals(2, run.status());
  }

  @Test
  void aLauncherThatSaysTooLittleIsNamed() {
    CliRun run =
        CliRun.withEnvironment(
            Map.of("OMPI_COMM_WORLD_RANK", "0", "OMPI_COMM_WORLD_SIZE", "2"), "run", "all_reduce");
    assertEquals(2, run.status());
    assertEquals(
        "topo: OMPI_COMM_WORLD_RANK is set, but not OMPI_COMM_WORLD_LOCAL_RANK, which selects the GPUs of"
            + " the host\n",
        run.err());
  }

  @Test
  void aMeasurementOfMemoryWithoutAGpuSaysSoInOneLine() {
    CliRun run =
        CliRun.withEnvironment(NO_GPU, "run", "--memory-steps", "init,all_reduce 1 MiB", "-g", "1");
    assertEquals(4, run.status(), run.err());
    assertTrue(
        run.err()
            .matches("topo: (CUDA cannot be loaded|NCCL cannot be loaded|GPU 0 is asked for).*\n"),
        run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "all_reduce|init|--memory-steps: expected no COLLECTIVE, --workload or --output",
        "-g1|split|--memory-steps 'split': expected init, or calls on plain buffers",
        "-g1|all_reduce 1 MiB registered|expected init, or calls on plain buffers",
        "-g1|all_reduce|--memory-steps: 'all_reduce' is no step"
      })
  void stepsOfMemoryAreInitAndCalls(String first, String steps, String message) {
    CliRun run = CliRun.withEnvironment(NO_GPU, "run", first, "--memory-steps", steps);
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "-g 1!4!topo: (CUDA cannot be loaded|NCCL cannot be loaded|GPU 0 is asked for).*",
        "all_reduce!2!topo: --launch-time: expected no COLLECTIVE, --workload or --output",
        "-J out.json!2!topo: --launch-time: expected no COLLECTIVE, --workload or --output",
        "--memory-steps init!2!topo: --launch-time: expected no --memory-steps"
      })
  void aLaunchTimeIsMeasuredAloneAndNeedsAGpu(String options, int status, String message) {
    List<String> line = new ArrayList<>(List.of("run", "--launch-time"));
    line.addAll(List.of(options.split(" ")));
    CliRun run = CliRun.withEnvironment(NO_GPU, line.toArray(String[]::new));
    assertEquals(status, run.status(), run.err());
    assertTrue(run.err().matches(message + "\n"), run.err());
  }

  @Test
  void stepsOfMemoryAreCallsOfTheRun() {
    assertEquals(
        List.of(
            new MemoryPlan.Call("all_reduce 256 MiB", RunCollective.ALL_REDUCE, 256L << 20),
            new MemoryPlan.Call("alltoall 8 KiB", RunCollective.ALLTOALL, 8192)),
        MemoryMeasurement.plan(List.of("init", "all_reduce 256 MiB", " alltoall 8 KiB")).calls());
  }
}
