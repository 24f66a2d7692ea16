package dev.topo.visualizer.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MachineShelfTest {
  @Test
  void aShippedMachineIsReadWhenItIsAskedAbout() {
    MachineShelf shelf = new MachineShelf();
    assertTrue(shelf.all().size() > 20);
    assertTrue(shelf.all().stream().noneMatch(ServedMachine::isRead));

    ServedMachine dgx = shelf.get("shipped-dgx-h100");
    assertEquals("system", dgx.document().root().name());
    assertTrue(dgx.isRead());
    assertFalse(shelf.get("shipped-dgx-a100").isRead());
  }
}
