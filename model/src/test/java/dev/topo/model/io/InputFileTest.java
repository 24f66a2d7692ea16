package dev.topo.model.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    TopologyFormatException notUtf8 =
        assertThrows(TopologyFormatException.class, () -> InputFile.text(latin, "a calibration"));
    assertEquals(latin + ":1:3: is not UTF-8 text, expected a calibration", notUtf8.getMessage());
    Files.write(latin, "a\nb\ngr\u00fcn".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(
        new SourceLocation(latin.toString(), 3, 3),
        assertThrows(TopologyFormatException.class, () -> InputFile.text(latin, "a text"))
            .location());
    assertRefused("is a device or socket, expected a calibration", Path.of("/dev/zero"));
    assertRefused("is a directory, expected a calibration", folder);
    assertRefused("no such file, expected a calibration", folder.resolve("none"));
  }

  @Test
  void aPipeThatTheUserNamesIsRead() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Process writer = new ProcessBuilder("sh", "-c", "echo text > " + pipe).start();
    assertEquals("text\n", InputFile.text(pipe, "a text"));
    assertEquals(0, writer.waitFor());
  }

  @Test
  void whatWasOpenedIsKnownByAnyName() throws IOException {
    OpenedFiles.begin();
    Path file = Files.writeString(folder.resolve("file"), "text");
    Path hard = Files.createLink(folder.resolve("hard"), file);
    Path soft = Files.createSymbolicLink(folder.resolve("soft"), file);
    Path other = Files.writeString(folder.resolve("other"), "text");
    assertFalse(OpenedFiles.contains(file));
    InputFile.text(soft, "a text");
    assertTrue(OpenedFiles.contains(file));
    assertTrue(OpenedFiles.contains(hard));
    assertFalse(OpenedFiles.contains(other));
    assertFalse(OpenedFiles.contains(folder.resolve("none")));
    OpenedFiles.begin();
    assertFalse(OpenedFiles.contains(file));
  }

  private static void assertRefused(String why, Path file) {
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> InputFile.text(file, "a calibration"));
    assertEquals(file + ": " + why, e.getMessage());
  }
}
