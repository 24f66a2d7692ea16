package dev.topo.model.diagnostic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFileTest {
  @TempDir private Path folder;

  @Test
  void aTextHasNoByteOrderMark() throws IOException {
    Path file = folder.resolve("x.edits");
    Files.writeString(file, "\ufeffremove gpu:7\u00a0\n");
    assertEquals("remove gpu:7\u00a0\n", InputFile.text(file, "edits"));
    assertEquals(17, InputFile.bytes(file, "edits").length - 1);
  }

  @Test
  void whatCannotBeReadIsSaid() throws IOException {
    Path latin = folder.resolve("latin.csv");
    Files.write(latin, "gr\u00fcn".getBytes(StandardCharsets.ISO_8859_1));
    assertRefused("is not UTF-8 text, expected a calibration", latin);
    assertRefused("is a directory, expected a calibration", folder);
    assertRefused("no such file, expected a calibration", folder.resolve("none"));
  }

  private static void assertRefused(String why, Path file) {
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> InputFile.text(file, "a calibration"));
    assertEquals(file + ": " + why, e.getMessage());
  }
}
