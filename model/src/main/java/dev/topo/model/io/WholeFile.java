package dev.topo.model.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * Writes a file completely or not at all: writes a temporary file next to the target, then moves it
 * there. Devices and pipes are written in place and links are followed; none of them is replaced by
 * a file.
 */
public final class WholeFile {
  /** Maximum number of links followed, as in Linux. */
  private static final int MOST_LINKS = 40;

  private WholeFile() {}

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes the content; the caller closes the stream. */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Checks before long work that a file can be written.
   *
   * @param inputs the files that the command reads
   * @throws OutputException if it is a directory, is not in a writable directory, or is an input
   */
  public static void check(Path file, Inputs inputs) {
    checkPlace(file);
    if (inputs.contains(file)) {
      throw new OutputException(
          "cannot write " + file + ": is also an input, expected another file");
    }
  }

  private static void checkPlace(Path file) {
    if (Files.isDirectory(file)) {
      throw new OutputException(file + " is a directory, expected a file to write");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      return;
    }
    Path folder = folder(target(file));
    if (!Files.isDirectory(folder)) {
      throw new OutputException("cannot write " + file + ": no folder " + folder);
    }
    if (!Files.isWritable(folder)) {
      throw new OutputException("cannot write " + file + ": no permission to write in " + folder);
    }
  }

  /**
   * True if two paths lead to one existing file.
   *
   * @throws OutputException if that cannot be determined, as an input could be lost
   */
  public static boolean isSame(Path file, Path other) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()
          && Files.isSameFile(file, other);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw OutputException.of("cannot compare " + file + " with " + other, e);
    }
  }

  /** The target of a link, which need not exist yet. */
  private static Path target(Path file) {
    Path target = file.toAbsolutePath();
    try {
      for (int links = 0; links < MOST_LINKS && Files.isSymbolicLink(target); links++) {
        target = target.resolveSibling(Files.readSymbolicLink(target));
      }
    } catch (IOException e) {
      throw OutputException.of("cannot write " + file, e);
    }
    return target;
  }

  /** True if a file is written in place, not replaced. */
  private static boolean isDevice(Path file) throws IOException {
    try {
      return !Files.readAttributes(file, BasicFileAttributes.class).isRegularFile();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static Path folder(Path file) {
    return Objects.requireNonNullElse(file.getParent(), file);
  }

  /**
   * Writes a file.
   *
   * @param inputs the files that the command reads
   * @throws OutputException if it is a directory, is not in a directory, or is an input of the
   *     command
   * @throws IOException if it cannot be written; the previous content is kept
   */
  public static void write(Path file, Inputs inputs, Content content) throws IOException {
    check(file, inputs);
    replace(file, content);
  }

  /** Writes a file that may be an input of the command. */
  public static void replace(Path file, Content content) throws IOException {
    write(file, content, false);
  }

  /**
   * Writes a file that may be an input of the command. The content is flushed to disk before the
   * move, so that the file is complete even after a power failure.
   */
  public static void replaceDurably(Path file, Content content) throws IOException {
    write(file, content, true);
  }

  /** True if a file has the name of a temporary file of this class. */
  public static boolean isTemporary(Path file) {
    return TemporaryFile.isNamed(file);
  }

  /**
   * Deletes the temporary files that killed processes left in a folder. Files of running processes
   * and files of other names are kept.
   *
   * @throws IOException if the folder cannot be read
   */
  public static void removeLeft(Path folder) throws IOException {
    TemporaryFile.removeLeft(folder);
  }

  private static void write(Path file, Content content, boolean isDurable) throws IOException {
    checkPlace(file);
    if (isDevice(file)) {
      try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
        content.writeTo(out);
      }
      return;
    }
    Path target = target(file);
    // Created as any new file, so that the umask applies, with the permissions of the replaced
    // file.
    try (TemporaryFile temporary = TemporaryFile.in(folder(target))) {
      if (Files.exists(target)) {
        Files.setPosixFilePermissions(temporary.path(), Files.getPosixFilePermissions(target));
      }
      content.writeTo(temporary.out());
      if (isDurable) {
        temporary.moveDurably(target);
      } else {
        temporary.closeAndMove(target);
      }
    }
  }
}
