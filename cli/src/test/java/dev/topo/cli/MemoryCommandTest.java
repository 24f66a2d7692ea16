package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.QuantityFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code topo memory} of a job whose ranks are in several groups at once. */
class MemoryCommandTest {
  @TempDir private Path folder;

  private static final String DGX_H100 =
      Path.of(System.getProperty("topo.root"), "topologies", "dgx-h100.xml").toString();

  /** What a process takes once, however many communicators it is in. */
  private static final List<String> ONCE =
      List.of("kernels and their context (CUDA)", "local memory of kernels (CUDA)");

  private static CliRun memory(String... args) {
    return CliRun.of(
        Stream.concat(Stream.of("memory", DGX_H100, "--nodes", "2"), Stream.of(args))
            .toArray(String[]::new));
  }

  private static JsonNode json(String... args) {
    CliRun run =
        memory(
            Stream.concat(Stream.of(args), Stream.of("--format", "json")).toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return JsonMapper.shared().readTree(run.out());
  }

  private static long gpuOfCommunicators(JsonNode step) {
    return step.get("parts")
        .valueStream()
        .filter(part -> part.get("where").asString().equals("gpu"))
        .filter(part -> !ONCE.contains(part.get("what").asString()))
        .filter(part -> !part.get("what").asString().equals("streams and events (CUDA)"))
        .mapToLong(part -> part.get("bytes").asLong())
        .sum();
  }

  private static List<JsonNode> stepsOfRank(JsonNode answer, int rank) {
    return answer
        .get("steps")
        .valueStream()
        .filter(step -> step.get("rank").asInt() == rank)
        .toList();
  }

  /** The same communicators alone and together: only what is of the process differs. */
  @ParameterizedTest
  @CsvSource({"DIV 8,MOD 8", "MOD 8,DIV 4", "DIV 16,MOD 8"})
  void theAnswerIsTheSumOverGroups(String first, String second) {
    JsonNode both =
        json("--group", "a=" + first, "--group", "b=" + second, "--steps", "all_reduce 16 MiB");
    List<JsonNode> steps = stepsOfRank(both, 0);
    assertEquals(
        List.of("a init", "a all_reduce 16 MiB", "b init", "b all_reduce 16 MiB"),
        steps.stream().map(step -> step.get("step").asString()).toList());
    JsonNode onlyFirst = json("--group", "a=" + first, "--steps", "all_reduce 16 MiB");
    JsonNode onlySecond = json("--group", "b=" + second, "--steps", "all_reduce 16 MiB");
    assertEquals(stepsOfRank(onlyFirst, 0), steps.subList(0, 2));
    for (int step = 0; step < 2; step++) {
      assertEquals(
          gpuOfCommunicators(stepsOfRank(onlySecond, 0).get(step)),
          gpuOfCommunicators(steps.get(2 + step)));
    }
    assertEquals(
        steps.stream().mapToLong(step -> step.get("gpuBytes").asLong()).sum(),
        both.get("ranks").get(0).get("gpuBytes").asLong());
  }

  /** A group of all ranks is the job. */
  @Test
  void oneGroupOfAllIsTheJob() {
    JsonNode job = json("--steps", "init,all_reduce 16 MiB,alltoall 1 MiB");
    JsonNode group = json("--group", "all=DIV 16", "--steps", "all_reduce 16 MiB,alltoall 1 MiB");
    assertEquals(job.get("ranks"), group.get("ranks"));
    assertEquals(job.get("total"), group.get("total"));
    assertEquals(job.get("multicast"), group.get("multicast"));
  }

  @Test
  void aStepWithANameIsOfThatKindOnly() {
    JsonNode answer =
        json(
            "--group=tp=DIV 8",
            "--group=dp=MOD 8",
            "--steps=tp all_gather 1 MiB,dp all_reduce 4 MiB,broadcast 8 B");
    assertEquals(
        List.of(
            "tp init",
            "tp all_gather 1 MiB",
            "tp broadcast 8 B",
            "dp init",
            "dp all_reduce 4 MiB",
            "dp broadcast 8 B"),
        stepsOfRank(answer, 3).stream().map(step -> step.get("step").asString()).toList());
  }

  /** A saving is the difference of two answers. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'--group=tp=DIV 8' '--group=dp=MOD 8'",
        "--steps 'init,all_reduce 16 MiB,split,split all_reduce 16 MiB'",
        "--steps 'init,all_reduce 16 MiB,split halves,split halves alltoall 16 MiB'",
        "'--group=tp=DIV 8' '--group=pp=DIV 16' --steps 'tp all_reduce 1 MiB,pp sendrecv 1 MiB'"
      })
  void savingsAreDifferencesOfAnswers(String words) {
    String[] job = CliRun.words(words).toArray(String[]::new);
    JsonNode now = json(with(job, "--savings"));
    assertFalse(now.get("savings").isEmpty());
    for (JsonNode saving : now.get("savings")) {
      JsonNode then = json(with(job, "--env", saving.get("setting").asString()));
      assertEquals(
          saving.get("savedBytes").asLong(),
          now.get("total").get("gpuBytes").asLong() - then.get("total").get("gpuBytes").asLong(),
          saving.get("setting").asString());
    }
  }

  private static String[] with(String[] words, String... more) {
    return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void theLimitIsThatOfTheSum() {
    String[] alone = {"--group=tp=DIV 8", "--limit=900M", "-q"};
    CliRun fits = memory(alone);
    assertEquals(0, fits.status(), fits.out());
    assertTrue(fits.out().contains("which fits into 900 MiB"), fits.out());
    CliRun both = memory(with(alone, "--group=dp=MOD 8"));
    assertEquals(1, both.status(), both.out());
    assertTrue(both.out().contains("more than the limit of 900 MiB"), both.out());
  }

  private static JsonNode answer(String command) {
    CliRun run = CliRun.of(CliRun.words(command.replace("H100", DGX_H100)).toArray(String[]::new));
    return JsonMapper.shared().readTree(run.out());
  }

  /** The same sum by every command, with and without stated calls. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--nodes 4||",
        "--nodes 1||",
        "--nodes 2 --env NCCL_NVLS_ENABLE=0||",
        "--nodes 2|--collective all_gather,all_reduce --sizes 1M,64M|"
            + "--steps 'init,all_reduce 1 MiB,all_reduce 64 MiB,all_gather 1 MiB,all_gather 64 MiB'",
        "--nodes 2|--collective all_reduce,alltoall --sizes 8,1G|"
            + "--steps 'init,all_reduce 8 B,all_reduce 1 GiB,alltoall 1 GiB'",
      })
  void theSameCallsTakeTheSameMemoryByEveryCommand(
      String job, @Nullable String calls, @Nullable String steps) throws IOException {
    String stated = Objects.requireNonNullElse(calls, "");
    JsonNode memory =
        answer("memory H100 " + job + " --format json " + Objects.requireNonNullElse(steps, ""));
    long bytes = memory.get("total").get("gpuBytes").asLong();
    JsonNode whatif =
        answer("whatif H100 'env NCCL_DEBUG=WARN' --format json %s %s".formatted(job, stated));
    assertEquals(bytes, whatif.at("/before/memory/gpuBytes").asLong());
    Path page = folder.resolve("report.html");
    answer("report H100 -o %s %s %s".formatted(page, job, stated));
    assertTrue(
        Files.readString(page)
            .contains("NCCL takes %s of the fullest".formatted(QuantityFormat.size(bytes))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "|for 1 communicator and 4 collectives",
        "--steps init|for 1 communicator and 0 collectives",
        "--steps 'init,all_reduce 8 B,all_reduce 1 MiB,alltoall 8 B,sendrecv 8 B'|for 1 communicator, 1 collective and 2 operations of sends",
        "--steps 'init,split,split all_gather 1 MiB,split halves'|for 3 communicators and 1 collective",
        "'--group=tp=DIV 8' '--group=dp=MOD 8'|for 2 communicators and 1 collective",
      })
  void theFirstLineCountsWhatTheSumIsOf(@Nullable String words, String counts) {
    CliRun run =
        memory(
            with(CliRun.words(Objects.requireNonNullElse(words, "")).toArray(String[]::new), "-q"));
    assertTrue(run.out().contains(counts + ", "), run.out());
  }

  /** The setting that the sentence names is one with which the job fits. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'--group=tp=DIV 8' '--group=dp=MOD 8'|900M",
        "--steps 'init,all_reduce 256 MiB,alltoall 256 MiB'|1500M",
        "--steps 'init,all_reduce 256 MiB,split,split all_reduce 256 MiB'|1200M"
      })
  void aJobThatDoesNotFitSaysWhatToChange(String words, String limit) {
    String[] job = with(CliRun.words(words).toArray(String[]::new), "--limit", limit);
    CliRun run = memory(with(job, "--format", "json"));
    assertEquals(1, run.status(), run.err());
    JsonNode answer = JsonMapper.shared().readTree(run.out());
    Matcher named =
        Pattern.compile(": with (NCCL_\\w+=\\d+) it fits[,.]")
            .matcher(answer.get("answer").asString());
    assertTrue(named.find(), answer.get("answer").asString());
    double cost = Double.NEGATIVE_INFINITY;
    for (JsonNode saving : answer.get("savings")) {
      String setting = saving.get("setting").asString();
      CliRun changed = memory(with(job, "-q", "--env", setting));
      if (setting.equals(named.group(1))) {
        assertEquals(0, changed.status(), changed.out());
      }
      if (changed.status() == 0) {
        cost = Math.max(cost, saving.get("slowestChange").asDouble());
      }
    }
    double best = cost;
    assertTrue(
        answer
            .get("savings")
            .valueStream()
            .anyMatch(
                saving ->
                    saving.get("setting").asString().equals(named.group(1))
                        && saving.get("slowestChange").asDouble() == best),
        answer.get("answer").asString());
  }

  @Test
  void whereNoSettingIsEnoughTheLargestIsNamed() {
    CliRun run = memory("--group=tp=DIV 8", "--limit=100M", "-q");
    assertEquals(1, run.status(), run.err());
    assertTrue(run.out().contains(": no setting alone is enough, NCCL_"), run.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--group=tp=DIV 8|--split=MOD 8|--group: expected no --split",
        "--group=tp=DIV 8|--steps=split|'split': a group does not split or allocate",
        "--group=tp=DIV 8|--steps=dp all_reduce 8 B|'dp all_reduce 8 B' is no step",
        "--group=tp=DIV x|--steps=register|DIV x",
        "--savings|--format=csv|--savings: expected --format text or json"
      })
  void refusesWhatGroupsDoNotHave(String first, String second, String expected) {
    CliRun run = memory(first, second);
    assertEquals(2, run.status(), run.out());
    assertTrue(run.err().contains(expected), run.err());
  }

  /** Memory before and after a change is that of {@code topo memory} with the same calls. */
  @Test
  void comparisonsHaveTheMemoryOfTheirCalls() {
    String[] call = {"--collective", "all_reduce", "--sizes", "16M"};
    JsonNode whatif =
        of(with(new String[] {"whatif", DGX_H100, "--nodes", "2", "env NCCL_MAX_CTAS=8"}, call));
    String[] steps = {"--steps", "init,all_reduce 16 MiB"};
    JsonNode before = json(steps).get("total");
    JsonNode after = json(with(steps, "--env", "NCCL_MAX_CTAS=8")).get("total");
    for (String field : List.of("gpuBytes", "hostSharedBytes")) {
      assertEquals(before.get(field), whatif.get("before").get("memory").get(field));
      assertEquals(after.get(field), whatif.get("variants").get(0).get("memory").get(field), field);
    }
    JsonNode upgrade =
        of(
            with(
                new String[] {"upgrade", DGX_H100, "--nodes", "2", "--nccl", "2.27.5,2.28.9"},
                call));
    assertEquals(before.get("gpuBytes"), upgrade.get("memoryAfter").get("gpuBytes"));
    assertFalse(upgrade.get("memoryAfter").get("estimated").asBoolean());
    assertTrue(upgrade.get("memoryBefore").get("estimated").asBoolean());
    assertEquals(
        json(with(steps, "--nccl", "2.27.5")).get("total").get("gpuBytes"),
        upgrade.get("memoryBefore").get("gpuBytes"));
  }

  /** As every command: no answer is made of a part of the calls. */
  @Test
  void sendsThatAReleaseHasNoRulesForAreRefused() {
    CliRun whatif =
        CliRun.of(
            "whatif", DGX_H100, "nccl 2.21.5", "--nodes=2", "--collective=alltoall", "--sizes=1M");
    assertEquals(2, whatif.status());
    assertTrue(
        whatif.err().contains("how NCCL 2.21.5 divides sends and receives is not modelled"),
        whatif.err());
  }

  /** Groups of a trace add up as those that {@code topo memory --group} names. */
  @Test
  void tracedGroupsAddUpAsNamedOnes() throws IOException {
    StringBuilder calls = new StringBuilder("group,operation,bytes,datatype,count\n");
    for (String tp : List.of("0-7", "8-15")) {
      calls.append(tp).append(",all_gather,16M,float,4\n");
      calls.append(tp).append(",alltoall,1M,float,4\n");
    }
    for (int rank = 0; rank < 8; rank++) {
      calls.append("\"%d,%d\",all_reduce,64M,float,2\n".formatted(rank, rank + 8));
    }
    Path trace = Files.writeString(folder.resolve("calls.csv"), calls);
    JsonNode memory =
        of("workload", trace.toString(), "--machine", DGX_H100, "--nodes", "2", "--memory")
            .get("memory");
    JsonNode named =
        json(
            "--group=tp=DIV 8",
            "--group=dp=MOD 8",
            "--steps=tp all_gather 16 MiB,tp alltoall 1 MiB,dp all_reduce 64 MiB");
    JsonNode total = named.get("total");
    assertEquals(total.get("rank"), memory.get("rank"));
    assertEquals(total.get("gpuBytes"), memory.get("gpuBytes"));
    assertEquals(total.get("hostSharedBytes"), memory.get("hostSharedBytes"));
    assertEquals(2, memory.get("groups").size());
    assertEquals(
        memory.get("gpuBytes").asLong(),
        memory.get("groups").valueStream().mapToLong(one -> one.get("gpuBytes").asLong()).sum());
  }

  @Test
  void memoryOfATraceIsInTextJsonAndThePage() throws IOException {
    Path trace =
        Files.writeString(
            folder.resolve("calls.csv"),
            "group,operation,bytes,datatype,count\n0-7,all_reduce,64M,float,2\n");
    CliRun text = CliRun.of("workload", trace.toString(), "--machine", DGX_H100, "--memory");
    assertTrue(text.out().contains("\nmemory: NCCL takes "), text.out());
    String line = text.out().substring(text.out().indexOf("\nmemory: ") + "\nmemory: ".length());
    CliRun page =
        CliRun.of(
            "workload", trace.toString(), "--machine", DGX_H100, "--memory", "--format", "html");
    assertTrue(page.out().contains("<section id=\"memory\">"), page.out());
    assertTrue(
        page.out().contains("<p>" + line.lines().findFirst().orElseThrow() + ".</p>"), page.out());
    CliRun without =
        CliRun.of("workload", trace.toString(), "--machine", DGX_H100, "--format", "html");
    assertFalse(without.out().contains("<section id=\"memory\">"), without.out());
    CliRun csv =
        CliRun.of(
            "workload", trace.toString(), "--machine", DGX_H100, "--memory", "--format", "csv");
    assertEquals(2, csv.status());
    assertTrue(csv.err().contains("--memory: expected --format text, json or html"), csv.err());
  }

  private static JsonNode of(String... words) {
    CliRun run = CliRun.of(with(words, "--format", "json"));
    assertTrue(run.status() <= 1, run.err());
    return JsonMapper.shared().readTree(run.out());
  }
}
