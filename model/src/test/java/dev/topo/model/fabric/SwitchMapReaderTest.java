package dev.topo.model.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.diagnostic.TopologyFormatException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SwitchMapReaderTest {
  private static SwitchMap parse(String... lines) {
    return SwitchMapReader.parse("map", List.of(lines));
  }

  @Test
  void readsSlurmsTopology() {
    SwitchMap map =
        parse(
            "# two leaves",
            "SwitchName=s0 Nodes=n[0-1] LinkSpeed=100",
            "switchname=s1 \\",
            " nodes=n2",
            "SwitchName=top Switches=s[0-1]");
    assertEquals(List.of("n0", "n1", "n2"), map.nodes());
    assertEquals(Optional.of("s0"), map.leaf("n1", "mlx5_3"));
    assertEquals(List.of("top", "s1"), map.route("n2"));
    assertTrue(map.isByNode());
  }

  @Test
  void readsATableOfPorts() {
    SwitchMap map = parse("node,nic,switch", "n0,mlx5_0,r0/core", "n0,mlx5_1,r1/core", "# end");
    assertEquals(Optional.of("r1"), map.leaf("n0", "mlx5_1"));
    assertEquals(Optional.empty(), map.leaf("n0", "mlx5_2"));
    assertEquals(List.of("core", "r0"), map.route("n0"));
    assertFalse(map.isByNode());
  }

  @Test
  void namesLineAndExpectation() {
    TopologyFormatException bad =
        assertThrows(TopologyFormatException.class, () -> parse("n0,mlx5_0,s0", "n1,s1"));
    assertEquals("map:2:1: 'n1,s1', expected node,nic,switch", bad.getMessage());
    bad = assertThrows(TopologyFormatException.class, () -> parse("SwitchName=s0 Nodes=n[0-"));
    assertEquals("map:1:1: 'n[0-', expected a list such as n[0-15,20]", bad.getMessage());
    bad = assertThrows(TopologyFormatException.class, () -> parse("n0,p,s0", "n0,p,s1"));
    assertEquals(
        "map:2:1: 'n0', expected one switch for each port; it is at s0 already", bad.getMessage());
    assertThrows(TopologyFormatException.class, () -> parse("# nothing"));
    assertThrows(
        TopologyFormatException.class, () -> SwitchMapReader.read(Path.of("does-not-exist")));
  }

  @Test
  void aLoopOfSwitchesEnds() {
    SwitchMap map = parse("SwitchName=a Nodes=n0 Switches=b", "SwitchName=b Switches=a");
    assertEquals(List.of("b", "a"), map.route("n0"));
  }
}
