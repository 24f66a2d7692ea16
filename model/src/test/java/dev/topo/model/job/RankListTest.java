package dev.topo.model.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankListTest {
  @Test
  void hasRanksRangesAndSteps() {
    assertEquals(List.of(7), RankList.parse("7").ranks());
    assertEquals(List.of(3, 2, 0, 1), RankList.parse("3,2,0-1").ranks());
    assertEquals(List.of(0, 4, 8, 12, 1, 5), RankList.parse("0-15/4, 1-8/4").ranks());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0,0 | rank 0 is there twice",
        "0-2,1 | rank 1 is there twice",
        "3-1 | '3-1': expected a rank",
        "0-3/0 | '0-3/0': expected a rank",
        "1;2 | '1;2': expected a rank",
        "-1 | '-1': expected a rank"
      })
  void saysWhatIsWrong(String text, String message) {
    String found =
        assertThrows(IllegalArgumentException.class, () -> RankList.parse(text)).getMessage();
    assertTrue(found.startsWith(message), found);
  }

  @Test
  void aFileHasSeveralLines(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("ranks.txt");
    Files.writeString(file, "# dealt to two nodes\n0-3/2\n\n1 3 # odd\n");
    assertEquals(List.of(0, 2, 1, 3), RankList.read(file, new Inputs()).ranks());
    Files.writeString(file, "0 1\n2 x\n");
    String message =
        assertThrows(TopologyFormatException.class, () -> RankList.read(file, new Inputs()))
            .getMessage();
    assertTrue(message.contains("'x'") && message.contains("ranks.txt:2"), message);
  }

  @Test
  void namesOfFilesAreNoLists() {
    assertTrue(RankList.isList("0-15/4,1"));
    assertFalse(RankList.isList("ranks.txt"));
  }
}
