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

/** The archives of what NCCL did on real GPUs. */
final class CheckedArchive {
  static final Path FOLDER = Path.of(System.getProperty("topo.root"), "src/test/resources/checked");

  private CheckedArchive() {}

  /** The texts of an archive by their paths, without the folder of all, in order. */
  static Map<String, String> unpacked(String archive) throws IOException {
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

  /** The files of each run, by its folder. */
  static Map<String, Map<String, String>> folders(Map<String, String> files) {
    Map<String, Map<String, String>> folders = new TreeMap<>();
    files.forEach(
        (path, text) -> {
          int slash = path.indexOf('/');
          if (slash > 0) {
            folders
                .computeIfAbsent(path.substring(0, slash), folder -> new TreeMap<>())
                .put(path.substring(slash + 1), text);
          }
        });
    return folders;
  }
}
