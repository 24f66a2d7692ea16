package dev.topo.hw.sysfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.MachineFolder;
import dev.topo.model.io.Inputs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreeTest {
  @TempDir private Path folder;
  private FileTree files = new FileTree(Path.of("/nowhere"), new Inputs());

  @BeforeEach
  void make() {
    new MachineFolder(folder)
        .text("/opt/real/file", "text")
        .link("/lib", "usr/lib")
        .directory("/usr/lib")
        .link("/usr/lib/file", "/opt/real/file")
        .link("/usr/lib/up", "../../opt/real")
        .link("/loop", "/loop")
        .link("/out", "/../../outside");
    files = new FileTree(folder, new Inputs());
  }

  @Test
  void absoluteLinksLeadWhereTheyWouldOnTheMachine() {
    assertEquals(Optional.of("/opt/real/file"), files.real("/lib/file"));
    assertEquals(Optional.of("/opt/real/file"), files.real("/lib/up/./../real//file"));
    assertEquals(Optional.of("text"), files.text("/lib/file"));
    assertEquals(Optional.of("/"), files.real("/"));
  }

  @Test
  void noLinkLeadsOutOfTheFolder() {
    assertEquals(Optional.empty(), files.text("/out"));
    assertEquals(Optional.empty(), files.real("/loop"));
  }

  @Test
  void aPipeIsNotRead() throws Exception {
    Path pipe = folder.resolve("opt/real/pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    assertEquals(Optional.empty(), files.bytes("/opt/real/pipe"));
    assertThrows(IOException.class, () -> files.open("/opt/real/pipe").close());
  }

  @Test
  void whatIsNotThereIsEmpty() {
    assertEquals(Optional.empty(), files.real("/lib/none"));
    assertEquals(List.of(), files.list("/lib/none"));
    assertEquals(List.of("file", "up"), files.list("/lib"));
    assertTrue(files.isFile("/lib/file"));
    assertFalse(files.isDirectory("/lib/file"));
    assertEquals(Optional.empty(), files.text("/usr"));
  }
}
