package dev.topo.simulator.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildHashTest {
  @TempDir private Path folder;

  private Path classes(String name, String content) throws IOException {
    Path file = folder.resolve(name).resolve("dev/topo/A.class");
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
    Files.writeString(folder.resolve(name).resolve("other.txt"), name);
    return folder.resolve(name);
  }

  @Test
  void aJarIsTheFolderThatItWasMadeFrom() throws IOException {
    Path jar = folder.resolve("a.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
      out.putNextEntry(new ZipEntry("dev/topo/A.class"));
      out.write("one".getBytes(StandardCharsets.UTF_8));
      out.closeEntry();
    }
    String folders = classes("a", "one").toString();
    assertEquals(BuildHash.of(folders), BuildHash.of(jar.toString()));
    assertEquals(
        BuildHash.of(folders),
        BuildHash.of(jar + File.pathSeparator + classes("b", "two") + File.pathSeparator + "none"));
    assertNotEquals(BuildHash.of(folders), BuildHash.of(classes("b", "two").toString()));
  }
}
