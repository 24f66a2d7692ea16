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
 * Writes a file whole or not at all: beside its place first, then moved there. Devices and pipes
 * are written to, links are followed: none of them becomes a file.
 */
public final class WholeFile {
  /** As many as Linux follows. */
  private static final int MOST_LINKS = 40;

  private WholeFile() {}

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes it; the stream is closed by others. */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Makes sure, before long work, that a file can be written.
   *
   * @param inputs the files that the command reads
   * @throws OutputException if it is a directory, or in none that can be written to, or an input
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
   * True if two names are those of one existing file.
   *
   * @throws OutputException if that cannot be found out: an input could be lost
   */
  public static boolean isSame(Path file, Path other) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()
          && Files.isSameFile(file, other);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw new OutputException(
          "cannot compare " + file + " with " + other + ": " + FileFault.text(e), e);
    }
  }

  /** The file that a link leads to, also where it is not there yet. */
  private static Path target(Path file) {
    Path target = file.toAbsolutePath();
    try {
      for (int links = 0; links < MOST_LINKS && Files.isSymbolicLink(target); links++) {
        target = target.resolveSibling(Files.readSymbolicLink(target));
      }
    } catch (IOException e) {
      throw new OutputException("cannot write " + file + ": " + FileFault.text(e), e);
    }
    return target;
  }

  /** True if a file is written to, not replaced. */
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
   * @throws OutputException if it is a directory, or in none, or an input of the command
   * @throws IOException if it cannot be written; what was there before is still there
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
   * Writes a file that may be an input of the command. It is on the disk before it is in its place,
   * so that it is whole there also after the machine was switched off.
   */
  public static void replaceDurably(Path file, Content content) throws IOException {
    write(file, content, true);
  }

  /** True if a file has the name of one that is being written beside its place. */
  public static boolean isTemporary(Path file) {
    return TemporaryFile.isNamed(file);
  }

  /**
   * Deletes from a folder what killed processes left there while they wrote files. What a running
   * process writes stays, and so does any file of another name.
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
    // Made as any new file is, so that the umask counts, and like the one that it replaces.
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
