package dev.topo.cli.help;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines of the help end between words. */
class LineWrapTest {
  @Test
  void aNameIsNeverBroken() {
    assertEquals(
        List.of("Slurm's", "node,nic,switch", "of 8x400"),
        LineWrap.text("Slurm's node,nic,switch of 8x400", 9));
  }

  @Test
  void aLongCommandGoesOnAfterABackslashWithOptionsBesideTheirValues() {
    assertEquals(
        List.of(
            "Example: topo predict system.xml \\",
            "    --collective all_reduce \\",
            "    --split \"MOD 8\" --fix"),
        LineWrap.command(
            "Example: topo predict system.xml --collective all_reduce --split \"MOD 8\" --fix",
            36));
  }

  @Test
  void aCommandThatFitsIsOneLine() {
    assertEquals(List.of("Example: topo show"), LineWrap.command("Example: topo show", 18));
  }

  @Test
  void aSentenceThatGoesOnInTheNextStringIsOneParagraph() {
    assertEquals(
        List.of("", "One of two lines.", "Next.", "Example: topo a", "Example: topo b"),
        LineWrap.joined("", "One of", "two lines.", "Next.", "Example: topo a", "Example: topo b"));
  }

  @Test
  void entriesOfAListKeepTheirColumns() {
    assertEquals(List.of("  net=N   a speed"), LineWrap.paragraph("  net=N   a speed", 8));
  }
}
