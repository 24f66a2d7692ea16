package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.Topo;
import dev.topo.cli.fixture.CliRun;
import dev.topo.cli.help.Completion;
import dev.topo.model.xml.NamedMachine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines that a command line names instead of a file. */
class MachinesCommandTest {
  private static final Path TOPOLOGIES = Path.of(System.getProperty("topo.root"), "topologies");

  @TempDir private Path folder;

  private static String file(String machine) {
    return TOPOLOGIES.resolve(machine + ".xml").toString();
  }

  @Test
  void everyShippedFileAndEveryInstanceTypeHasANameAndSource() throws Exception {
    try (Stream<Path> files = Files.list(TOPOLOGIES)) {
      List<String> shipped =
          files
              .map(path -> path.getFileName().toString())
              .filter(name -> name.endsWith(".xml"))
              .map(name -> name.replace(".xml", ""))
              .sorted()
              .toList();
      assertEquals(
          shipped,
          NamedMachine.all().stream()
              .filter(NamedMachine::isShipped)
              .map(NamedMachine::name)
              .sorted()
              .toList());
    }
    List<NamedMachine> types =
        NamedMachine.all().stream().filter(machine -> !machine.isShipped()).toList();
    assertTrue(types.size() >= 40, types.size() + " instance types");
    types.forEach(type -> assertTrue(type.source().contains("."), type.toString()));
  }

  @ParameterizedTest
  @CsvSource({
    "dgx-h100, dgx-h100",
    "bm.gpu.h100.8, dgx-h100",
    "nd-a100-v4, dgx-a100",
    "Standard_ND96isr_H200_v5, hgx-h200"
  })
  void aNameIsTheShippedMachine(String name, String machine) {
    assertEquals(
        CliRun.of("paths", file(machine), "--format", "tsv").out(),
        CliRun.of("paths", name, "--format", "tsv").out());
  }

  @Test
  void portsOfAnInstanceTypeAreItsOwn() {
    assertTrue(CliRun.of("show", "a3-megagpu-8g", "-v").out().contains("200 Gb/s"));
    String efa = CliRun.of("predict", "p5.48xlarge", "--nodes", "2", "-v").out();
    String stated =
        CliRun.of("predict", file("dgx-h100"), "--nodes", "2", "--network", "efa", "-v").out();
    assertEquals(firstLine(stated).replace("dgx-h100", "p5.48xlarge"), firstLine(efa));
  }

