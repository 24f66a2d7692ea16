package dev.topo.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditParser;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The rows of a sweep have the digits of the commands that answer the same question. */
class SweepRowsTest {
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

  @TempDir private Path folder;

  private Path spec(String text) throws IOException {
    return Files.writeString(folder.resolve("small.yaml"), text);
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private String swept(String text) throws IOException {
    CliRun run = CliRun.of("sweep", spec(text).toString(), "-o", path("r"));
    assertEquals(0, run.status(), run.err());
    return path("r");
  }

  private Path edited(Path machine, String edits) throws IOException {
    XmlDocument document =
        new EditApplier(file -> new XmlReader().read(file, new Inputs()), one -> {})
            .apply(
                EditedMachine.of(
                    new XmlReader().read(machine, new Inputs()), NcclSettings.DEFAULTS),
                EditParser.parse(edits, "row"))
            .machine();
    return Files.writeString(folder.resolve("edited.xml"), XmlWriter.write(document));
  }

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

  private static String workload(Path machine, String format, String... traces) {
    List<String> words = new ArrayList<>(List.of("workload"));
    words.addAll(List.of(traces));
    words.addAll(
        List.of(
            "--machine", machine.toString(), "--nodes", "3", "--scale", "dp", "--format", format));
    CliRun run = CliRun.of(words.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return run.out();
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
      Path file = edited(ROOT.resolve("topologies/hgx-h200-4nic.xml"), edits);
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

  /** A row of traces is the step that topo workload expects on the edited machine. */
  @Test
  void rowsOfTracesAreThoseOfWorkload() throws IOException {
    calls();
    String csv = CliRun.of("sweep", "show", swept(TRACED), "--format", "csv").out();
    Path edited =
        edited(ROOT.resolve("topologies/hgx-h200-4nic.xml"), "remove net:mlx5_1 net:mlx5_3");
    List<String> rows = csv.lines().skip(1).toList();
    assertEquals(8, rows.size(), csv);
    String json = workload(edited, "json", path("calls.csv"));
    String after = json.replaceAll("(?s).*\"after\" : \\{(.*?)}.*", "$1");
    String[] table = rows.get(6).split(",", -1);
    for (String[] field :
        new String[][] {
          {"communicationUs", table[15]}, {"lowUs", table[16]}, {"highUs", table[17]}
        }) {
      assertTrue(after.contains("\"%s\" : %s".formatted(field[0], field[1])), after + rows.get(6));
    }
    String traces = ROOT + "/src/test/resources/measured/h200-x2-workloads/fsdp.rank";
    double step = 0;
    List<String> lines =
        workload(edited, "csv", traces + "0.json.gz", traces + "1.json.gz").lines().toList();
    int beforeCaveats = lines.get(0).split(",").length - 2;
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      step += Long.parseLong(cells[5]) * Double.parseDouble(cells[beforeCaveats]) / 3;
    }
    assertEquals(step, Double.parseDouble(rows.get(7).split(",", -1)[15]), 1e-5 * step);
    assertTrue(
        rows.get(6).contains("table: groups that span all nodes, with calls of the same size: 0-7"),
        rows.get(6));
  }

  /** Edits are about a whole domain, as those of topo whatif. */
  @Test
  void nodesOfAnNvlinkDomainAreThoseOfPredict() throws IOException {
    String spec =
        """
        machines: {rack: {file: %s/topologies/gb200-tray.xml, nvlink-domain: 2}}
        axes: {x: {whole: , part: 'remove net:mlx5_1'}}
        nodes: [3, 4]
        collectives: [all_reduce, alltoall]
        sizes: 64M
        """
            .formatted(ROOT);
    List<String> rows =
        CliRun.of("sweep", "show", swept(spec), "--format", "csv").out().lines().skip(1).toList();
    assertTrue(
        rows.get(0).contains("nvlink-domain 2: expected numbers that add up to the 3 nodes"),
        rows.get(0));
    Path tray = ROOT.resolve("topologies/gb200-tray.xml");
    for (int design = 0; design < 2; design++) {
      Path file = design == 0 ? tray : edited(tray, "remove net:mlx5_1");
      List<String> expected =
          CliRun.of(
                  CliRun.words(
                          "predict %s --nodes 4 --nvlink-domain 2 --collective all_reduce,alltoall --sizes 64M --format csv"
                              .formatted(file))
                      .toArray(String[]::new))
              .out()
              .lines()
              .skip(1)
              .toList();
      for (int call = 0; call < 2; call++) {
        String[] own = rows.get(4 * design + 2 + call).split(",", -1);
        String[] one = expected.get(call).split(",", -1);
        assertEquals(
            List.of("4", "16", design == 0 ? "4" : "3"),
            List.of(own).subList(5, 8).stream().toList());
        assertEquals(List.of(one).subList(6, 11), List.of(own).subList(15, 20));
      }
    }
  }

  /** The axis of placements has those of topo whatif --all-placements, with the same busbw. */
  @Test
  void placementsAreThoseOfWhatif() throws IOException {
    String machine = ROOT.resolve("topologies/hgx-h200-4nic.xml").toString();
    String json =
        CliRun.of(
                "whatif",
                machine,
                "--all-placements",
                "--max-placements",
                "3",
                "--nodes",
                "2",
                "--format",
                "json")
            .out();
    Map<String, String> expected = new TreeMap<>();
    for (JsonNode placement : new JsonMapper().readTree(json).get("placements")) {
      List<String> edits = new ArrayList<>();
      placement.get("edits").forEach(edit -> edits.add(edit.asString()));
      expected.put(String.join("; ", edits), placement.get("busbwGBps").asString());
    }
    String csv =
        CliRun.of(
                "sweep",
                "show",
                swept(
                    "machines: [%s]\nnodes: 2\naxes: {place: {placements: 3}}\ncollectives: all_reduce\nsizes: 1G\n"
                        .formatted(machine)),
                "--format",
                "csv")
            .out();
    Map<String, String> own = new TreeMap<>();
    for (String row : csv.lines().skip(1).toList()) {
      String[] cells = row.split(",", -1);
      own.put(cells[21], cells[19]);
    }
    assertEquals(3, own.size(), csv);
    assertEquals(expected, own);
  }
}
