package dev.topo.cli.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * Writes a file whole or not at all: beside its place first, then moved there. Devices and pipes
 * are written to, links are followed: none of them becomes a file.
 */
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
   * @throws OutputException if it is a directory, or in none
   * @throws IOException if it cannot be written; what was there before is still there
   */
  public static void write(Path file, Content content) throws IOException {
    if (Files.isDirectory(file)) {
      throw new OutputException(file + " is a directory, expected a file to write");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
        content.writeTo(out);
      }
      return;
    }
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path folder = Objects.requireNonNullElse(target.getParent(), target);
    if (!Files.isDirectory(folder)) {
      throw new OutputException("cannot write " + file + ": no folder " + folder);
    }
    Path temporary = Files.createTempFile(folder, ".topo", ".tmp");
    try {
      try (OutputStream out = Files.newOutputStream(temporary)) {
        content.writeTo(out);
      }
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(
          temporary, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
