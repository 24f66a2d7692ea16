package dev.topo.accuracy;

import dev.topo.model.fixture.Thorough;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** The archives of what NCCL did on real GPUs. */
final class CheckedArchive {
  static final Path FOLDER = Path.of(System.getProperty("topo.root"), "src/test/resources/checked");

  /**
   * Releases of NCCL that were built from source and run by two ranks on one GPU, by {@code
   * src/test/gpu/collect-releases.sh}.
   */
  static final List<String> RELEASES =
      List.of(
          "2.27.3", "2.27.5", "2.27.7", "2.28.3", "2.28.7", "2.29.3", "2.29.7", "2.30.3", "2.30.7");

  /** What the tables say of the GPUs of these runs. */
  static final String ONE_GPU = "2 ranks on one GPU";

  private CheckedArchive() {}

  /** The releases whose archives are read: all of them, or the oldest and the newest. */
  static List<String> releases(String what) {
    return Thorough.orFirstAndLast(RELEASES, "release of the " + what + " on a GPU");
  }

  /**
   * Fails if a file is not as given, or has not each row of a sample; a sample alone never replaces
   * the file.
   */
  static void check(String name, AccuracyFile file) throws IOException {
    if (Thorough.isOn()) {
      file.check(name);
    } else {
      file.checkRows(name);
    }
  }

  /** The archive of the dumps and logs of such a release. */
  static String logsOf(String release) {
    return "h200-nccl-%s.tar.gz".formatted(release);
  }

  /** The archive of its sends and receives. */
  static String peersOf(String release) {
    return "h200-nccl-%s-peers.tar.gz".formatted(release);
  }

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
