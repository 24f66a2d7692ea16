package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A made-up job of 32 ranks on four nodes of eight GPUs: tensor parallelism in a node, the third
 * group of which is slow, and data parallelism between the GPUs at the same place of all nodes.
 */
class WorkloadGroupsTest {
  private static final int RANKS = 32;
  private static final int GPUS = 8;
  private static final int SLOW = 2;
  private static final String MACHINE =
      Path.of(System.getProperty("topo.root"), "topologies/dgx-h100.xml").toString();

  @TempDir private static Path folder;

  @BeforeAll
  static void write() throws IOException {
    for (int rank = 0; rank < RANKS; rank++) {
      int node = rank / GPUS;
      int gpu = rank % GPUS;
      List<String> events = new ArrayList<>();
      for (int call = 0; call < 4; call++) {
        List<Integer> tensor = ranks(node * GPUS, 1, GPUS);
        events.add(event("tp", tensor, 2000 * call, node == SLOW ? 300 : 200));
        events.add(event("dp", ranks(gpu, GPUS, RANKS / GPUS), 2000 * call + 1000, 600));
      }
      Files.writeString(
          folder.resolve("r%02d.json".formatted(rank)),
          "{\"distributedInfo\":{\"rank\":%d,\"world_size\":%d,\"nccl_version\":\"2.28.9\"},\"traceEvents\":[%s]}"
              .formatted(rank, RANKS, String.join(",\n", events)));
    }
  }

  private static List<Integer> ranks(int first, int step, int count) {
    return IntStream.range(0, count).map(i -> first + i * step).boxed().toList();
  }

  private static String event(String group, List<Integer> ranks, int start, int duration) {
    return ("{\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)\",\"ts\":%d,\"dur\":%d,"
            + "\"args\":{\"grid\":[24,1,1],\"block\":[544,1,1],\"Collective name\":\"allreduce\",\"In msg nelems\":16777216,"
            + "\"Out msg nelems\":16777216,\"Group size\":%d,\"dtype\":\"BFloat16\",\"Process Group Name\":\"%s%d\","
            + "\"Process Group Description\":\"%s\",\"Process Group Ranks\":\"%s\"}}")
        .formatted(start, duration, ranks.size(), group, ranks.get(0), group, ranks);
  }

  private static String run(String... options) throws IOException {
    List<String> words = new ArrayList<>(List.of("workload"));
    try (var files = Files.list(folder)) {
      words.addAll(
          files.map(Path::toString).filter(name -> name.endsWith(".json")).sorted().toList());
    }
    words.addAll(List.of("--machine", MACHINE, "--nodes", "4"));
    words.addAll(List.of(options));
    CliRun run = CliRun.of(words.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  private static List<String> rows(String text, String heading) {
    return text.substring(text.indexOf(heading))
        .lines()
        .skip(2)
        .takeWhile(line -> !line.isBlank())
        .filter(line -> !line.startsWith("  all: "))
        .toList();
  }

  @Test
  void groupsOfOneKindAreOneLine() throws IOException {
    String text = run();
    List<String> calls = rows(text, "\ncalls,");
    assertEquals(2, calls.size() - 1, text);
    String words = String.join("\n", calls);
    assertTrue(words.contains("tp (8), 4 groups  16 "), text);
    assertTrue(words.contains("dp (4), 8 groups  32 "), text);
    String spread = String.join("\n", rows(text, "\ngroups of one kind"));
    assertTrue(spread.matches("(?s).*16-23 +slower than the others.*"), text);
    // Of 200, 200, 200 and 300 us.
    assertTrue(spread.matches("(?s).* 200[.]0 us +270[.]0 us +300[.]0 us .*"), text);
    assertTrue(text.contains("of 2 kinds as expected"), text);
  }

  /** Eight groups between nodes rest on the same; those in a node do not. */
  @Test
  void whatExpectedTimesRestOnIsSaidOnceWithItsGroups() throws IOException {
    String text = run();
    assertEquals(
        2, text.split("rests on: group dp: between nodes: network rdma: ", -1).length, text);
    JsonNode basis = JsonMapper.shared().readTree(run("--format", "json")).get("basis");
    String whole = text.replace("\n  ", " ");
    assertTrue(whole.contains("rests on: " + basis.get(0).asString()), basis.toString());
  }

  @Test
  void aChangeThatMeetsOneGroupHasALineOfItsOwn() throws IOException {
    JsonNode document =
        JsonMapper.shared().readTree(run("--whatif", "remove net:mlx5_3", "--format", "json"));
    assertEquals(List.of(8, 4), ints(document.get("calls"), "groups"));
    JsonNode changed = document.get("change").get("calls");
    assertEquals(List.of(1), ints(changed, "groups"));
    assertEquals(List.of(4), ints(changed, "count"));
    JsonNode spread = document.get("calls").get(1).get("groupSpread");
    assertEquals("16-23", spread.get("slowestRanks").asString());
    assertTrue(spread.get("slowestApart").asBoolean());
    // One of eight groups, to which each rank belongs one time in eight, makes four longer calls.
    double factor =
        changed.get(0).get("predictedAfterUs").asDouble()
            / changed.get(0).get("predictedUs").asDouble();
    JsonNode change = document.get("change");
    assertEquals(
        (factor - 1) * 4 * 600 / 8,
        change.get("after").get("communicationUs").asDouble()
            - change.get("before").get("communicationUs").asDouble(),
        0.1);
  }

  private static List<Integer> ints(JsonNode nodes, String field) {
    List<Integer> values = new ArrayList<>();
    nodes.forEach(node -> values.add(node.get(field).asInt()));
    return values;
  }

  @Test
  void aTableHasTheGroupsOfEachRow() throws IOException {
    List<String> lines = run("--whatif", "remove net:mlx5_3", "--format", "csv").lines().toList();
    List<String> names = List.of(lines.get(0).split(",", -1));
    assertEquals(
        "dp 7, tp 4, dp 1",
        lines.stream()
            .skip(1)
            .map(line -> List.of(line.replaceAll("\"[^\"]*\"", "").split(",", -1)))
            .map(cells -> cells.get(0) + " " + cells.get(names.indexOf("groups")))
            .collect(Collectors.joining(", ")));
  }

  @Test
  void thePageHasTheGroups() throws IOException {
    Path page = folder.resolve("groups.html");
    run("-o", page.toString());
    String html = Files.readString(page);
    assertTrue(html.contains("id=\"groups\""), "section");
    assertTrue(html.contains("tp (8), 4 groups"), "row");
  }
}
