package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The output that docs/hardware.md shows was recorded: of {@code topo doctor} on a made machine, of
 * {@code topo verify} and {@code topo run} on two H200.
 */
class HardwareDocumentTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  @Test
  void showsRecordedOutput() throws IOException {
    List<String> recorded = new ArrayList<>();
    recorded.add(Files.readString(ROOT.resolve("src/test/resources/doctor/expected.self.txt")));
    recorded.add(Files.readString(CheckedArchive.FOLDER.resolve("h200-x2-verify.txt")));
    recorded.add(CheckedArchive.unpacked("h200-x2-run.tar.gz").get("all_reduce.large.1.topo"));
    String[] parts = Files.readString(ROOT.resolve("docs/hardware.md")).split("```\n", -1);
    int shown = 0;
    for (int i = 1; i < parts.length; i += 2) {
      String block = parts[i];
      if (!block.startsWith("topo ")) {
        shown++;
        assertTrue(recorded.stream().anyMatch(text -> text.contains(block)), block);
      }
    }
    assertEquals(recorded.size(), shown);
  }
}
