package dev.topo.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link.PathType;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PathTypeTest {
  @Test
  void typesStandInNcclsOrder() {
    assertEquals(
        List.of("LOC NVL NVB C2C PIX PXB P2C PXN PHB SYS NET DIS".split(" ")),
        Arrays.stream(PathType.values()).map(PathType::name).toList());
  }

  @Test
  void ranksAreNcclsNumbers() {
    assertEquals(0, PathType.LOC.rank());
    assertEquals(1, PathType.NVL.rank());
    assertEquals(4, PathType.PIX.rank());
    assertEquals(5, PathType.PXB.rank());
    assertEquals(7, PathType.PXN.rank());
    assertEquals(8, PathType.PHB.rank());
    assertEquals(11, PathType.DIS.rank());
  }

  @Test
  void aTypeIsWithinItselfAndWhatIsFarther() {
    assertTrue(PathType.PXB.isWithin(PathType.PXB));
    assertTrue(PathType.PIX.isWithin(PathType.PXB));
    assertFalse(PathType.PHB.isWithin(PathType.PXB));
  }

  @Test
  void nearerAndFartherAreTheTwoEnds() {
    for (PathType a : PathType.values()) {
      for (PathType b : PathType.values()) {
        assertEquals(Math.min(a.rank(), b.rank()), PathType.nearer(a, b).rank());
        assertEquals(Math.max(a.rank(), b.rank()), PathType.farther(a, b).rank());
      }
    }
  }
}
