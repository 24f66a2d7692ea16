package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class WorkloadCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path MEASURED = ROOT.resolve("src/test/resources/measured");
  private static final String MACHINE = MEASURED.resolve("h200-x2.topo.xml").toString();

  @TempDir private Path folder;

  private static String trace(String name) {
    return MEASURED.resolve("h200-x2-workloads/" + name).toString();
  }

  private static CliRun run(String job, String... options) {
    List<String> words = new ArrayList<>(List.of("workload"));
    words.add(trace(job + ".rank0.json.gz"));
    words.add(trace(job + ".rank1.json.gz"));
    words.addAll(List.of("--machine", MACHINE, "--env", "NCCL_NVLS_ENABLE=0"));
    words.addAll(List.of(options));
    return CliRun.of(words.toArray(String[]::new));
  }

  private static JsonNode json(String job, String... options) {
    List<String> words = new ArrayList<>(List.of("--format", "json"));
    words.addAll(List.of(options));
    CliRun run = run(job, words.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return JsonMapper.shared().readTree(run.out());
  }

  @Test
  void aPersonReadsTheStepFirst() {
    CliRun run = run("fsdp");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().startsWith("Communication takes "), run.out());
    assertTrue(run.out().lines().skip(3).findFirst().orElseThrow().startsWith("a step (mean of "));
  }

  @Test
  void aTraceOfOneRankIncludesWaiting() {
    CliRun run = CliRun.of("workload", trace("moe.rank0.json.gz"), "--machine", MACHINE);
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("waiting included"), run.out());
    assertTrue(
        run.out().contains(" of it exposed, waiting for late ranks not known, of "), run.out());
  }

  @Test
  void aTableNeedsNoTrace() throws IOException {
    Path table = folder.resolve("calls.csv");
    Files.writeString(
        table,
        """
        group,operation,bytes,datatype,count
        0-7,all_gather,64M,bfloat16,12
        "0,8",all_reduce,1G,float,3
        """);
    CliRun run =
        CliRun.of(
            "workload",
            table.toString(),
            "--machine",
            ROOT.resolve("topologies/dgx-h100.xml").toString(),
            "--nodes",
            "2",
            "--format",
            "csv");
    assertEquals(0, run.status(), run.err());
    List<String> lines = run.out().lines().toList();
    assertEquals(3, lines.size(), run.out());
    assertTrue(lines.get(1).startsWith("0-7,all_gather,all_gather,67108864,bfloat16,12,8,,,"));
  }

  @ParameterizedTest
  @CsvSource({
    "workload {t}, 'expected --machine FILE, the topology of a node of the job (topo probe, or NCCL_TOPO_DUMP_FILE)'",
    "workload {t} --machine {m} --split 'MOD 2', 'the traces have the groups of the job'",
    "workload {t} {t} --machine {m}, 'moe.rank0.json.gz: is of rank 0 as '",
    "workload {n} --machine {m}, 'no such file'",
    "workload {t} --machine {m} --may code, '--may: expected --advise'",
    "workload {t} --machine {m} --advise --may graph, '--may graph: expected one of settings, tuner, code'",
    "workload {t} --machine {m} --advise --format csv, '--advise: expected --format text or json'",
    "workload {t} --machine {m} --advise --whatif 'env NCCL_MAX_CTAS=4', 'expected no --whatif, --scale or other --nccl'",
    "workload {t} --machine {m} --whatif frobnicate, '--whatif \'\'frobnicate\'\': expected remove, move, add,'",
    "workload {t} --machine {m} --whatif 'remove net:none', '--whatif the machine has no net:none, expected'",
    "workload {t} --machine {m} --scale dp, '--scale dp: expected --nodes N, the number of nodes of the larger job'",
    "workload {t} --machine {m} --scale tp --nodes 2, '--scale tp: expected dp or dp=GROUP'",
    "workload {t} {o}/tp.rank1.json.gz --machine {m}, 'there sends and receives; expected traces of one job'",
    "workload {o}/mix.rank0.json.gz {o}/tp.rank1.json.gz --machine {m}, 'no call in group tp, there AllReduce of 16 MiB'",
    "workload {o}/tp.rank0.json.gz {o}/pp.rank1.json.gz --machine {m}, 'no call in group default_pg, there AllReduce of'",
  })
  void wrongCallsFailInOneLine(String call, String message) {
    List<String> words =
        CliRun.words(
            call.replace("{t}", trace("moe.rank0.json.gz"))
                .replace("{m}", MACHINE)
                .replace("{o}", MEASURED.resolve("h200-x2-workloads").toString())
                .replace("{n}", folder.resolve("none.json").toString()));
    CliRun run = CliRun.of(words.toArray(String[]::new));
    assertTrue(run.status() == 2 || run.status() == 3, run.err());
    assertTrue(run.err().contains(message), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  /** Like other options that are wrong, not like a file that is. */
  @Test
  void anEditThatIsNoneIsAUsageError() {
    assertEquals(2, run("moe", "--whatif", "frobnicate").status());
    assertEquals(2, run("moe", "--whatif", "remove net:none").status());
    assertEquals(3, run("moe", "--whatif", "machine none.xml").status());
  }

  @Test
  void nodesOfAnNvlinkDomainAreCounted() throws IOException {
    Path table = folder.resolve("calls.csv");
    Files.writeString(table, "group,operation,bytes,datatype,count\n0-7,all_gather,64M,half,12\n");
    CliRun run =
        CliRun.of(
            "workload",
            table.toString(),
            "--machine",
            ROOT.resolve("topologies/gb200-tray.xml").toString(),
            "--nodes",
            "4",
            "--nvlink-domain",
            "2");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("8 ranks on 2 NVLink domains of 4 hosts in all;"), run.out());
  }

  /** Rows that look alike are other calls: each says what is different. */
  @Test
  void rowsOfATableDiffer() {
    for (String job : List.of("pp", "mix")) {
      List<String> rows =
          run(job)
              .out()
              .lines()
              .filter(line -> line.matches("  [A-Z].*\\d us .*"))
              .map(line -> line.replaceAll(" \\d+  +[\\d.]+ .s .* .s  +", " "))
              .toList();
      assertTrue(rows.size() > 3, job);
      assertEquals(rows.size(), rows.stream().distinct().count(), String.join("\n", rows));
    }
  }

  @Test
  void aKindOfCallsIsOneRowOfAChange() {
    CliRun run = run("fsdp", "--whatif", "env NCCL_MAX_CTAS=8");
    String change = run.out().substring(run.out().indexOf("\nwith env"));
    assertEquals(1, change.lines().filter(line -> line.contains("AllGather")).count(), change);
    assertTrue(change.contains("AllGather      96.1 MiB  48 "), change);
    assertTrue(change.contains("  all: group default_pg, "), change);
  }

  @Test
  void moreRanksThanTheMachineHasAreRefused() throws IOException {
    Path table = folder.resolve("calls.csv");
    Files.writeString(table, "group,operation,bytes,datatype,count\n0-7,all_gather,64M,half,12\n");
    CliRun run = CliRun.of("workload", table.toString(), "--machine", MACHINE);
    assertEquals(3, run.status());
    assertTrue(run.err().contains("the job has 8 ranks, --machine with --nodes has 2"), run.err());
  }

  @Test
  void changesAndAdviceAreData() {
    JsonNode change = json("fsdp", "--whatif", "env NCCL_MAX_CTAS=8").get("change");
    assertTrue(change.get("after").get("communicationUs").isNumber(), change.toString());
    JsonNode advice = json("ddp", "--advise", "--may", "code,settings").get("advice");
    assertEquals(2, advice.get("may").size());
    assertTrue(advice.get("options").get(0).get("advised").isBoolean(), advice.toString());
  }

  @Test
  void moreDataParallelismSpansNodesWithTheSameSizes() {
    CliRun run =
        CliRun.of(
            "workload",
            trace("fsdp.rank0.json.gz"),
            trace("fsdp.rank1.json.gz"),
            "--machine",
            ROOT.resolve("topologies/dgx-h100.xml").toString(),
            "--gpus",
            "0,1",
            "--nodes",
            "2",
            "--scale",
            "dp");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("with 2 nodes, scaled by dp"), run.out());
    assertTrue(run.out().contains("AllGather      96.1 MiB  48 "), run.out());
  }

  /** A machine without ports: between nodes NCCL's own model is all there is. */
  @Test
  void aStepWithoutARangeHasNone() {
    CliRun run =
        CliRun.of(
            "workload",
            trace("fsdp.rank0.json.gz"),
            trace("fsdp.rank1.json.gz"),
            "--machine",
            ROOT.resolve("examples/h200-x2.xml").toString(),
            "--nodes",
            "3",
            "--scale",
            "dp");
    assertEquals(0, run.status(), run.err());
    String step = "communication of a step: 27.19 ms ";
    assertTrue(run.out().contains(step + "→ 615 ms (no range known), "), run.out());
    assertTrue(run.out().contains(step + "before, 615 ms after (no range known)"), run.out());
    assertTrue(run.out().contains("  no range is known for the time of 4 kinds"), run.out());
  }

  /** Sends of a pipeline have nothing to gain by channels of collectives. */
  @Test
  void whereNothingGainsNothingIsAdvised() {
    CliRun run = run("pp", "--advise");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("  nothing is advised: "), run.out());
  }

  @Test
  void betweenNodesNoGainIsKnown() throws IOException {
    Path table = folder.resolve("calls.csv");
    Files.writeString(table, "group,operation,bytes,datatype,count\n0-15,all_gather,64M,half,12\n");
    CliRun run =
        CliRun.of(
            "workload",
            table.toString(),
            "--machine",
            ROOT.resolve("topologies/dgx-h100.xml").toString(),
            "--nodes",
            "2",
            "--advise");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("rests on: between nodes no gain of a setting was"), run.out());
    assertTrue(run.out().contains("  nothing is advised: "), run.out());
    assertTrue(run.out().startsWith("Between nodes no gain of a setting was compared"), run.out());
  }

  @Test
  void anotherReleaseThanThatOfTheTracesIsAChange() {
    CliRun run = run("moe", "--nccl", "2.27.5");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("with NCCL 2.27.5"), run.out());
  }

  /** {@code topo tune} says so, and no command has a time for such a call. */
  @Test
  void whatNcclRefusesIsSaidInTheWordsOfTune() {
    String reason = "no algorithm and protocol can run AllGather with NCCL_ALGO=Tree";
    List<String> call = List.of("--collective", "all_gather", "--sizes", "1M");
    List<List<String>> commands =
        List.of(
            List.of("predict", MACHINE, "--env", "NCCL_ALGO=Tree"),
            List.of("explain", MACHINE, "--env", "NCCL_ALGO=Tree"),
            List.of("whatif", MACHINE, "env NCCL_ALGO=Tree"));
    assertTrue(
        CliRun.of(arguments(List.of("tune", MACHINE, "--env", "NCCL_ALGO=Tree"), call))
            .out()
            .contains("NCCL refuses  " + reason));
    for (List<String> command : commands) {
      String out = CliRun.of(arguments(command, call)).out();
      assertTrue(out.contains("NCCL refuses the call: " + reason), out);
    }
    String text = run("fsdp", "--whatif", "env NCCL_ALGO=Tree").out();
    assertTrue(
        text.contains("\n  NCCL refuses the call: " + reason + " (2 kinds of calls)\n"), text);
    assertTrue(text.contains("\n  the job fails; "), text);
    assertTrue(run("fsdp", "--env", "NCCL_ALGO=Tree").out().contains("NCCL refuses the call: "));
    JsonNode change = json("fsdp", "--whatif", "env NCCL_ALGO=Tree").get("change");
    assertTrue(change.get("after").isNull());
    assertEquals(2, change.get("refused").size());
    assertEquals(
        "NCCL refuses the call: " + reason, change.get("refused").get(0).get("reason").asString());
  }

  private static String[] arguments(List<String> command, List<String> call) {
    return Stream.concat(command.stream(), call.stream()).toArray(String[]::new);
  }
}
