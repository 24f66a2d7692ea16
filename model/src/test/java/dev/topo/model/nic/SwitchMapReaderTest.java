package dev.topo.model.nic;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.Growth;
import dev.topo.model.io.TopologyFormatException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** Sizes of blocks are no switches; what is between blocks is one that is assumed. */
  @Test
  void readsSlurmsBlocks() {
    SwitchMap map =
        parse(
            "BlockName=b1 Nodes=n[1-2] UplinkGbps=400",
            "BlockName=b2 Nodes=n[3-4]",
            "BlockSizes=2,4");
    assertEquals(List.of("all of b[1-2]", "b2"), map.route("n3"));
    assertEquals(Optional.of(new SwitchMap.Uplink(400, 1)), map.uplink("b1"));
    assertEquals(List.of("b"), parse("BlockName=b Nodes=n[1-18]", "BlockSizes=18").route("n18"));
  }

  /** What scontrol prints of a switch lists all nodes below it. */
  @Test
  void readsWhatScontrolPrints() {
    SwitchMap tree =
        parse(
            "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[0-1]",
            "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[2-3]",
            "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[0-3] Switches=s[0-1]");
    assertEquals(List.of("top", "s1"), tree.route("n2"));
    SwitchMap blocks =
        parse(
            "BlockName=b0 BlockIndex=0 Nodes=n[0-1] BlockSize=2",
            "BlockName=b1 BlockIndex=1 Nodes=n[2-3] BlockSize=2",
            "AggregatedBlock=b[0-1] BlockIndex=2 Nodes=n[0-3] BlockSize=4");
    assertEquals(List.of("all of b[0-1]", "b1"), blocks.route("n2"));
  }

  @Test
  void unknownUplinksMayBeStated() {
    SwitchMap map =
        parse(
                "SwitchName=a Nodes=n0 UplinkGbps=100",
                "SwitchName=b Nodes=n1",
                "SwitchName=t Switches=a,b")
            .withUplinks(new SwitchMap.Uplink(800, 2));
    assertEquals(100, map.uplink("a").orElseThrow().gbps());
    assertEquals(800, map.uplink("b").orElseThrow().gbps());
    assertEquals(Optional.empty(), map.uplink("t"));
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
  void uplinksHaveABandwidth() {
    SwitchMap slurm =
        parse(
            "SwitchName=s0 Nodes=n0 LinkSpeed=9 UplinkGbps=3200",
            "SwitchName=s1 Nodes=n1",
            "SwitchName=top Switches=s[0-1]");
    assertEquals(Optional.of(new SwitchMap.Uplink(3200, 1)), slurm.uplink("s0"));
    assertEquals(Optional.empty(), slurm.uplink("s1"));
    assertEquals(Optional.empty(), slurm.uplink("top"));
    SwitchMap table = parse("n0,p,a@400/b@1.6e3/c", "n1,p,a@400/b");
    assertEquals(List.of("c", "b", "a"), table.route("n1"));
    assertEquals(Optional.of(new SwitchMap.Uplink(400, 1)), table.uplink("a"));
    assertEquals(Optional.of(new SwitchMap.Uplink(1600, 1)), table.uplink("b"));
  }

  @Test
  void anUplinkMayBeSeveralLinks() {
    assertEquals(Optional.of(new SwitchMap.Uplink(3200, 8)), parse("n0,p,a@8x400/b").uplink("a"));
    assertEquals(
        Optional.of(new SwitchMap.Uplink(1600, 4)),
        parse("SwitchName=s Nodes=n UplinkGbps=4x400", "SwitchName=t Switches=s").uplink("s"));
  }

  @Test
  void namesLineAndExpectation() {
    TopologyFormatException bad =
        assertThrows(TopologyFormatException.class, () -> parse("n0,mlx5_0,s0", "n1,s1"));
    assertEquals("map:2:1: 'n1,s1', expected node,nic,switch", bad.getMessage());
    bad = assertThrows(TopologyFormatException.class, () -> parse("SwitchName=s0 Nodes=n[0-"));
    assertEquals("map:1:21: 'n[0-', expected a list such as n[0-15,20]", bad.getMessage());
    bad = assertThrows(TopologyFormatException.class, () -> parse("n0,p,s0", "n0,p,s1"));
    assertEquals(
        "map:2:4: 'n0', expected one switch for each port; it is at s0 already", bad.getMessage());
    assertThrows(TopologyFormatException.class, () -> parse("# nothing"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SwitchName=b;a b|:2:1: 'a', expected NAME=VALUE",
        "SwitchName=a Nodes=n0 Switches=b;SwitchName=b Switches=a|:1:32: 'b', expected switches without a loop; it is above itself",
        "SwitchName=a Nodes=n0 Switches=a|:1:32: 'a', expected switches without a loop; it is above itself",
        "SwitchName=a Nodes=n0;SwitchName=c Switches=b;SwitchName=b Switches=c|:2:23: 'b', expected switches without a loop; it is above itself",
        "SwitchName=a Nodes=n0;# c; SwitchName=top \\;  Switches=a,b|:4:12: 'b', expected a switch of the file, with a SwitchName of its own",
        "SwitchName=a Nodes=n0;SwitchName=a Nodes=n1|:2:12: 'a', expected a name of its own; line 1 has it too",
        "SwitchName=a Nodes=n0;SwitchName=b Switches=a;SwitchName=c Switches=a|:3:23: 'a', expected one switch above each; it is below b already (line 2)",
        "SwitchName=a Nodes=n0;SwitchName=b Nodes=n0|:2:20: 'n0', expected one switch for each port; it is at a already",
        "n0,p,a/b/a|:1:6: 'a', expected switches without a loop; it is above itself",
        "n0,p,  a/b;n1,p, b/a|:1:8: 'a', expected switches without a loop; it is above itself",
        "n0,p,a/b;n1,p,a/c|:2:6: 'a', expected one switch above each; it is below b already (line 1)",
        "n0,p,a@4x/b|:1:6: '4x', expected the bandwidth of the links to the switch above in Gb/s",
        "n0,p,a@0/b|:1:6: '0', expected a bandwidth above 0 Gb/s",
        "n0,p,a@0x400/b|:1:6: '0x400', expected a bandwidth above 0 Gb/s, as in 3200, or of 1 to 1024 links, as in 8x400",
        "n0,p,a@1.5x400/b|:1:6: '1.5x400', expected the bandwidth of the links to the switch above in Gb/s, 3200 or 8x400",
        "n0,p,a@4/b;n1,p,a@5/b|:2:6: '5', expected one bandwidth for each switch; line 1 has 4 for a",
        "n0,p,a@4|:1:6: 'a', expected a switch above it, as it has an uplink",
        "SwitchName=a Nodes=n0 UplinkGbps=9|:1:34: 'a', expected a switch above it, as it has an uplink",
        "BlockName=a Nodes=n0;BlockName=b Nodes=n0|:2:19: 'n0', expected one switch for each port; it is at a already",
        "n0,p,a//b|:1:1: 'n0,p,a//b', expected node,nic,switch"
      })
  void aNetworkThatIsNoTreeIsRefusedWithItsPlace(String text, String message) {
    TopologyFormatException bad =
        assertThrows(TopologyFormatException.class, () -> parse(text.split(";")));
    assertTrue(String.valueOf(bad.getMessage()).startsWith("map" + message), bad.getMessage());
  }

  private static String chain(int switches) {
    return IntStream.range(0, switches).mapToObj(i -> "s" + i).collect(joining("/"));
  }

  @Test
  void theWorkForADeepNetworkGrowsWithItsDepth() {
    assertEquals(20_000, parse("n0,p," + chain(20_000)).route("n0").size());
    Growth.assertLinear(
        "bytes allocated for a chain of switches",
        2_000,
        switches -> {
          String line = "n0,p," + chain(switches);
          return Growth.bytesAllocated(switches, n -> parse(line).route("n0"));
        });
  }

  /** The lowest switch comes first, then the others of a chain, which all lead to the top. */
  @Test
  void eachSwitchIsFollowedUpwardsOnce() {
    Growth.assertLinear(
        "switches looked up",
        1_000,
        switches -> {
          Set<String> names = new LinkedHashSet<>(List.of(chain(switches).split("/")));
          int[] lookUps = new int[1];
          Optional<String> loop =
              SwitchLoop.find(
                  names,
                  name -> {
                    lookUps[0]++;
                    return Optional.of("s" + (Integer.parseInt(name.substring(1)) + 1))
                        .filter(names::contains);
                  });
          assertEquals(Optional.empty(), loop);
          return lookUps[0];
        });
  }
}
