package dev.topo.model.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs.Input;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a command: their contents, faults, places and hashes. */
class InputsTest {
  /** Of the text {@code abc}: FIPS 180-2, appendix B.1. */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @TempDir private Path folder;

  @Test
  void aTextHasNoByteOrderMark() throws IOException {
    Path file = folder.resolve("x.edits");
    Files.writeString(file, "\ufeffremove gpu:7\u00a0\n");
    assertEquals("remove gpu:7\u00a0\n", new Inputs().text(file, "edits"));
    assertEquals(17, new Inputs().bytes(file, "edits").length - 1);
  }

  @Test
  void whatCannotBeReadIsSaid() throws IOException {
    Path latin = folder.resolve("latin.csv");
    Files.write(latin, "gr\u00fcn".getBytes(StandardCharsets.ISO_8859_1));
    TopologyFormatException notUtf8 =
        assertThrows(
            TopologyFormatException.class, () -> new Inputs().text(latin, "a calibration"));
    assertEquals(latin + ":1:3: is not UTF-8 text, expected a calibration", notUtf8.getMessage());
    Files.write(latin, "a\nb\ngr\u00fcn".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(
        new SourceLocation(latin.toString(), 3, 3),
        assertThrows(TopologyFormatException.class, () -> new Inputs().text(latin, "a text"))
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
    assertEquals("text\n", new Inputs().text(pipe, "a text"));
    assertEquals(0, writer.waitFor());
  }

  @Test
  void whatWasOpenedIsKnownByAnyName() throws IOException {
    Inputs inputs = new Inputs();
    Path file = Files.writeString(folder.resolve("file"), "text");
    Path hard = Files.createLink(folder.resolve("hard"), file);
    Path soft = Files.createSymbolicLink(folder.resolve("soft"), file);
    Path other = Files.writeString(folder.resolve("other"), "text");
    assertFalse(inputs.contains(file));
    inputs.text(soft, "a text");
    assertTrue(inputs.contains(file));
    assertTrue(inputs.contains(hard));
    assertFalse(inputs.contains(other));
    assertFalse(inputs.contains(folder.resolve("none")));
    assertFalse(new Inputs().contains(file));
  }

  @Test
  void whatSomethingElseOpensIsNotReplacedAndNotListed() throws IOException {
    Inputs inputs = new Inputs();
    Path file = Files.writeString(folder.resolve("file"), "text");
    inputs.add(file);
    inputs.add(folder.resolve("none"));
    assertEquals(List.of(), inputs.list());
    assertThrows(OutputException.class, () -> WholeFile.check(file, inputs));
    WholeFile.check(file, new Inputs());
  }

  @Test
  void aFileHasTheHashOfItsContentHoweverLittleIsRead() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "abc");
    Inputs inputs = new Inputs();
    try (InputStream in = inputs.open(file, "a text")) {
      assertEquals('a', in.read());
      assertEquals(List.of(new Input(file.toString(), null)), inputs.list());
    }
    assertEquals(List.of(new Input(file.toString(), ABC)), inputs.list());
  }

  @Test
  void filesMayBeOfSeveralFileSystems() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "abc");
    try (FileSystem zip =
        FileSystems.newFileSystem(folder.resolve("b.zip"), Map.of("create", "true"))) {
      Path packed = Files.writeString(zip.getPath("/b.txt"), "abc");
      Inputs inputs = new Inputs();
      assertEquals("abc", inputs.text(file, "a text"));
      assertEquals("abc", inputs.text(packed, "a text"));
      assertEquals(
          List.of(new Input("/b.txt", ABC), new Input(file.toString(), ABC)), inputs.list());
    }
  }

  @Test
  void severalThreadsReadForOneCommand() throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      files.add(Files.writeString(folder.resolve("%02d.txt".formatted(i)), "abc"));
    }
    Inputs inputs = new Inputs();
    OrderedWork.run(files.iterator(), file -> inputs.text(file, "a text"), text -> {});
    assertEquals(
        files.stream().map(file -> new Input(file.toString(), ABC)).toList(), inputs.list());
    assertTrue(files.stream().allMatch(inputs::contains));
  }

  private static void assertRefused(String why, Path file) {
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> new Inputs().text(file, "a calibration"));
    assertEquals(file + ": " + why, e.getMessage());
  }
}
