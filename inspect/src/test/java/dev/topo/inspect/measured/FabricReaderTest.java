package dev.topo.inspect.measured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.nic.SwitchMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FabricReaderTest {
  private static final Path SAMPLES =
      Path.of(System.getProperty("topo.root"), "inspect/src/test/resources/fabric");

  @TempDir private Path folder;

  private SwitchMap of(String text) throws IOException {
    return FabricReader.read(Files.writeString(folder.resolve("map"), text), new Inputs());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "topology.yaml|4|node03|[sw_root, s2]",
        "scontrol-blocks.txt|4|10.0.0.120|[all of rack_b[0-1], rack_b1]",
        "scontrol-tree.txt|34|bm040|[sp-1, le-r19]",
        "topograph-blocks.conf|32|srv2201|[all of rack[11-12,21-22], rack22]",
        "nodes.json|4|worker-2|[zone-a, spine-0, leaf-1]"
      })
  void readsThePublishedSamples(String file, int nodes, String node, String route) {
    SwitchMap map = FabricReader.read(SAMPLES.resolve(file), new Inputs());
    assertEquals(nodes, map.nodes().size());
    assertEquals(route, map.route(node).toString());
    assertTrue(map.isByNode());
    assertTrue(map.uplinks().isEmpty());
  }

  @Test
  void blocksOfYamlAreThoseOfTheFileOfLines() throws IOException {
    SwitchMap yaml =
        of(
            """
            - topology: blocks
              block:
                block_sizes: [2, 4]
                blocks:
                  - {block: b1, nodes: "n[1-2]"}
                  - {block: b2, nodes: "n[3-4]"}
            """);
    SwitchMap lines = of("BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\nBlockSizes=2,4\n");
    assertEquals(lines.parents(), yaml.parents());
    assertEquals(List.of("all of b[1-2]", "b2"), yaml.route("n4"));
  }

  /** Without labels of switches the NVLink domain is the block; what is above is one switch. */
  @Test
  void cliquesAreBlocksWhereNoSwitchIsStated() throws IOException {
    SwitchMap map =
        of(
            """
            apiVersion: v1
            kind: List
            items:
            - metadata: {name: a, labels: {nvidia.com/gpu.clique: u1.0}}
            - metadata: {name: b, labels: {nvidia.com/gpu.clique: u2.0, nvidia.com/gpu.product: ""}}
            - metadata: {name: c, labels: {nvidia.com/gpu.clique: ""}}
            """);
    assertEquals(List.of("a", "b"), map.nodes());
    assertEquals(List.of("all of u1.0,u2.0", "u2.0"), map.route("b"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "- topology: t;  tree:;    switches:;    - {switch: s, nodes: n};    - {switch: s, nodes: m}|map:5:16: 's', expected a name of its own",
        "- topology: t;  tree:;    switches:;    - {switch: s, nodes: n, children: s}|expected switches without a loop",
        "- topology: t;  tree:;    switches:;    - {nodes: n}|map:4:15: 'nodes=n', expected SwitchName=...",
        "- topology: t;  tree:;    switches:;    - {name: n}|map:4:7: expected switch: NAME or block: NAME",
        "- topology: t;  tree: {};|expected switches or blocks",
        "- topology: t;  flat: true|0 topologies with a tree or blocks, expected one",
        "- {topology: t, tree: {}};- {topology: u, block: {}}|2 topologies with a tree or blocks, expected one, or cluster_default: true",
        "{\"items\": 3}|: expected a node",
        "{\"items\": [{\"metadata\": {\"name\": \"a\"}}]}|no node states its place",
        "{\"a\": [|is not JSON"
      })
  void whatCannotBeUsedIsOneLine(String text, String message) {
    TopologyFormatException bad =
        assertThrows(TopologyFormatException.class, () -> of(text.replace(';', '\n')));
    assertTrue(String.valueOf(bad.getMessage()).contains(message), bad.getMessage());
    assertEquals(1, bad.getMessage().lines().count());
  }

  @Test
  void aHundredThousandNodesAreRead() throws IOException {
    String blocks =
        IntStream.range(0, 1000)
            .mapToObj(i -> "BlockName=b%s Nodes=n[%s-%s]".formatted(i, 100 * i, 100 * i + 99))
            .collect(Collectors.joining("\n"));
    assertEquals(100_000, of(blocks).nodes().size());
  }
}
