package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditParser;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  private static List<String> faults(String schema, String text, InputFormat format)
      throws IOException {
    return validated(
        Files.readString(ROOT.resolve("docs/schema/" + schema + ".schema.json")), text, format);
  }

  private static List<String> validated(String schema, String text, InputFormat format) {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(schema, InputFormat.JSON)
        .validate(text, format)
        .stream()
        .map(Object::toString)
        .toList();
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
        faults("sweep-folder", Files.readString(folder.resolve("r/sweep.json")), InputFormat.JSON));
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
  void theShippedSpecificationHasItsSchema() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/sweep/rails.yaml"));
    assertEquals(List.of(), faults("sweep-spec", text, InputFormat.YAML));
    assertEquals(List.of(), faults("sweep-spec", SPEC, InputFormat.YAML));
    assertEquals(
        1, faults("sweep-spec", text.replace("nodes:", "hosts:"), InputFormat.YAML).size());
  }

  @Test
  void usageAndBadInputHaveTheirStatus() throws IOException {
    assertEquals(ExitStatus.USAGE, CliRun.of("sweep").status());
    String spec = spec(SPEC).toString();
    assertEquals(ExitStatus.USAGE, CliRun.of("sweep", spec, "--jobs", "0").status());
    assertEquals(ExitStatus.USAGE, CliRun.of("sweep", spec, "--shard", "3/2").status());
    CliRun bad = CliRun.of("sweep", spec(SPEC + "hosts: 3\n").toString());
    assertEquals(ExitStatus.BAD_INPUT, bad.status());
    assertTrue(bad.err().contains("small.yaml:7:8: '3': key hosts: expected one of"), bad.err());
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
    assertTrue(text.startsWith("small: 2 designs in 4 scenarios, by speed per price\n  ! "), text);
    assertTrue(text.contains("Best by speed per price over 4 scenarios: nics 4"), text);
    assertTrue(text.contains("What matters most is nics"), text);
    CliRun json = CliRun.of("sweep", "show", results, "--format", "json");
    assertEquals(List.of(), faults("sweep", json.out(), InputFormat.JSON));
    String limited =
        CliRun.of("sweep", "show", results, "--spec", spec(SPEC + "limits: {nics: 3}\n").toString())
            .out();
    assertTrue(limited.contains("1 design in 4 scenarios, by speed, 1 more do not keep"), limited);
  }

  /** A row is what topo predict answers for the edited machine: the same digits. */
  @Test
  void rowsAreThoseOfPredict() throws IOException {
    String csv = CliRun.of("sweep", "show", swept(SPEC), "--format", "csv").out();
    String predicted =
        CliRun.of(
                "predict",
                ROOT.resolve("topologies/hgx-h200-4nic.xml").toString(),
                "--nodes",
                "2,4",
                "--collective",
                "all_reduce",
                "--sizes",
                "1M,256M",
                "--format",
                "csv")
            .out();
    List<String> rows = csv.lines().skip(1).toList();
    assertEquals(8, rows.size());
    List<String> expected = predicted.lines().skip(1).toList();
    for (int i = 0; i < 4; i++) {
      String[] own = rows.get(i).split(",", -1);
      String[] one = expected.get(i).split(",", -1);
      // nodes, algorithm, protocol, channels, bytes, time with its range, algbw, busbw
      int[] columns = {5, 12, 13, 14, 11, 15, 16, 17, 18, 19};
      int[] others = {0, 2, 3, 4, 5, 6, 7, 8, 9, 10};
      for (int c = 0; c < columns.length; c++) {
        assertEquals(one[others[c]], own[columns[c]], rows.get(i));
      }
    }
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
    assertTrue(text.contains("\n  nics: 4 -> 3\n"), text);
    assertTrue(text.contains("all_reduce 256 MiB"), text);
    CliRun json = CliRun.of("sweep", "show", results, "--diff", two, "--format", "json");
    assertEquals(List.of(), faults("sweep-diff", json.out(), InputFormat.JSON));
    CliRun none = CliRun.of("sweep", "show", results, "--diff", "xyz," + keys.get(0));
    assertEquals(ExitStatus.USAGE, none.status());
    assertTrue(none.err().contains("--diff xyz: no variant has it"), none.err());
  }

  @Test
  void thePageIsTheSameEachTime() throws IOException {
    String results = swept(SPEC);
    String page = CliRun.of("sweep", "show", results, "--format", "html").out();
    assertTrue(page.contains("<section id=\"front\">"), page);
    assertTrue(page.contains("<section id=\"scaling\">"), page);
    assertEquals(page, CliRun.of("sweep", "show", results, "--format", "html").out());
  }

  /** The arguments of the manifest are those of a run, and as many shards as completions. */
  @Test
  void theShippedManifestIsAnIndexedJob() throws IOException {
    String text = Files.readString(ROOT.resolve("examples/sweep/job.yaml"));
    String schema =
        new String(
            SweepCommandTest.class.getResourceAsStream("kubernetes-job.schema.json").readAllBytes(),
            StandardCharsets.UTF_8);
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

  /** Drawn variants of a larger sweep: what predict answers for the edited machine in a file. */
  @Test
  void drawnRowsAreThoseOfPredictForTheEditedFile() throws IOException {
    String csv =
        CliRun.of(
                "sweep",
                "show",
                swept(
                    """
                    machines: [%s/topologies/hgx-h200-4nic.xml]
                    axes:
                      nics: {"4": , "3": 'remove net:mlx5_3', "2": 'remove net:mlx5_1 net:mlx5_3'}
                      place: {placements: 12}
                      speed: {a: , b: 'net:*.speed=200000'}
                    nodes: [2, 8]
                    collectives: [all_reduce, all_gather, alltoall]
                    sizes: [1M, 256M]
                    """
                        .formatted(ROOT)),
                "--format",
                "csv")
            .out();
    List<String> rows = csv.lines().skip(1).toList();
    Random random = new Random(26);
    for (int i = 0; i < Integer.getInteger("test.iters", 6); i++) {
      String row = rows.get(random.nextInt(rows.size()));
      // No name of this sweep has a comma; edits neither.
      String[] cells = row.split(",", -1);
      String edits = cells[23];
      XmlDocument machine = new XmlReader().read(ROOT.resolve("topologies/hgx-h200-4nic.xml"));
      XmlDocument edited =
          new EditApplier(new XmlReader()::read, document -> {})
              .apply(
                  EditedMachine.of(machine, NcclSettings.DEFAULTS), EditParser.parse(edits, "row"))
              .machine();
      Path file = Files.writeString(folder.resolve("edited.xml"), XmlWriter.write(edited));
      String predicted =
          CliRun.of(
                  "predict",
                  file.toString(),
                  "--nodes",
                  cells[7],
                  "--collective",
                  cells[12],
                  "--sizes",
                  cells[13],
                  "--format",
                  "csv")
              .out();
      String[] one = predicted.lines().skip(1).findFirst().orElseThrow().split(",", -1);
      assertEquals(
          List.of(one).subList(2, 5), List.of(cells).subList(14, 17), row + "\n" + predicted);
      assertEquals(
          List.of(one).subList(6, 11), List.of(cells).subList(17, 22), row + "\n" + predicted);
    }
  }
}
