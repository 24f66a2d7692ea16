package dev.topo.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final Screen screen = new Screen();
  private long nowMs = 7_000;
  private boolean foreground = true;
  private final Progress progress =
      new Progress(Optional.of(new StatusLine(screen)), () -> nowMs * 1_000_000, () -> foreground);

  private String after(long ms) {
    nowMs += ms;
    progress.tick();
    return screen.text();
  }

  @Test
  void saysNothingOfWhatIsOverWithinASecond() {
    try (Progress.Task whole = progress.begin("topo diff")) {
      whole.next();
      assertEquals("", after(999));
    }
    after(2_000);
    assertEquals("", screen.written());
  }

  @Test
  void saysWhatIsDoneHowFarItIsAndForHowLong() {
    try (Progress.Task whole = progress.begin("topo whatif")) {
      try (Progress.Task placements = progress.begin("placement", 340)) {
        placements.next();
        placements.next();
        assertEquals("topo whatif: placement 2 of 340, 1 s", after(1_000));
        placements.detail(() -> "ring");
        assertEquals("topo whatif: placement 2 of 340, ring, 12 s", after(11_000));
      }
      assertEquals("topo whatif: 13 s", after(1_000));
      whole.next();
    }
    assertEquals("", screen.text());
  }

  @Test
  void equalStepsTellWhenTheWorkIsDone() {
    try (Progress.Task whole = progress.begin("topo sweep");
        Progress.Task parts = progress.begin("part", 340)) {
      parts.foresee();
      assertEquals("topo sweep: part, 2 s", after(2_000));
      parts.next();
      parts.next();
      assertEquals("topo sweep: part 2 of 340, 4 s, about 11 min left", after(2_000));
      for (int i = 0; i < 300; i++) {
        parts.next();
      }
      assertEquals("topo sweep: part 302 of 340, 80 s, about 10 s left", after(76_000));
      whole.next();
    }
  }

  @Test
  void leavesOutPartsThatAreYoung() {
    try (Progress.Task whole = progress.begin("topo diff")) {
      whole.detail(() -> "not shown");
      nowMs += 2_000;
      try (Progress.Task files = progress.begin("file", 9)) {
        files.next();
        assertEquals("topo diff: 2 s", after(900));
        assertEquals("topo diff: file 1 of 9, 3 s", after(200));
      }
    }
  }

  @Test
  void aSingleThingNeedsNoCountAndAnUnknownNumberNoTotal() {
    try (Progress.Task whole = progress.begin("topo search");
        Progress.Task file = progress.begin("file", 1);
        Progress.Task search = progress.begin("");
        Progress.Task round = progress.begin("round")) {
      whole.next();
      file.next();
      search.detail(() -> "ring attempt 3");
      round.next();
      assertEquals("topo search: ring attempt 3, round 1, 1 s", after(1_500));
    }
  }

  @Test
  void keepsStillInTheBackground() {
    try (Progress.Task whole = progress.begin("topo diff")) {
      whole.next();
      foreground = false;
      assertEquals("", after(5_000));
      foreground = true;
      assertEquals("topo diff: 5 s", after(10));
    }
  }

  @Test
  void keepsStillOnceItIsMuted() {
    try (Progress.Task whole = progress.begin("topo run")) {
      whole.next();
      assertEquals("topo run: 1 s", after(1_000));
      progress.mute();
      assertEquals("", after(1_000));
    }
  }

  @Test
  void inAPipeThereIsNone() {
    try (Progress.Task whole = Progress.NONE.begin("topo run", 3)) {
      whole.next();
      Progress.NONE.tick();
      assertEquals("topo run 1 of 3", whole.toString());
    }
    assertFalse(Progress.NONE.isShown());
  }
}
