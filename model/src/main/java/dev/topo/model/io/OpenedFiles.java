package dev.topo.model.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The regular files that a command has opened for reading, by whatever name, so that it writes over
 * none of them. Each command has its own set, which the threads that it starts share.
 */
public final class OpenedFiles {
  private static final InheritableThreadLocal<Set<Object>> OF_COMMAND =
      new InheritableThreadLocal<>() {
        @Override
        protected Set<Object> initialValue() {
          return ConcurrentHashMap.newKeySet();
        }
      };

  private OpenedFiles() {}

  /** Begins a command, which has opened nothing. */
  public static void begin() {
    OF_COMMAND.remove();
  }

  /**
   * Adds a file; what is no regular file is written to, never replaced, and not added.
   *
   * @throws IOException if it is there and cannot be examined: it could be lost
   */
  public static void add(Path file) throws IOException {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      if (found.isRegularFile()) {
        add(file, found);
      }
    } catch (NoSuchFileException e) {
      return; // opening it fails, too
    }
  }

  static void add(Path file, BasicFileAttributes found) {
    OF_COMMAND.get().add(key(file, found));
  }

  /**
   * Whether a name is that of a file which was opened, also over links.
   *
   * @throws UncheckedIOException if it is there and cannot be examined
   */
  public static boolean contains(Path file) {
    try {
      return OF_COMMAND
          .get()
          .contains(key(file, Files.readAttributes(file, BasicFileAttributes.class)));
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Device and inode, or else, on a system without them, the path. */
  private static Object key(Path file, BasicFileAttributes found) {
    return Objects.requireNonNullElseGet(found.fileKey(), () -> file.toAbsolutePath().normalize());
  }
}
