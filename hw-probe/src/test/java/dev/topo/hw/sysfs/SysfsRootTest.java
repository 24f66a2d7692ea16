package dev.topo.hw.sysfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.model.io.Inputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SysfsRootTest {
  @TempDir Path temp;

  @Test
  void attributeLosesItsLastByteAndAllBeyond255() throws IOException {
    Path root = Files.createDirectories(temp.resolve("root/sys")).getParent();
    Files.writeString(root.resolve("sys/short"), "0x10de\n");
    Files.writeString(root.resolve("sys/long"), "a".repeat(300));
    SysfsRoot sysfs = new SysfsRoot(root, new Inputs());
    assertEquals("0x10de", sysfs.attribute("/sys/short"));
    assertEquals("a".repeat(254), sysfs.attribute("/sys/long"));
    assertEquals("", sysfs.attribute("/sys/missing"));
    assertEquals("", sysfs.attribute("/sys"));
    assertEquals(List.of("long", "short"), sysfs.list("/sys"));
    assertEquals(List.of(), sysfs.list("/sys/short"));
  }

  @Test
  void linkThatLeadsOutOfTheFolderLeadsNowhere() throws IOException {
    Path root = Files.createDirectories(temp.resolve("root/sys")).getParent();
    Path secret = Files.writeString(temp.resolve("secret"), "text\n");
    Files.createSymbolicLink(root.resolve("sys/absolute"), secret);
    Files.createSymbolicLink(root.resolve("sys/relative"), Path.of("../../secret"));
    Files.createSymbolicLink(root.resolve("sys/inside"), Path.of("../sys"));
    SysfsRoot sysfs = new SysfsRoot(root, new Inputs());
    assertEquals(Optional.empty(), sysfs.read("/sys/absolute"));
    assertEquals(Optional.empty(), sysfs.realPath("/sys/relative"));
    assertEquals(Optional.of("/sys"), sysfs.realPath("/sys/inside"));
    assertThrows(IllegalArgumentException.class, () -> sysfs.read("/sys/../../secret"));
  }
}
