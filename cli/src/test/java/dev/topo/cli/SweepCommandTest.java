package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SweepCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String SPEC =
      """
      machines: [%s/topologies/hgx-h200-4nic.xml]
      axes:
        nics: {"4": , "3": 'remove net:mlx5_3'}
      nodes: [2, 4]
      collectives: all_reduce
      sizes: [1M, 256M]
      """
          .formatted(ROOT);

  @TempDir private Path folder;

  private Path spec(String text) throws IOException {
    return Files.writeString(folder.resolve("small.yaml"), text);
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private static List<String> specFaults(String text) throws IOException {
    return validated(
        Files.readString(ROOT.resolve("docs/schema/sweep-spec.schema.json")),
        text,
        InputFormat.YAML);
  }

  private static List<String> validated(String schema, String text, InputFormat format) {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(schema, InputFormat.JSON)
        .validate(text, format)
        .stream()
        .map(Object::toString)
        .toList();
  }

  /** The memory of a row is that of {@code topo memory}; a limit leaves out what takes more. */
  @Test
  void rowsHaveTheMemoryThatTheirCallsTake() throws IOException {
    String spec = spec(SPEC + "memory: true\nlimits: {gpu-memory-mib: 900}\n").toString();
    assertEquals(List.of(), specFaults(Files.readString(Path.of(spec))));
    assertEquals(0, CliRun.of("sweep", spec, "-o", path("r"), "--jobs", "1").status());
    CliRun csv = CliRun.of("sweep", "show", path("r"), "--format", "csv");
    List<String> lines = csv.out().lines().toList();
    assertTrue(lines.get(0).endsWith(",caveats,gpu_memory_bytes"), lines.get(0));
    Map<String, Integer> most = new TreeMap<>();
    for (String line : lines.subList(1, lines.size())) {
      List<String> cells = List.of(line.split(",", -1));
      String nics = cells.get(3);
      String nodes = cells.get(5);
      int mib = (int) (Long.parseLong(cells.get(cells.size() - 1)) >> 20);
      most.merge(nics, mib, Math::max);
      if (nics.equals("4")) {
        String size = cells.get(11).equals("1048576") ? "1 MiB" : "256 MiB";
        CliRun memory =
            CliRun.of(
                "memory",
                ROOT + "/topologies/hgx-h200-4nic.xml",
                "--nodes",
                nodes,
                "--steps",
                "init,all_reduce " + size,
                "--format",
                "json");
        long expected =
            JsonMapper.shared().readTree(memory.out()).get("total").get("gpuBytes").asLong();
        assertEquals(expected, (long) mib << 20, line);
      }
    }
    assertEquals(2, most.size());
    CliRun show = CliRun.of("sweep", "show", path("r"));
    long kept = most.values().stream().filter(mib -> mib <= 900).count();
    assertEquals(kept == 0 ? 1 : 0, show.status(), show.out());
    assertTrue(show.out().contains("gpu-memory-mib 900"), show.out());
    String page = CliRun.of("sweep", "show", path("r"), "--format", "html").out();
    assertEquals(kept > 0, page.contains(">GPU memory"), page);
    int first = most.values().stream().filter(mib -> mib <= 900).findFirst().orElse(0);
    assertTrue(kept == 0 || page.contains("<td data-sort=\"" + ((long) first << 20) + "\""), page);
  }

  @Test
  void runsShardsAndMergesThem() throws IOException {
    String spec = spec(SPEC).toString();
    for (String shard : new String[] {"2/2", "1/2"}) {
      CliRun run = CliRun.of("sweep", spec, "-o", path("r"), "--shard", shard, "--jobs", "1");
      assertEquals(0, run.status(), run.err());
      assertEquals(
          "topo: small: shard " + shard + ", 1 of 2 parts in " + path("r") + "\n", run.err());
    }
    CliRun merge = CliRun.of("sweep", "merge", path("r"));
    assertEquals(0, merge.status(), merge.err());
    assertEquals("topo: small: 8 rows of 4 variants in " + path("r") + ", complete\n", merge.err());
    assertEquals(
        List.of(),
        SchemaTest.faults("sweep-folder", Files.readString(folder.resolve("r/sweep.json"))));
  }

  @Test
  void aMissingShardIsBadInput() throws IOException {
    String spec = spec(SPEC).toString();
    CliRun.of("sweep", spec, "-o", path("r"), "--shard", "1/2");
    CliRun merge = CliRun.of("sweep", "merge", path("r"));
    assertEquals(ExitStatus.BAD_INPUT, merge.status());
    assertTrue(merge.err().contains("1 of 2 parts are missing of shard 2/2"), merge.err());
  }

  @Test
  void aFolderThatHasOtherFilesIsRefusedAndKept() throws IOException {
    String spec = spec(SPEC).toString();
    Path mine =
        Files.writeString(
            Files.createDirectories(folder.resolve("r")).resolve("spec.yaml"), "mine\n");
    CliRun run = CliRun.of("sweep", spec, "-o", path("r"));
    assertEquals(ExitStatus.USAGE, run.status());
    assertEquals(
        "topo: "
            + path("r")
            + " is not a folder of results: it has spec.yaml, expected a new folder\n",
        run.err());
    CliRun.of("sweep", spec, "-o", path("s"));
    CliRun merge = CliRun.of("sweep", "merge", path("s"), "-o", path("r"));
    assertEquals(ExitStatus.USAGE, merge.status());
    assertTrue(merge.err().contains("it has spec.yaml, expected a new folder"), merge.err());
    assertEquals("mine\n", Files.readString(mine));
    try (Stream<Path> files = Files.list(folder.resolve("r"))) {
      assertEquals(List.of(mine), files.toList());
    }
  }

  /** Show, merge and a run that continues check alike. */
  @Test
  void aDamagedPartIsRefusedInTheSameWords() throws IOException {
    String results = swept(SPEC);
    List<Path> parts;
    try (Stream<Path> files = Files.list(folder.resolve("r"))) {
      parts = files.filter(file -> file.toString().endsWith(".csv.gz")).sorted().toList();
    }
    byte[] whole = Files.readAllBytes(parts.get(1));
    byte[] more = Arrays.copyOf(whole, whole.length + 1);
    for (byte[] damaged : List.of(more, Arrays.copyOf(whole, whole.length / 2))) {
      Files.write(parts.get(1), damaged);
      CliRun show = CliRun.of("sweep", "show", results);
      assertEquals(ExitStatus.BAD_INPUT, show.status());
      assertTrue(show.err().startsWith("topo: " + parts.get(1) + ": is damaged ("), show.err());
      assertEquals(show, CliRun.of("sweep", "merge", results));
      assertEquals(show, CliRun.of("sweep", "show", results, "--diff", "a,b"));
      assertEquals(show, CliRun.of("sweep", path("small.yaml"), "-o", results));
      assertEquals(show.err(), CliRun.of("sweep", "show", results, "--format", "csv").err());
    }
    Files.delete(parts.get(1));
    assertEquals(0, CliRun.of("sweep", path("small.yaml"), "-o", results).status());
    assertArrayEquals(whole, Files.readAllBytes(parts.get(1)));
  }

  @Test
  void aDryRunCountsWhatNoRunCanHave() throws IOException {
    StringBuilder text = new StringBuilder(SPEC.replace("nodes: [2, 4]", "nodes: 1"));
    text.setLength(text.indexOf("  nics:"));
    for (int axis = 0; axis < 12; axis++) {
      text.append("  a%d: {a: , b: , c: , d: , e: , f: , g: , h: }\n".formatted(axis));
    }
    String spec = spec(text + "collectives: all_reduce\nsizes: 1M\n").toString();
    CliRun dry = CliRun.of("sweep", spec, "--dry-run", "--format", "json");
    assertEquals(0, dry.status(), dry.err());
    assertEquals(
        "topo: note: cannot be run: 68719476736 variants, expected at most 1024000000 for a run: fewer axes or values\n",
        dry.err());
    assertEquals(List.of(), SchemaTest.faults("sweep-plan", dry.out()));
    assertTrue(dry.out().contains("\"variants\" : 68719476736"), dry.out());
    CliRun run = CliRun.of("sweep", spec, "-o", path("r"));
    assertEquals(ExitStatus.BAD_INPUT, run.status());
    assertEquals(
        "topo: "
            + spec
            + ": 68719476736 variants, expected at most 1024000000 for a run: fewer axes or values\n",
        run.err());
    assertTrue(Files.notExists(folder.resolve("r")));
  }

  @Test
  void theShippedSpecificationHasItsSchema() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/sweep/rails.yaml"));
    assertEquals(List.of(), specFaults(text));
    assertEquals(List.of(), specFaults(SPEC));
    assertEquals(List.of(), specFaults(TRACED));
    String domain =
        SPEC.replace("machines: [", "machines: {rack: {nvlink-domain: 2, file: ")
            .replace(".xml]", ".xml}}");
    assertEquals(List.of(), specFaults(domain));
    String job = Files.readString(ROOT.resolve("docs/sweep/job.yaml"));
    assertEquals(List.of(), specFaults(job));
    CliRun run = CliRun.of("sweep", ROOT.resolve("docs/sweep/job.yaml").toString(), "--dry-run");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("6 variants"), run.out());
    assertEquals(1, specFaults(text.replace("nodes:", "hosts:")).size());
  }

  @Test
  void usageAndBadInputHaveTheirStatus() throws IOException {
    assertEquals(ExitStatus.USAGE, CliRun.of("sweep").status());
    String spec = spec(SPEC).toString();
    assertEquals(ExitStatus.USAGE, CliRun.of("sweep", spec, "--jobs", "0").status());
    assertEquals(ExitStatus.USAGE, CliRun.of("sweep", spec, "--shard", "3/2").status());
    CliRun tried =
        CliRun.of("sweep", spec(SPEC.replace("net:mlx5_3", "net:mlx5_9")).toString(), "--dry-run");
    assertEquals(0, tried.status());
    assertTrue(
        tried
            .err()
            .contains("note: of 4 variants that were tried 4 rows have no time, the first: "),
        tried.err());
    assertTrue(tried.err().contains("the machine has no net:mlx5_9"), tried.err());
    CliRun gone = CliRun.of("sweep", spec(SPEC.replace("4nic.xml", "9nic.xml")).toString());
    assertEquals(ExitStatus.BAD_INPUT, gone.status());
    assertTrue(gone.err().startsWith("topo: " + path("small.yaml:1:12: '")), gone.err());
    CliRun bad = CliRun.of("sweep", spec(SPEC + "hosts: 3\n").toString());
    assertEquals(ExitStatus.BAD_INPUT, bad.status());
    assertTrue(bad.err().contains("small.yaml:7:1: key hosts: expected one of"), bad.err());
  }

  private String swept(String text) throws IOException {
    CliRun run = CliRun.of("sweep", spec(text).toString(), "-o", path("r"));
    assertEquals(0, run.status(), run.err());
    return path("r");
  }

  @Test
  void showsDesignsInOrderOfMerit() throws IOException {
    String results = swept(SPEC + "prices: {node: 100, nic: 10}\nobjective: speed-per-price\n");
    String text = CliRun.of("sweep", "show", results).out();
    assertTrue(text.contains("\n\nsmall: 2 designs in 4 scenarios, by speed per price\n"), text);
    assertTrue(
        text.startsWith(
            "Best of 2 designs by speed per price over 4 scenarios: nics 4 at a price of 140 a node; the next (nics 3) reaches 93 %"),
        text);
    assertTrue(text.contains("\n\nrests on: "), text);
    assertTrue(text.contains("What matters most is nics"), text);
    CliRun json = CliRun.of("sweep", "show", results, "--format", "json");
    assertEquals(List.of(), SchemaTest.faults("sweep", json.out()));
    JsonNode answer = JsonMapper.shared().readTree(json.out());
    // Fewer NICs are slower and cheaper: none beats the other.
    assertEquals(
        answer.get("designs").valueStream().map(design -> design.get("place").asInt()).toList(),
        answer.get("front").valueStream().map(JsonNode::asInt).sorted().toList());
    String limited =
        CliRun.of("sweep", "show", results, "--spec", spec(SPEC + "limits: {nics: 3}\n").toString())
            .out();
    assertTrue(limited.contains("1 design in 4 scenarios, by speed, 1 more do not keep"), limited);
    CliRun none =
        CliRun.of(
            "sweep", "show", results, "--spec", spec(SPEC + "limits: {nics: 1}\n").toString());
    assertEquals(ExitStatus.NO, none.status());
    assertTrue(none.out().startsWith("No design keeps the limits: nics 1.\n\n"), none.out());
    assertTrue(
        none.out()
            .contains("rests on: limits: the best design by each limit alone reaches nics 3\n"),
        none.out());
  }

  @Test
  void comparesTwoVariants() throws IOException {
    String results = swept(SPEC);
    List<String> keys =
        CliRun.of("sweep", "show", results, "--format", "csv")
            .out()
            .lines()
            .skip(1)
            .map(row -> row.split(",", 3)[1])
            .distinct()
            .toList();
    assertEquals(4, keys.size());
    String two = keys.get(0) + "," + keys.get(2).substring(0, 10);
    String text = CliRun.of("sweep", "show", results, "--diff", two).out();
    assertTrue(
        text.contains("\n  nics: 4 -> 3\n  both: machine hgx-h200-4nic, fabric wide, nodes 2\n"),
        text);
    assertTrue(text.contains("all_reduce 256 MiB"), text);
    CliRun json = CliRun.of("sweep", "show", results, "--diff", two, "--format", "json");
    assertEquals(List.of(), SchemaTest.faults("sweep-diff", json.out()));
    CliRun none = CliRun.of("sweep", "show", results, "--diff", "xyz," + keys.get(0));
    assertEquals(ExitStatus.USAGE, none.status());
    assertTrue(none.err().contains("--diff xyz: no variant has it"), none.err());
  }

  @Test
  void thePageIsTheSameEachTime() throws IOException {
    String results = swept(SPEC);
    String page = CliRun.of("sweep", "show", results, "--format", "html").out();
    assertTrue(page.contains("<section id=\"front\">"), page);
    int policy =
        page.indexOf("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    assertTrue(policy > 0 && policy < page.indexOf("<style>"), page);
    assertTrue(page.contains("<section id=\"scaling\">"), page);
    assertTrue(page.contains(">at 4 nodes nics 4 is fastest, "), page);
    assertFalse(page.contains("GB/s</text"), "its charts are of times");
    assertEquals(page, CliRun.of("sweep", "show", results, "--format", "html").out());
  }

  /** Names of a specification are text of the page, in its drawings too. */
  @Test
  void namesOfASpecificationAreNoMarkup() throws IOException {
    String hostile = "</style><script>alert(1)</script><img src=//x onerror=alert(1)>";
    String results =
        swept(SPEC.replace("\"4\": ,", "'" + hostile + "': ,") + "name: '" + hostile + "'\n");
    String page = CliRun.of("sweep", "show", results, "--format", "html").out();
    assertTrue(page.contains("&lt;script"), page);
    assertFalse(page.contains("<script>alert") || page.contains("<img"), page);
    assertEquals(1, page.split("<script", -1).length - 1);
  }

  /** The arguments of the manifest are those of a run, and as many shards as completions. */
  @Test
  void theShippedManifestIsAnIndexedJob() throws IOException {
    String text = Files.readString(ROOT.resolve("examples/sweep/job.yaml"));
    String schema = jobSchema();
    assertEquals(List.of(), validated(schema, text, InputFormat.YAML));
    assertEquals(
        1, validated(schema, text.replace("kind: Job", "kind: Pod"), InputFormat.YAML).size());
    String completions = text.replaceAll("(?s).*\\n  completions: (\\d+)\\n.*", "$1");
    String arguments = text.replaceAll("(?s).*\\n *args: \\[([^]]*)].*", "$1");
    List<String> words = new ArrayList<>();
    for (String word : arguments.split(", ", -1)) {
      words.add(
          word.equals("/results")
              ? path("pods")
              : word.equals("/spec/designs.yaml") ? spec(SPEC).toString() : word);
    }
    assertTrue(words.contains("/" + completions), words.toString());
    for (int index = 0; index < Integer.parseInt(completions); index++) {
      CliRun pod =
          CliRun.withEnvironment(
              Map.of("JOB_COMPLETION_INDEX", String.valueOf(index)), words.toArray(String[]::new));
      assertEquals(0, pod.status(), pod.err());
    }
    assertEquals(0, CliRun.of("sweep", "merge", path("pods")).status());
  }

  private static String jobSchema() throws IOException {
    return new String(
        SweepCommandTest.class.getResourceAsStream("kubernetes-job.schema.json").readAllBytes(),
        StandardCharsets.UTF_8);
  }

  /** Also that of the sweep runs as the user of the image, which is not root. */
  @Test
  void theShippedManifestForANodeNamesItsGpus() throws IOException {
    String text = Files.readString(ROOT.resolve("examples/probe-job.yaml"));
    assertEquals(List.of(), validated(jobSchema(), text, InputFormat.YAML));
    assertTrue(text.contains("nvidia.com/gpu: \""), text);
    String image = Files.readString(ROOT.resolve("packaging/oci.py"));
    String number = image.replaceAll("(?s).*\"User\": \"(\\d+):.*", "$1");
    String user = "runAsUser: " + number + "\n";
    assertTrue(text.contains(user) && text.contains("runAsNonRoot: true\n"), user);
    assertTrue(Files.readString(ROOT.resolve("examples/sweep/job.yaml")).contains(user), user);
    assertFalse(
        validated(jobSchema(), text.replace(user, "runAsUser: 0\n"), InputFormat.YAML).isEmpty());
  }

  private static final String TRACED =
      """
      machines: [%s/topologies/hgx-h200-4nic.xml]
      axes: {nics: {"4": , "2": 'remove net:mlx5_1 net:mlx5_3'}}
      nodes: [1, 3]
      workloads:
        table: {traces: calls.csv, scale: dp}
        fsdp: {traces: '%s/src/test/resources/measured/h200-x2-workloads/fsdp.rank*.json.gz', scale: dp}
      """
          .formatted(ROOT, ROOT);

  /** Groups of all GPUs of a node, and two at once within it. */
  private void calls() throws IOException {
    Files.writeString(
        folder.resolve("calls.csv"),
        """
        group,operation,bytes,datatype,count
        0-7,all_gather,64M,bfloat16,12
        0-7,reduce_scatter,64M,bfloat16,12
        "0,1,2,3",all_reduce,32M,bfloat16,10
        "4,5,6,7",all_reduce,32M,bfloat16,10
        """);
  }

  /** Shards may name the specification in other ways. */
  @Test
  void rowsDoNotDependOnWhereTheSpecificationIs() throws IOException {
    String text = SPEC.replace("remove net:mlx5_3", "remove net:none_3");
    List<String> tables = new ArrayList<>();
    for (String name : new String[] {"a", "b"}) {
      Path file = Files.createDirectories(folder.resolve(name)).resolve("small.yaml");
      CliRun.of("sweep", Files.writeString(file, text).toString(), "-o", path("r" + name));
      tables.add(CliRun.of("sweep", "show", path("r" + name), "--format", "csv").out());
    }
    assertTrue(
        tables.get(0).contains(",\"small.yaml:3:22: edit:1:8: the machine has no net:none_3"),
        tables.get(0));
    assertEquals(tables.get(0), tables.get(1));
  }

  /** A job that does not fit a variant has a reason, not a time. */
  @Test
  void rowsWithoutATimeAreCounted() throws IOException {
    calls();
    String spec =
        TRACED.replace(", scale: dp}", "}").replace("remove net:mlx5_1 net:mlx5_3", "remove gpu:7");
    CliRun run = CliRun.of("sweep", spec(spec).toString(), "-o", path("r"));
    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().contains(" rows have no time"), run.err());
    String csv = CliRun.of("sweep", "show", path("r"), "--format", "csv").out();
    assertTrue(csv.contains("the traces have 8 ranks, which are 1 of these nodes: expected"), csv);
  }

  @Test
  void aFaultOfTracesComesBeforeAnyResult() throws IOException {
    CliRun none = CliRun.of("sweep", spec(TRACED.replace("calls.csv", "call*.txt")).toString());
    assertEquals(ExitStatus.BAD_INPUT, none.status());
    assertTrue(
        none.err().contains("small.yaml:5:19: 'call*.txt': no such file, expected traces"),
        none.err());
    Files.writeString(
        folder.resolve("calls.csv"),
        "group,operation,bytes,datatype,count\n0-7,all_gether,1M,half,1\n");
    CliRun bad = CliRun.of("sweep", spec(TRACED).toString(), "-o", path("r"));
    assertEquals(ExitStatus.BAD_INPUT, bad.status());
    assertTrue(bad.err().contains("calls.csv:2:5: "), bad.err());
    assertTrue(Files.notExists(folder.resolve("r")));
  }
}
