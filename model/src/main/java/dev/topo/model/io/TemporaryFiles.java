package dev.topo.model.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Temporary files and folders of the process: removed by {@link #delete}, or when the process ends,
 * also by a signal.
 */
public final class TemporaryFiles {
  private static final TemporaryFiles PROCESS = new TemporaryFiles();

  private final Set<Path> places = new HashSet<>();
  private boolean isHooked;
  private boolean isEnding;

  private TemporaryFiles() {}

  /**
   * Creates a folder in the system's folder for temporary files.
   *
   * @param prefix of its name
   * @throws IOException if it cannot be created
   */
  public static Path folder(String prefix) throws IOException {
    return PROCESS.makeFolder(prefix);
  }

  /**
   * Registers a file that is about to be created.
   *
   * @throws IOException if the process is already ending
   */
  static void note(Path file) throws IOException {
    PROCESS.add(file);
  }

  /** Undoes {@link #note}: the file was not created. */
  static void forget(Path file) {
    PROCESS.remove(file);
  }

  /** True if this process has registered a file and not deleted it. */
  static boolean isNoted(Path file) {
    return PROCESS.has(file);
  }

  /**
   * Deletes a file or a folder with its content, if it exists.
   *
   * @throws IOException if it cannot be deleted
   */
  public static void delete(Path place) throws IOException {
    try {
      deleteTree(place);
    } finally {
      PROCESS.remove(place);
    }
  }

  private synchronized Path makeFolder(String prefix) throws IOException {
    beginWork();
    try {
      Path folder = Files.createTempDirectory(prefix);
      places.add(folder);
      return folder;
    } catch (IOException e) {
      throw new IOException(
          "no temporary folder in %s: %s"
              .formatted(System.getProperty("java.io.tmpdir"), FileFault.text(e)),
          e);
    }
  }

  private synchronized void add(Path place) throws IOException {
    beginWork();
    places.add(place);
  }

  /** Called before anything is created: a signal may arrive immediately. */
  private void beginWork() throws IOException {
    try {
      if (!isHooked) {
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "temporary files"));
        isHooked = true;
      }
    } catch (IllegalStateException e) {
      throw new IOException("the process ends", e);
    }
    if (isEnding) {
      throw new IOException("the process ends");
    }
  }

  private synchronized void remove(Path place) {
    places.remove(place);
  }

  private synchronized boolean has(Path place) {
    return places.contains(place);
  }

  private synchronized void end() {
    isEnding = true;
    for (Path place : places) {
      try {
        deleteTree(outOfReach(place));
      } catch (IOException e) {
        // Nothing can report the error any more; the others are still deleted.
        continue;
      }
    }
  }

  /** Renames a folder, so that a thread still working in it creates nothing more there. */
  private static Path outOfReach(Path place) throws IOException {
    return Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)
        ? Files.move(place, place.resolveSibling(place.getFileName() + "-ended"))
        : place;
  }

  private static void deleteTree(Path place) throws IOException {
    if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(place)) {
      List<Path> innermostFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path path : innermostFirst) {
        Files.deleteIfExists(path);
      }
    } catch (UncheckedIOException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }
}
