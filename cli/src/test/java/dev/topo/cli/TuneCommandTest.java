package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code topo tune} prints. */
class TuneCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String DGX_H100 = ROOT.resolve("topologies/dgx-h100.xml").toString();

  @TempDir private Path folder;

  private static String ok(String... args) {
    CliRun run = CliRun.of(args);
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  @Test
  void withoutSizesTextHasRangesUpToTheLargest() {
    String text = ok("tune", DGX_H100, "--collective", "all_gather");
    assertTrue(text.contains("\nAllGather\n  8 B to "), text);
    assertTrue(text.contains(" to 8 GiB: "), text);
  }

  /** As predict has them; the data formats have what the tuner allows, too. */
  @Test
  void textHasTheChannelsThatACallByItselfRunsOn() {
    String[] call = {"--collective", "all_reduce", "--sizes", "64K", "--env", "NCCL_ALGO=NVLS"};
    String tuned = ok(with("tune", call));
    assertTrue(tuned.contains("64 KiB:  NVLS/Simple,  8 of at most 16 channels,"), tuned);
    String predicted = ok(with("predict", call));
    assertTrue(predicted.matches("(?s).*64 KiB  NVLS/Simple\\S* +8 of at most 16 .*"), predicted);
    String explained = ok(with("explain", call));
    assertTrue(
        explained.contains("NCCL runs NVLS with Simple on 8 of at most 16 channels of "),
        explained);
    assertTrue(explained.contains("Its tuner allows 16 channels;"), explained);
    String[] asCsv = Arrays.copyOf(call, call.length + 2);
    asCsv[call.length] = "--format";
    asCsv[call.length + 1] = "csv";
    String data = ok(with("tune", asCsv));
    assertTrue(data.matches("(?s).*all_reduce,65536,NVLS,Simple,16,[^\n]*,8,\n.*"), data);
  }

  /** What the tuner allows and what a call is launched on, by the same words everywhere. */
  @ParameterizedTest
  @ValueSource(strings = {"tune", "predict", "explain", "whatif"})
  void theChannelsOfACallAreOneAnswerInEveryCommandAndFormat(String command) {
    String line =
        command
            + " "
            + ROOT.resolve("topologies/a100-4-slingshot.xml")
            + (command.equals("whatif") ? " 'remove net:*'" : "")
            + " --nccl 2.23.4 --collective broadcast --sizes 512K";
    String text = ok(CliRun.words(line).toArray(String[]::new));
    String json = ok(CliRun.words(line + " --format json").toArray(String[]::new));
    if (command.equals("explain")) {
      assertTrue(text.contains("on 16 of at most 24 channels of 512 threads"), text);
      assertTrue(json.contains("on 16 of at most 24 channels of 512 threads"), json);
      return;
    }
    assertTrue(json.matches("(?s).*\"channels\" : 24,\\s*\"launchedChannels\" : 16,.*"), json);
    if (!command.equals("whatif")) {
      assertTrue(text.contains("16 of at most 24"), text);
      String csv = ok(CliRun.words(line + " --format csv").toArray(String[]::new));
      assertTrue(
          csv.matches(
              "(?s)\\S*,channels,\\S*,launched_channels(,hosts,calibrated,source)?,caveats\n.*"),
          csv);
      assertTrue(csv.matches("(?s).*,Ring,LL,24,\\S*,16(,1,false,nccl-model)?,[^\n]*\n"), csv);
    }
  }

  /** From 2.24 on NCCL does not start; before, it ignores the name and runs on rings. */
  @Test
  void unknownAlgorithmsAreErrorsOfTheVersionsThatRefuseThem() {
    String[] call = {"--collective", "broadcast", "--sizes", "1M", "--env", "NCCL_ALGO=foo"};
    String[] older = Arrays.copyOf(call, call.length + 1);
    older[call.length] = "--nccl=2.23.4";
    assertEquals(2, CliRun.of(with("tune", call)).status());
    String tuned = ok(with("tune", older));
    assertTrue(tuned.contains("1 MiB:  Ring/LL, "), tuned);
    older[call.length - 1] = "NCCL_ALGO=NVLS";
    String explained = ok(with("explain", older));
    assertTrue(explained.contains("this version falls back to a ring"), explained);
  }

  private static String[] with(String command, String... args) {
    String[] all = new String[args.length + 2];
    all[0] = command;
    all[1] = DGX_H100;
    System.arraycopy(args, 0, all, 2, args.length);
    return all;
  }

  @Test
  void oneRankIsCountedAsOne() {
    assertTrue(ok("tune", DGX_H100, "--gpus", "0").contains("dgx-h100: 1 rank on 1 node,"));
  }

  @Test
  void jsonHasAChoiceForEachCall() {
    String[] call = {"--format", "json", "--sizes", "8,1M", "--collective", "all_reduce"};
    JsonNode choices = JsonMapper.shared().readTree(ok(with("tune", call))).get("choices");
    assertEquals(2, choices.size());
    assertEquals("all_reduce", choices.get(1).get("collective").asString());
    assertEquals(1 << 20, choices.get(1).get("bytes").asInt());
  }

  @Test
  void algorithmIsNullWhereNcclRefusesTheCall() {
    String[] words = {
      "tune", DGX_H100, "--sizes=8", "--collective=broadcast", "--env=NCCL_ALGO=Tree", "--format"
    };
    CliRun json =
        CliRun.of(Stream.concat(Stream.of(words), Stream.of("json")).toArray(String[]::new));
    assertEquals(1, json.status(), "as predict, explain and whatif");
    JsonNode choice = JsonMapper.shared().readTree(json.out()).get("choices").get(0);
    assertTrue(choice.get("algorithm").isNull());
    assertEquals(
        "NCCL refuses the call: no algorithm and protocol can run Broadcast with NCCL_ALGO=Tree",
        choice.get("refusal").asString());
    CliRun csv =
        CliRun.of(Stream.concat(Stream.of(words), Stream.of("csv")).toArray(String[]::new));
    assertEquals(
        "collective,bytes,algorithm,protocol,channels,threads,time_us,launched_channels,caveats\nbroadcast,8,,,,,,,\n",
        csv.out());
  }

  @Test
  void aTunerFileForSomeCollectivesSaysWhatItLeavesOut() {
    CliRun all = CliRun.of("tune", DGX_H100, "--format", "tuner");
    CliRun some =
        CliRun.of("tune", DGX_H100, "--format", "tuner", "--collective", "all_gather,reduce");
    assertEquals(
        all.out().lines().filter(line -> line.matches("#.*|reduce,.*|allgather,.*")).toList(),
        some.out().lines().toList());
    assertEquals("", all.err());
    assertTrue(some.err().contains("has no rule for other collectives"), some.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "8:4", "8:16:1", "8:16:2:2", "1Q", ""})
  void sizesAreChecked(String sizes) {
    CliRun run = CliRun.of("tune", DGX_H100, "--sizes", sizes);
    assertEquals(2, run.status(), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  /** Lines of NCCL 2.18.1 on two nodes without InfiniBand. */
  private static String otherRun() {
    StringBuilder log =
        new StringBuilder(
            """
            host:1:1 [0] NCCL INFO NET/IB : No device found.
            host:1:1 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>
            host:1:1 [0] NCCL INFO comm 0x1 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0
            NCCL version 2.18.1+cuda12.1
            """);
    for (int channel = 0; channel < 20; channel++) {
      log.append("host:1:1 [0] NCCL INFO Ring %02d : 3 -> 0 -> 5\n".formatted(channel));
    }
    return log.toString();
  }

  /** NCCL_DEBUG_FILE with %p makes a file for each process. */
  @Test
  void logsOfSeveralProcessesAreOne() throws IOException {
    List<String> lines = otherRun().lines().toList();
    Path first = folder.resolve("nccl.1.log");
    Path second = folder.resolve("nccl.2.log");
    Files.writeString(first, String.join("\n", lines.subList(0, 10)));
    Files.writeString(second, String.join("\n", lines.subList(10, lines.size())));
    // As long as the other name, so that lines are broken at the same places.
    Path whole = folder.resolve("nccl.0.log");
    Files.writeString(whole, otherRun());
    String together =
        CliRun.of("tune", DGX_H100, "--against", first.toString(), "--against", second.toString())
            .out();
    assertEquals(
        CliRun.of("tune", DGX_H100, "--against", whole.toString())
            .out()
            .replace("nccl.0.log", "nccl.1.log"),
        together);
  }

  @Test
  void theLikeliestCausesComeBeforeTheDifferences() throws IOException {
    Path log = folder.resolve("info.log");
    Files.writeString(log, otherRun());
    CliRun run = CliRun.of("tune", DGX_H100, "--against", log.toString());
    assertEquals(1, run.status(), run.err());
    List<String> lines = run.out().lines().toList();
    assertEquals("agreement with info.log", lines.get(0));
    List<String> limits =
        run.out()
            .substring(run.out().indexOf("not modelled: "))
            .replace("\n  ", " ")
            .lines()
            .toList();
    assertTrue(
        limits
            .get(0)
            .startsWith("not modelled: nccl-version: info.log: comes from NCCL 2.18.1 and is"),
        run.out());
    assertTrue(limits.get(1).startsWith("not modelled: net-socket: info.log: "), run.out());
    assertTrue(limits.get(1).contains("mlx5_0"), run.out());
    assertTrue(
        limits
            .get(2)
            .startsWith(
                "not modelled: ranks: info.log: is of 16 ranks on 2 nodes of 8 GPUs, the job has 8 ranks on 1 node of 8 GPUs;"),
        run.out());
    assertEquals(10, lines.stream().filter(line -> line.startsWith("  ! ")).count());
    assertTrue(run.out().contains("  ... and 11 more (--verbose lists all)\n"), run.out());
    assertTrue(run.err().contains("caveat: nccl-version: info.log: "), run.err());

    run = CliRun.of("tune", DGX_H100, "--against", log.toString(), "--verbose");
    assertEquals(21, run.out().lines().filter(line -> line.startsWith("  ! ")).count());
    assertFalse(run.out().contains(" more (--verbose"), run.out());

    run = CliRun.of("tune", DGX_H100, "--nodes=2", "--against", log.toString());
    assertFalse(run.out().contains("not modelled: ranks"), run.out());
    Files.writeString(log, otherRun().replace("2.18.1", "2.28.9").replace("NET/Socket", "NET/IB"));
    run = CliRun.of("tune", DGX_H100, "--nodes=2", "--against", log.toString());
    assertFalse(run.out().contains("not modelled"), run.out());
  }

  @Test
  void otherCommunicatorsOfALogAreNamed() throws IOException {
    Path log = folder.resolve("info.log");
    Files.writeString(
        log,
        """
        host:1:1 [0] NCCL INFO comm 0x1 rank 0 nRanks 8 nNodes 1 localRanks 8 localRank 0 MNNVL 0
        host:1:1 [0] NCCL INFO comm 0x2 rank 0 nRanks 2 nNodes 1 localRanks 2 localRank 0 MNNVL 0
        """);
    CliRun run = CliRun.of("tune", DGX_H100, "--against", log.toString());
    assertTrue(
        run.out()
            .contains(
                "not modelled: ranks: info.log: also has communicators of 2 ranks on 1 node of 2 GPUs, the job"),
        run.out());
  }

  @Test
  void aLogThatDiffersIsAnswerNo() throws IOException {
    Path log = folder.resolve("info.log");
    Files.writeString(
        log,
        "host:1:1 [0] NCCL INFO comm 0x1 rank 0 nRanks 8 nNodes 1 localRanks 8 localRank 0 MNNVL 0\n"
            + "host:1:1 [0] NCCL INFO Channel 00/24 : 0 7 2 3 4 5 6 1\n");
    CliRun run = CliRun.of("tune", DGX_H100, "--against", log.toString());
    assertEquals(1, run.status(), run.err());
    assertTrue(run.out().contains("0 7 2 3 4 5 6 1"), run.out());
    Files.writeString(log, "nothing of NCCL\n");
    run = CliRun.of("tune", DGX_H100, "--against", log.toString());
    assertEquals(3, run.status(), run.err());
    assertEquals(
        3, CliRun.of("tune", DGX_H100, "--against", folder.resolve("none").toString()).status());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "0!--sizes 0: expected sizes of at least 1 byte: NCCL does nothing for an empty call",
        "1M,0!--sizes 1M,0: expected sizes of at least 1 byte: NCCL does nothing for an empty call",
        "8:4!--sizes 8:4: expected the smaller size first, as in 8:8G:2",
        "8:64:1!--sizes 8:64:1: expected first:last:factor as in 8:8G:2",
        "1X!size '1X': expected a number of bytes such as 8, 64K, 1.5M, 4G or 1T"
      })
  void sizesThatAreNoneAreRefused(String sizes, String reason) {
    CliRun run =
        CliRun.of("tune", ROOT.resolve("topologies/dgx-a100.xml").toString(), "--sizes", sizes);
    assertEquals(2, run.status());
    assertEquals("topo: " + reason + "\n", run.err());
    assertEquals("", run.out());
  }
}
