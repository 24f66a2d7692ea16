package dev.topo.model.io;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file that is written next to its target and then moved there. The process holds a lock on it
 * until it is closed: a file without a lock was left by a killed process, and {@link #removeLeft}
 * deletes it.
 */
record TemporaryFile(Path file, FileChannel channel) implements Closeable {
  private static final Pattern NAME = Pattern.compile("\\.topo[0-9a-f]{1,16}\\.tmp");

  /** Names are derived from the time in nanoseconds: even two collisions in a row are rare. */
  private static final int MAX_TRIES = 16;

  static boolean isNamed(Path file) {
    return NAME.matcher(String.valueOf(file.getFileName())).matches();
  }

  /**
   * Creates a file in a folder.
   *
   * @throws IOException if it cannot be created
   */
  static TemporaryFile in(Path folder) throws IOException {
    for (int i = 0; i < MAX_TRIES; i++) {
      Optional<TemporaryFile> made =
          tryMake(folder.resolve(".topo" + Long.toHexString(System.nanoTime()) + ".tmp"));
      if (made.isPresent()) {
        return made.get();
      }
    }
    throw new IOException("no temporary file can be made beside it");
  }

  /** Empty if another process has a file of this name, or deleted this one as left over. */
  private static Optional<TemporaryFile> tryMake(Path file) throws IOException {
    TemporaryFiles.note(file);
    try {
      return new TemporaryFile(
              file, FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))
          .ifLocked();
    } catch (FileAlreadyExistsException e) {
      TemporaryFiles.forget(file);
      return Optional.empty();
    } catch (IOException | RuntimeException | Error e) {
      TemporaryFiles.delete(file);
      throw e;
    }
  }

  private Optional<TemporaryFile> ifLocked() throws IOException {
    boolean isLocked = false;
    try {
      isLocked = isLocked();
      return isLocked ? Optional.of(this) : Optional.empty();
    } finally {
      if (!isLocked) {
        close();
      }
    }
  }

  private boolean isLocked() {
    try {
      return channel.tryLock() != null && Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      return true; // a file system without locks: no other process gets one either
    }
  }

  Path path() {
    return file;
  }

  OutputStream out() {
    return Channels.newOutputStream(channel);
  }

  /**
   * Flushes the content to disk and moves the file to its target. The file stays locked meanwhile.
   */
  void moveDurably(Path target) throws IOException {
    channel.force(true);
    move(target);
  }

  /** Closes the file and moves it to its target. */
  void closeAndMove(Path target) throws IOException {
    channel.close();
    move(target);
  }

  private void move(Path target) throws IOException {
    Files.move(file, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes it, unless it was moved. */
  @Override
  public void close() throws IOException {
    try (FileChannel held = channel) {
      TemporaryFiles.delete(file);
    }
  }

  /**
   * Deletes the temporary files that no running process has locked. Files of another name, type or
   * user are kept.
   *
   * @throws IOException if the folder cannot be read
   */
  static void removeLeft(Path folder) throws IOException {
    List<Path> found;
    try (Stream<Path> files = Files.list(folder.toAbsolutePath())) {
      found =
          files
              .filter(TemporaryFile::isNamed)
              .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .filter(file -> !TemporaryFiles.isNoted(file))
              .toList();
    }
    for (Path file : found) {
      removeIfLeft(file);
    }
  }

  /**
   * Returns true if the file was deleted. It is locked meanwhile, so that no process starts writing
   * to it.
   */
  private static boolean removeIfLeft(Path file) {
    try (FileChannel left =
            FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = left.tryLock()) {
      return lock != null && Files.deleteIfExists(file);
    } catch (IOException | OverlappingFileLockException e) {
      return false; // already deleted, owned by another user, or no locks available
    }
  }
}
