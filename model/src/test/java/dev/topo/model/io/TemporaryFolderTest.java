package dev.topo.model.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Folders for the time of some work. */
class TemporaryFolderTest {
  @Test
  void isDeletedWithItsContentsWhenItIsClosed() throws IOException {
    List<String> messages = new ArrayList<>();
    Path path;
    try (TemporaryFolder folder = TemporaryFolder.make("topo-test", messages::add)) {
      path = folder.path();
      Files.createDirectories(path.resolve("a/b"));
      Files.writeString(path.resolve("a/b/file"), "text");
      assertTrue(Files.isDirectory(path));
    }
    assertFalse(Files.exists(path));
    assertEquals(List.of(), messages);
  }
}
