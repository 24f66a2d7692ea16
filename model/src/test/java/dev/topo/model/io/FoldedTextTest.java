package dev.topo.model.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FoldedTextTest {
  private static final String WORDS = "channels that NCCL finds between the nodes of a job ";

  @ParameterizedTest
  @ValueSource(ints = {40, 79, 80, 100, 119})
  void aParagraphIsBrokenAsIfItHadBeenWrittenForTheWidth(int width) {
    String words = "rests on: " + WORDS.repeat(6).strip();
    String broken = new TextWriter().paragraph(words, "  ").toString();

    String folded = FoldedText.of(broken, width);

    assertEquals(new TextWriter().paragraph(words, "  ", width).toString(), folded);
    assertTrue(folded.lines().allMatch(line -> line.length() <= width), folded);
  }

  @Test
  void aLineThatWasNeverBrokenIsBrokenAndIndented() {
    assertEquals(
        "AllReduce of 1 GiB on\n  dgx-h100: 465 GB/s\n",
        FoldedText.of("AllReduce of 1 GiB on dgx-h100: 465 GB/s\n", 22));
  }

  @Test
  void tablesAndEmptyLinesStay() {
    String text = "AllReduce\n  size   by           time\n\n  1 MiB  Tree/LL128   130 us\n";

    assertEquals(text, FoldedText.of(text, 12));
  }

  @Test
  void linesThatAreShortForAnotherReasonAreNotJoined() {
    String text = "ring graph\n  NCCL finds 4 channels.\n  The search ended.\n";

    assertEquals(text, FoldedText.of(text, 80));
  }

  @Test
  void whatHasNoLineEndKeepsNone() {
    assertEquals("", FoldedText.of("", 80));
    assertEquals("one\n  two", FoldedText.of("one two", 3));
  }
}
