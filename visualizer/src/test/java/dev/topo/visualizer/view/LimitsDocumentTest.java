package dev.topo.visualizer.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.inspect.caveat.ModelLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of docs/limits.md has the caveats of the code, with their texts. */
class LimitsDocumentTest {
  private static final Path DOCUMENT =
      Path.of(System.getProperty("topo.root")).resolve("docs/limits.md");

  @Test
  void theTableHasEveryCaveatWithItsTexts() throws IOException {
    List<String> expected =
        Arrays.stream(ModelLimit.values())
            .map(
                limit ->
                    limit.id() + " | " + limit.message() + " | " + OptionWords.of(limit.remedy()))
            .toList();
    List<String> written =
        Files.readAllLines(DOCUMENT).stream()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.split(" *\\| *", -1))
            .map(cell -> cell[1].replace("`", "") + " | " + cell[3] + " | " + cell[4])
            .toList();
    assertEquals(String.join("\n", expected), String.join("\n", written));
  }
}
