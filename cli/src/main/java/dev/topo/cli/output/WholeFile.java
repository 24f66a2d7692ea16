package dev.topo.cli.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes a file whole or not at all: beside its place first, then moved there. */
public final class WholeFile {
  private WholeFile() {}

  /** What fills a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes it; the stream is closed by others. */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a file.
   *
   * @throws OutputException if it is a directory
   * @throws IOException if it cannot be written; what was there before is still there
   */
  public static void write(Path file, Content content) throws IOException {
    if (Files.isDirectory(file)) {
      throw new OutputException(file + " is a directory, expected a file to write");
    }
    Path temporary = Files.createTempFile(file.toAbsolutePath().getParent(), ".topo", ".tmp");
    try {
      try (OutputStream out = Files.newOutputStream(temporary)) {
        content.writeTo(out);
      }
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(
          temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
