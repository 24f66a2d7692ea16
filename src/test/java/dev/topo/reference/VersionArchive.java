package dev.topo.reference;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** Archives of reference answers, unpacked below {@code target} where tests run. */
final class VersionArchive {
  private static final Path TARGET = Path.of("target", "references").toAbsolutePath();
  private static final Map<Path, Path> UNPACKED = new ConcurrentHashMap<>();

  private VersionArchive() {}

  /** The folder with the contents of an archive. */
  static Path unpacked(Path archive) {
    return UNPACKED.computeIfAbsent(archive, VersionArchive::unpack);
  }

  private static Path unpack(Path archive) {
    try {
      Path folder = TARGET.resolve(archive.getFileName() + "-" + Files.size(archive));
      if (Files.exists(folder)) {
        return folder;
      }
      Files.createDirectories(TARGET);
      Path incomplete = Files.createTempDirectory(TARGET, "unpacking");
      try (InputStream file = new BufferedInputStream(Files.newInputStream(archive));
          TarArchiveInputStream entries =
              new TarArchiveInputStream(new XZCompressorInputStream(file))) {
        for (TarArchiveEntry entry = entries.getNextEntry();
            entry != null;
            entry = entries.getNextEntry()) {
          Path path = entry.resolveIn(incomplete);
          if (entry.isFile()) {
            Files.createDirectories(path.getParent());
            Files.copy(entries, path);
          }
        }
      }
      return Files.move(incomplete, folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
