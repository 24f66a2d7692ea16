package dev.topo.accuracy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** What real NCCL did on GPUs, in the archives of {@code src/test/resources/checked}. */
final class CheckedArchive {
  static final Path FOLDER = Path.of(System.getProperty("topo.root"), "src/test/resources/checked");

  private CheckedArchive() {}

  /** The files of an archive by their paths, without the folder of all. */
  static Map<String, String> files(String archive) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (InputStream in = Files.newInputStream(FOLDER.resolve(archive));
        TarArchiveInputStream tar = new TarArchiveInputStream(new GZIPInputStream(in))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        if (entry.isFile()) {
          files.put(
              entry.getName().replaceFirst("^(runs|peers)/", ""),
              new String(tar.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    return files;
  }
}
