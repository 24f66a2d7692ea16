package dev.topo.visualizer.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.caveat.ModelLimit;
import dev.topo.model.fixture.DocumentTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/limits.md has when each caveat of the code is given, docs/limits.csv its texts. */
class LimitsDocumentTest {
  private static final Path DOCUMENT =
      Path.of(System.getProperty("topo.root")).resolve("docs/limits.md");

  @Test
  void theTableSaysOfEveryCaveatWhenAnAnswerHasIt() throws IOException {
    List<String> expected = Arrays.stream(ModelLimit.values()).map(ModelLimit::id).toList();
    List<String[]> written =
        Files.readAllLines(DOCUMENT).stream()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.split(" *\\| *", -1))
            .toList();
    assertEquals(expected, written.stream().map(cell -> cell[1].replace("`", "")).toList());
    assertTrue(written.stream().allMatch(cell -> cell[2].length() > 10));
  }

  @Test
  void theFileHasEveryCaveatWithWhatToDo() throws IOException {
    String rows =
        Arrays.stream(ModelLimit.values())
            .map(
                limit ->
                    "%s,\"%s\",\"%s\"\n"
                        .formatted(limit.id(), limit.message(), OptionWords.of(limit.remedy())))
            .collect(Collectors.joining());
    DocumentTables.checkFile("docs/limits.csv", "caveat,not_modelled,remedy\n" + rows);
  }
}
