package dev.topo.model.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RankSplitTest {
  @ParameterizedTest
  @CsvSource({
    "AND 0x7,13,5",
    "&7,13,5",
    "or 0b111,9,15",
    "|7,9,15",
    "MOD 8,13,5",
    "%8,13,5",
    "DIV8,13,1",
    "/ 8,13,1"
  })
  void followsTheSyntaxOfNcclTests(String text, int rank, int color) {
    assertEquals(color, RankSplit.parse(text).color(rank));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "XOR 3", "MOD", "MOD x", "MOD 0", "DIV -1", "AND -1", "% 0x"})
  void rejectsWhatIsNoSplit(String text) {
    assertThrows(IllegalArgumentException.class, () -> RankSplit.parse(text));
  }

  @Test
  void groupsRanksByColour() {
    assertEquals(Map.of(0, List.of(0, 2, 4), 1, List.of(1, 3)), RankSplit.parse("AND 1").groups(5));
  }
}
