package dev.topo.inspect.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.TopologyFormatException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EditParserTest {
  private static List<String> texts(String text) {
    return EditParser.parse(text, "edits").stream().map(Edit::text).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "remove net:mlx5_3 gpu:7",
        "move nic:mlx5_3 net:4 to switch:0000:18:00.0",
        "add net:mlx5_8 to switch:0000:18:00.0 like net:mlx5_0 speed=200000 gdr=1",
        "add switch:0000:f0:00.0 to cpu:0 link_speed=\"32.0 GT/s PCIe\"",
        "add nvlink:0-3 count=2",
        "net:mlx5_3.speed=200000",
        "pci:0000:18:00.0.link_width=8",
        "pci:0000:18:00.0.link_speed=16.0 GT/s PCIe",
        "cpu:* as amd-genoa",
        "env NCCL_CROSS_NIC=1",
        "machine other.xml"
      })
  void whatItWritesItReads(String text) {
    assertEquals(List.of(text), texts(text));
  }

  @Test
  void editsAreLinesOrEndWithASemicolonAndCommentsAreLeftOut() {
    assertEquals(
        List.of("remove gpu:0", "remove gpu:1", "env NCCL_ALGO=Ring", "env NCCL_PROTO=LL"),
        texts("remove gpu:0; remove gpu:1 # two\n\n  # none\nenv NCCL_ALGO=Ring NCCL_PROTO=LL\n"));
  }

  @Test
  void sectionsAreVariants() {
    List<EditSet> variants =
        EditParser.parseVariants("remove gpu:0\n[one nic]\nremove net:1\n[as is]\n", "edits");
    assertEquals(List.of("", "one nic", "as is"), variants.stream().map(EditSet::name).toList());
    assertEquals("remove net:1", variants.get(1).text());
    assertEquals("", variants.get(2).text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "remove|edits:1:1|'remove': expected a part",
        "remove net|edits:1:8|'net': expected a part of the machine that begins with cpu:",
        "drop net:1|edits:1:1|'drop': expected remove, move, add, env, machine",
        "move net:1|edits:1:1|expected move PART to PLACE",
        "move net:1 switch:1|edits:1:1|expected move PART to PLACE",
        "add net:1 speed|edits:1:11|'speed': expected to PLACE",
        "add net:1 to|edits:1:11|'to': expected a part",
        "env NCCL_ALGO|edits:1:5|'NCCL_ALGO': expected NAME=VALUE",
        "cpu:0 as pentium|edits:1:10|'pentium': expected one of intel-broadwell",
        "net:1.speed|edits:1:1|expected remove",
        "net:.speed=1|edits:1:1|'net:': expected name or dev",
        "machine|edits:1:1|expected one topology file",
        "remove \"net:1|edits:1:8|expected a second",
        "[a]|edits|has a [name] of a variant",
        "[ ]|edits:1:1|expected a name",
        "gpu:0.sm=90; remove nic|edits:1:21|'nic': expected a part"
      })
  void messagesNameThePlaceAndWhatWasExpected(String text, String place, String message) {
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> EditParser.parse(text, "edits"));
    assertTrue(String.valueOf(e.getMessage()).startsWith(place + ": "), e.getMessage());
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }
}
