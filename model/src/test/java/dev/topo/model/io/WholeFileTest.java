package dev.topo.model.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
  private static final byte[] TEXT = "text".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @Test
  void whatAKilledProcessLeftIsRemovedAndNothingElse() throws IOException {
    Files.write(folder.resolve(".topo12ab34.tmp"), TEXT);
    Files.write(folder.resolve(".topoxyz.tmp"), TEXT);
    Files.write(folder.resolve("notes.tmp"), TEXT);
    Files.createDirectory(folder.resolve(".topo1.tmp"));
    Files.createSymbolicLink(folder.resolve(".topo2.tmp"), folder.resolve("notes.tmp"));
    WholeFile.removeLeft(folder);
    assertEquals(List.of(".topo1.tmp", ".topo2.tmp", ".topoxyz.tmp", "notes.tmp"), names());
  }

  /** Of this process, and of another one: that one's file is locked. */
  @Test
  void whatIsBeingWrittenStays() throws IOException {
    Path other = folder.resolve(".topo77.tmp");
    try (FileChannel held =
        FileChannel.open(other, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      held.lock();
      for (boolean isDurable : new boolean[] {false, true}) {
        Path file = folder.resolve("file" + isDurable);
        WholeFile.Content content =
            out -> {
              WholeFile.removeLeft(folder);
              out.write(TEXT);
            };
        if (isDurable) {
          WholeFile.replaceDurably(file, content);
        } else {
          WholeFile.replace(file, content);
        }
      }
      WholeFile.removeLeft(folder);
      assertEquals(List.of(".topo77.tmp", "filefalse", "filetrue"), names());
    }
    WholeFile.removeLeft(folder);
    assertEquals(List.of("filefalse", "filetrue"), names());
    assertEquals("text", Files.readString(folder.resolve("filetrue")));
  }

  @Test
  void aFileThatCannotBeWrittenLeavesNothingAndChangesNothing() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "before");
    WholeFile.Content full =
        out -> {
          out.write(TEXT);
          throw new IOException("No space left on device");
        };
    assertThrows(IOException.class, () -> WholeFile.replaceDurably(file, full));
    assertThrows(IOException.class, () -> WholeFile.replace(file, full));
    assertEquals(List.of("file"), names());
    assertEquals("before", Files.readString(file));
  }
}
