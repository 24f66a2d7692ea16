package dev.topo.search.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.topo.model.PathType;
import dev.topo.model.graph.Pattern;
import org.junit.jupiter.api.Test;

class ConstraintsTest {
  private static final Constraints START =
      new Constraints(Pattern.RING, 2, 20, 12, PathType.NVL, PathType.PIX, true, 1, 32);

  /** Each change undone by its counterpart gives the beginning back: nothing else was touched. */
  @Test
  void eachChangeTouchesOnePartOnly() {
    Constraints[] changed = {
      START.withPattern(Pattern.TREE),
      START.withCrossNic(0),
      START.withBandwidth(10, 6),
      START.withTypes(PathType.PXB, PathType.SYS),
      START.withSameChannels(false),
      START.withChannels(2, 4)
    };
    Constraints[] undone = {
      changed[0].withPattern(Pattern.RING),
      changed[1].withCrossNic(2),
      changed[2].withBandwidth(20, 12),
      changed[3].withTypes(PathType.NVL, PathType.PIX),
      changed[4].withSameChannels(true),
      changed[5].withChannels(1, 32)
    };
    for (int i = 0; i < changed.length; i++) {
      assertNotEquals(START, changed[i]);
      assertEquals(START, undone[i]);
    }
    assertEquals(
        new Constraints(Pattern.TREE, 0, 10, 6, PathType.PXB, PathType.SYS, false, 2, 4),
        changed[0]
            .withCrossNic(0)
            .withBandwidth(10, 6)
            .withTypes(PathType.PXB, PathType.SYS)
            .withSameChannels(false)
            .withChannels(2, 4));
  }
}
