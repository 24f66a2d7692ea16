package dev.topo.search.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.topo.model.Link.PathType;
import dev.topo.model.graph.GraphKind.Pattern;
import org.junit.jupiter.api.Test;

class ConstraintsTest {
  private static final Constraints START =
      new Constraints(Pattern.RING, 2, 20, 12, PathType.NVL, PathType.PIX, true, 1, 32);

  /** Each change undone by its counterpart gives the beginning back: nothing else was touched. */
  @Test
  void eachChangeTouchesOnePartOnly() {
    Constraints[] changed = {
      START.with(c -> c.pattern = Pattern.TREE),
      START.with(c -> c.crossNic = 0),
      START.with(c -> c.bandwidth(10, 6)),
      START.with(c -> c.types(PathType.PXB, PathType.SYS)),
      START.with(c -> c.sameChannels = false),
      START.with(c -> c.channels(2, 4))
    };
    Constraints[] undone = {
      changed[0].with(c -> c.pattern = Pattern.RING),
      changed[1].with(c -> c.crossNic = 2),
      changed[2].with(c -> c.bandwidth(20, 12)),
      changed[3].with(c -> c.types(PathType.NVL, PathType.PIX)),
      changed[4].with(c -> c.sameChannels = true),
      changed[5].with(c -> c.channels(1, 32))
    };
    for (int i = 0; i < changed.length; i++) {
      assertNotEquals(START, changed[i]);
      assertEquals(START, undone[i]);
    }
    assertEquals(
        new Constraints(Pattern.TREE, 0, 10, 6, PathType.PXB, PathType.SYS, false, 2, 4),
        changed[0]
            .with(c -> c.crossNic = 0)
            .with(c -> c.bandwidth(10, 6))
            .with(c -> c.types(PathType.PXB, PathType.SYS))
            .with(c -> c.sameChannels = false)
            .with(c -> c.channels(2, 4)));
  }
}
