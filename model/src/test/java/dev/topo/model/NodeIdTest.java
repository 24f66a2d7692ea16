package dev.topo.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Node.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeIdTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0-0",
    "0, 110592, 0-1b000",
    "1, 10, 1-a",
    "255, 1, ff-1",
    "0, -1, 0-ffffffffffffff"
  })
  void isWrittenAsInNcclsLog(int systemId, long localId, String text) {
    assertEquals(text, new NodeId(systemId, localId).toString());
  }

  @Test
  void numaIdOfMinusOneIsCutToFiftySixBits() {
    assertEquals(0x00ff_ffff_ffff_ffffL, new NodeId(0, -1).localId());
    assertEquals(0x01ff_ffff_ffff_ffffL, new NodeId(1, -1).packed());
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0, 110592", "1, 0", "3, -1", "255, 72057594037927935"})
  void packedNumberLeadsBackToTheId(int systemId, long localId) {
    NodeId id = new NodeId(systemId, localId);
    assertEquals(id, NodeId.ofPacked(id.packed()));
  }

  @Test
  void hostStandsInTheHighestEightBits() {
    assertEquals(0x0200_0000_0001_b000L, new NodeId(2, 0x1b000).packed());
    assertEquals(new NodeId(0xff, 7), NodeId.ofPacked(0xff00_0000_0000_0007L));
  }
}