  private static String firstLine(String out) {
    return out.lines().findFirst().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "18, 18", "36, 18", "20, '18,2'"})
  void nodesOfARackAreOneDomain(String nodes, String domains) {
    String rack = CliRun.of("connect", "gb200-nvl72", "--nodes", nodes, "--format", "tsv").out();
    String tray =
        CliRun.of(
                "connect",
                file("gb200-tray"),
                "--nodes",
                nodes,
                "--nvlink-domain",
                domains,
                "--format",
                "tsv")
            .out();
    assertEquals(tray, rack);
  }

  @Test
  void statedDomainsAndTheLibraryAgree() {
    String alone =
        CliRun.of("connect", "gb200-nvl72", "--nodes", "4", "--nvlink-domain", "1").out();
    assertTrue(alone.contains("4 nodes"), alone);
    assertEquals(1, Topo.open(Path.of("gb200-nvl72")).nodes(4).connect().nNodes());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "show NAME",
        "paths NAME",
        "search NAME",
        "connect NAME --nodes 2",
        "tune NAME",
        "explain NAME",
        "predict NAME",
        "predict --node NAME*2",
        "memory NAME",
        "whatif NAME 'remove net:mlx5_3'",
        "whatif dgx-a100 'machine NAME'",
        "diff NAME dgx-a100",
        "upgrade NAME --from 2.27.5 --to 2.28.9",
        "advise NAME --collective all_gather --sizes 1M",
        "lint NAME",
        "draw NAME",
        "chart --machine NAME --collective all_reduce -o CHART"
      })
  void everyCommandTakesANameAndAFileOfThatNameWins(String call) throws Exception {
    String named = call.replace("CHART", folder.resolve("chart.svg").toString());
    CliRun run = CliRun.of(CliRun.words(named.replace("NAME", "hgx-h100")).toArray(String[]::new));
    assertTrue(run.status() <= 1, named + run.err());
    if (!call.startsWith("chart")) {
      assertFalse(run.out().isEmpty());
    }
  }

  @Test
  void aFileOfTheNameWins() throws Exception {
    Path file = folder.resolve("dgx-h100");
    Files.copy(TOPOLOGIES.resolve("l40s-4.xml"), file);
    assertTrue(CliRun.of("show", file.toString()).out().contains("4 GPUs"));
    assertTrue(NamedMachine.of(file).isEmpty());
    assertTrue(NamedMachine.of(Path.of("dgx-h100")).isPresent());
  }

  @Test
  void theAssumptionIsSaidOnceByEveryQuestion() {
    for (String call :
        List.of("predict NAME", "search NAME", "tune NAME", "memory NAME", "show NAME")) {
      String out =
          CliRun.of(CliRun.words(call.replace("NAME", "hgx-a100")).toArray(String[]::new))
              .out()
              .replaceAll("\\s+", " ");
      assertEquals(2, out.split("machine-name:", -1).length, call + out);
      assertTrue(out.contains("assumed as in DGX A100"), out);
      assertFalse(
          CliRun.of(call.replace("NAME", file("dgx-a100")).split(" "))
              .out()
              .contains("machine-name"));
    }
  }

  @Test
  void anUnknownNameHasOneLineWithTheNearest() {
    CliRun run = CliRun.of("predict", "p5.48xlrge");
    assertEquals(3, run.status());
    assertEquals(
        "topo: p5.48xlrge: no such file, expected an XML file or a name of topo machines;"
            + " did you mean p5.48xlarge or p5e.48xlarge?\n",
        run.err());
    assertEquals(
        "topo: no/such.xml: no such file, expected an XML file\n",
        CliRun.of("predict", "no/such.xml").err());
  }

  @Test
  void aSweepTakesNames() throws Exception {
    Path spec =
        Files.writeString(
            folder.resolve("spec.yaml"),
            "machines: {a: p5.48xlarge, b: hgx-h100}\nnodes: [2]\nworkloads: {a: [{collective: all_reduce, bytes: 1M, count: 2}]}\n");
    CliRun run = CliRun.of("sweep", spec.toString(), "-o", folder.resolve("out").toString());
    assertEquals(0, run.status(), run.err());
  }

  /** A sweep joins the nodes of a rack as a prediction does, or says that it cannot. */
  @Test
  void aSweepJoinsTheNodesOfARack() throws Exception {
    String text = "machines: [gb200-nvl72]\nnodes: [NODES]\ncollectives: all_reduce\nsizes: 64M\n";
    Path spec = folder.resolve("rack.yaml");
    String out = folder.resolve("racks").toString();
    Files.writeString(spec, text.replace("NODES", "18, 36"));
    assertEquals(0, CliRun.of("sweep", spec.toString(), "-o", out).status());
    List<String> rows = CliRun.of("sweep", "show", out, "--format", "csv").out().lines().toList();
    String predict =
        "predict gb200-nvl72 --nodes 18,36 --collective all_reduce --sizes 64M --format csv";
    List<String> expected = CliRun.of(predict.split(" ")).out().lines().toList();
    for (int row = 1; row <= 2; row++) {
      String time = expected.get(row).split(",")[6];
      assertTrue(rows.get(row).contains("," + time + ","), time + " " + rows.get(row));
      assertTrue(rows.get(row).contains("machine-name"), rows.get(row));
      assertFalse(rows.get(row).contains("nvlink-domain"), rows.get(row));
    }
    Files.writeString(spec, text.replace("NODES", "1, 2"));
    assertEquals(
        "topo: %s:1:12: machine gb200-nvl72: NVLink joins up to 18 nodes,".formatted(spec)
            + " not as many for each of nodes [1, 2]; expected {file: gb200-nvl72, nvlink-domain: N}\n",
        CliRun.of("sweep", spec.toString(), "-o", folder.resolve("none").toString()).err());
    Files.writeString(
        spec,
        text.replace("gb200-nvl72", "{file: gb200-nvl72, nvlink-domain: 1}")
            .replace("NODES", "1, 2"));
    String alone = folder.resolve("alone").toString();
    assertEquals(0, CliRun.of("sweep", spec.toString(), "-o", alone).status());
  }

  @Test
  void completionsHaveTheNames() {
    for (Completion shell : Completion.values()) {
      assertTrue(shell.of(TopoCommand.line()).contains(" BM.GPU.H100.8 "), shell.toString());
    }
  }

  @Test
  void theListHasAllFormats() {
    assertTrue(CliRun.of("machines").out().contains("\np5.48xlarge "));
    assertTrue(CliRun.of("machines", "--format", "json").out().contains("\"nd-h100-v5\""));
    assertTrue(
        CliRun.of("machines", "--format", "csv")
            .out()
            .startsWith("name,other_names,gpus,file,domain_hosts,description,source\n"));
  }
}
