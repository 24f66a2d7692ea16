package dev.topo.simulator.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.edit.Edit;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Collective;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpecReaderTest {
  private static final String LEAST =
      "machines: [a.xml]\ncollectives: all_reduce\nsizes: [1M, 1G]\n";

  private static SweepSpec spec(String text) {
    return SpecReader.parse(text, "s.yaml");
  }

  @Test
  void theLeastSpecificationHasOneDesignOnOneNode() {
    SweepSpec spec = spec(LEAST);
    assertEquals("s", spec.name());
    assertEquals("a", spec.machines().get(0).name());
    assertEquals(Path.of("a.xml"), spec.machines().get(0).file());
    assertEquals(List.of(1), spec.nodes());
    assertEquals(List.of(new Switches.Wide("wide")), spec.fabrics());
    assertEquals(
        List.of(
            new Question.OneCall(Collective.ALL_REDUCE, 1 << 20, Question.Group.ALL),
            new Question.OneCall(Collective.ALL_REDUCE, 1 << 30, Question.Group.ALL)),
        spec.questions());
    assertEquals(Ranking.Objective.TIME, spec.ranking().objective());
  }

  /** The parser takes seconds for some MiB of blanks, four times as long for twice as many. */
  @ParameterizedTest
  @CsvSource({"' ', false", "' ', true", "'#', false", "'\n', true", "a, false"})
  void aFileOfMoreThanOneMebibyteIsNotParsed(String filler, boolean isPacked, @TempDir Path folder)
      throws IOException {
    String most = LEAST + "#" + filler.repeat((1 << 20) - LEAST.length() - 1);
    Path file = folder.resolve("s.yaml");
    write(file, most, isPacked);
    assertEquals(1, SpecReader.read(file, new Inputs()).machines().size());
    write(file, most + filler, isPacked);
    assertEquals(
        file + ": has more than 1048576 bytes, expected the YAML of a sweep",
        assertThrows(TopologyFormatException.class, () -> SpecReader.read(file, new Inputs()))
            .getMessage());
  }

  private static void write(Path file, String text, boolean isPacked) throws IOException {
    try (OutputStream raw = Files.newOutputStream(file);
        OutputStream out = isPacked ? new GZIPOutputStream(raw) : raw) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void anAxisHasValuesWithEditsAndAReleaseIsOne() {
    SweepSpec spec =
        spec(
            LEAST
                + "axes:\n  nics:\n    8:\n    4: [remove net:a, remove net:b]\nnccl: [2.27.5, 2.28.9]\n");
    Axis.Listed nics = (Axis.Listed) spec.axes().get(0);
    assertEquals("nics", nics.name());
    assertEquals(new Axis.Value("8", List.of()), nics.values().get(0));
    assertEquals(
        List.of("remove net:a", "remove net:b"),
        nics.values().get(1).edits().stream().map(Edit::text).toList());
    assertEquals("nccl", spec.axes().get(1).name());
  }

  @Test
  void aPriceIsThatOfTheNodeItsCardsAndItsValues() {
    SweepSpec spec =
        spec(
            LEAST
                + "axes: {speed: {fast: 'net:*.speed=400000', slow: 'net:*.speed=100000'}}\n"
                + "prices: {node: 100, nic: 2, speed: {fast: 5}}\nobjective: speed-per-price\n");
    assertEquals(121, spec.ranking().prices().ofNode(8, Map.of("speed", "fast")));
    assertEquals(108, spec.ranking().prices().ofNode(4, Map.of("speed", "slow")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "nodes: [0] | s.yaml:4:9: '0': expected a number from 1 to 65536",
        "nodes: 1.5 | s.yaml:4:8: '1.5': expected a number from 1 to 65536",
        "speed: 3 | s.yaml:4:1: key speed: expected one of name, machines",
        "axes: {bytes: {a: }} | axis bytes: expected a name of small letters",
        "axes: {x: {a: 'delete net:b'}} | s.yaml:4:15: ",
        "axes: {x: {a: env NCCL_TOPO_FILE=b.xml}} | a sweep does not vary NCCL_TOPO_FILE",
        "axes: {x: {placements: 0}} | expected a number from 1 to 20000",
        "nodes: &a 3\\nname: *a | an alias",
        "name: &a x\\naxes: {*a : {b: }} | s.yaml:5:10: is not YAML: Expected a property name",
        "axes: &a {x: {b: *a}} | an alias, expected its value written out",
        "nodes: 1\\n--- | s.yaml:6:1: a second document, expected one",
        "nodes: 1\\n...\\nx | s.yaml:6:1: ",
        "nodes: 1\\nnodes: 2 | s.yaml:5:1: key nodes is there twice",
        "nodes: [1 | s.yaml:5:1: is not YAML: expected ',' or ']'",
        "nodes: 1\\n\tname: x | s.yaml:5:1: is not YAML: found character '\\t(TAB)' that",
        "limits: {node-price: 3} | s.yaml:4:10: key node-price: expected prices",
        "limits: {nics: -1} | '-1': expected a number from 0 on",
        "workloads: {w: {collective: all_reduce, bytes: 1M}} | s.yaml:4:16: workload w: expected a list of calls",
        "fabrics: {x: {leaf: ring, ports: 4}} | 'ring': expected rail or node",
        "fabrics: {x: {leaf: rail, ports: 4, oversubscription: 0.5}} | oversubscription 0.5: expected a number from 1 on",
        "prices: {gpu: 3} | price of gpu: expected node, nic, or one of the axes machine, fabric",
        "objective: speed-per-price | expected prices",
        "objective: best | 'best': expected one of time, busbw",
        "limits: {nodes: 3} | key nodes: expected one of node-price, nics, busbw-gbps, time-us, gpu-memory-mib",
        "limits: {gpu-memory-mib: 3} | key gpu-memory-mib: expected memory: true",
        "workloads: {w: [{collective: all_reduce, bytes: 1X}]} | size '1X'",
        "nccl: [1.0] | s.yaml:4:8: ",
        "workloads: {w: {traces: }} | s.yaml:4:24: '': expected the traces of a job",
        "workloads: {w: {scale: dp}} | s.yaml:4:16: expected traces: FILES",
        "workloads: {w: {traces: a.csv, scale: tp}} | s.yaml:4:39: tp: expected dp or dp=GROUP",
        "workloads: {w: {traces: a.csv, nodes: 2}} | s.yaml:4:32: key nodes: expected one of traces, scale",
        "group: MOD | expected all, node, or a split as MOD 8 (split",
        "workloads: {w: } | workload w: expected calls, or {traces: FILES}",
      })
  void aFaultIsNamedWithItsPlace(String line, String message) {
    TopologyFormatException e =
        assertThrows(
            TopologyFormatException.class, () -> spec(LEAST + line.replace("\\n", "\n") + "\n"));
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "nodes: 4 | ",
        "axes: {place: {placements: all}} | s.yaml:1:44: machine x has nvlink-domain 2, not supported with placements",
        "fabrics: {rail: {leaf: rail, ports: 4}} | not supported with fabric rail: expected wide",
        "workloads: {w: {traces: a.csv}} | not supported with workload w of traces",
        "workloads: {w: [{collective: all_reduce, bytes: 1M, group: node}]} | with calls of group node: expected group all",
        "group: MOD 8 | in groups MOD 8 with calls of group MOD 8: expected group all",
      })
  void whatAnNvlinkDomainDoesNotGoWithIsRefused(String line, String message) {
    String text = LEAST.replace("[a.xml]", "{x: {file: a.xml, nvlink-domain: 2}}") + line + "\n";
    if (message == null) {
      assertEquals(2, spec(text).machines().get(0).hosts());
      return;
    }
    TopologyFormatException e = assertThrows(TopologyFormatException.class, () -> spec(text));
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
    spec(text.replace("domain: 2", "domain: 1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|is empty",
        "machines: a.xml|expected collectives with sizes, or workloads",
        "- a|expected a map",
        "'machines: {file: a.xml, nvlink-domain: 2}'|1:40: '2': expected a name: {NAME: {file: FILE",
        "'machines: [{file: a.xml, nvlink-domain: 0}]'|'0': expected a number from 1",
        "'machines: [{nvlink-domain: 2}]'|expected file: FILE",
      })
  void aSpecificationNeedsMachinesAndQuestions(String text, String message) {
    TopologyFormatException e = assertThrows(TopologyFormatException.class, () -> spec(text));
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }
}
