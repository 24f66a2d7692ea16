package dev.topo.model.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.io.Invocation.Input;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a command and their hashes. */
class InvocationTest {
  /** Of the text {@code abc}: FIPS 180-2, appendix B.1. */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @TempDir private Path folder;

  @Test
  void aFileHasTheHashOfItsContentHoweverLittleIsRead() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "abc");
    Invocation.begin("topo", "1", "show", file.toString());
    try (InputStream in = InputFile.open(file, "a text")) {
      assertEquals('a', in.read());
    }
    assertEquals(List.of(new Input(file.toString(), ABC)), Invocation.current().inputs());
  }

  @Test
  void filesMayBeOfSeveralFileSystems() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "abc");
    try (FileSystem zip =
        FileSystems.newFileSystem(folder.resolve("b.zip"), Map.of("create", "true"))) {
      Path packed = Files.writeString(zip.getPath("/b.txt"), "abc");
      Invocation.begin("topo", "1");
      assertEquals("abc", InputFile.text(file, "a text"));
      assertEquals("abc", InputFile.text(packed, "a text"));
      assertEquals(
          List.of(new Input("/b.txt", ABC), new Input(file.toString(), ABC)),
          Invocation.current().inputs());
    }
  }
}
