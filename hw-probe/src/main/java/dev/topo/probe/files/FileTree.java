package dev.topo.probe.files;

import dev.topo.model.diagnostic.OpenedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files of a machine: those of this one, or those below a folder, as of a container image.
 * Paths are given and returned as on the machine itself; a link in a folder leads where it would
 * lead there, an absolute one too. Only reads, and only regular files: a pipe or a device of an
 * image may never end.
 */
public record FileTree(Path root) {
  /** As many links as Linux follows in one path ({@code MAXSYMLINKS}). */
  private static final int MAX_LINKS = 40;

  /** Most that is read of a file at once; {@code /etc/ld.so.cache} of a large machine has 1 MiB. */
  private static final int MAX_FILE = 16 << 20;

  public FileTree {
    root = root.toAbsolutePath().normalize();
  }

  public static FileTree ofThisMachine() {
    return new FileTree(Path.of("/"));
  }

  private Path onDisk(String path) {
    return root.resolve(path.substring(1));
  }

  /** The path without links in it, if there is such a file or folder. */
  public Optional<String> real(String path) {
    Deque<String> ahead = new ArrayDeque<>(parts(path));
    StringBuilder done = new StringBuilder();
    int links = 0;
    while (!ahead.isEmpty()) {
      String part = ahead.removeFirst();
      if (part.isEmpty() || part.equals(".")) {
        continue;
      }
      if (part.equals("..")) {
        done.setLength(Math.max(0, done.lastIndexOf("/")));
        continue;
      }
      String next = done + "/" + part;
      Optional<String> target = link(next);
      if (target.isEmpty()) {
        if (!Files.exists(onDisk(next), LinkOption.NOFOLLOW_LINKS)) {
          return Optional.empty();
        }
        done.append('/').append(part);
      } else if (++links > MAX_LINKS) {
        return Optional.empty();
      } else {
        List<String> parts = parts(target.get());
        for (int i = parts.size() - 1; i >= 0; i--) {
          ahead.addFirst(parts.get(i));
        }
        if (target.get().startsWith("/")) {
          done.setLength(0);
        }
      }
    }
    return Optional.of(done.length() == 0 ? "/" : done.toString());
  }

  private static List<String> parts(String path) {
    return List.of(path.split("/", -1));
  }

  private Optional<String> link(String path) {
    Path file = onDisk(path);
    if (!Files.isSymbolicLink(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readSymbolicLink(file).toString());
    } catch (IOException e) {
      // It went away, or is not for this user: what comes next finds nothing there.
      return Optional.empty();
    }
  }

  public boolean isFile(String path) {
    return real(path).filter(file -> Files.isRegularFile(onDisk(file))).isPresent();
  }

  public boolean isDirectory(String path) {
    return real(path).filter(file -> Files.isDirectory(onDisk(file))).isPresent();
  }

  public List<String> list(String directory) {
    Optional<String> real = real(directory);
    if (real.isEmpty()) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(onDisk(real.get()))) {
      return entries.map(entry -> String.valueOf(entry.getFileName())).sorted().toList();
    } catch (IOException | UncheckedIOException e) {
      // Not a folder, or not for this user.
      return List.of();
    }
  }

  public Optional<byte[]> bytes(String path) {
    Optional<Path> file = real(path).map(this::onDisk).filter(Files::isRegularFile);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    OpenedFiles.add(file.get());
    try (InputStream in = Files.newInputStream(file.get())) {
      return Optional.of(in.readNBytes(MAX_FILE));
    } catch (IOException e) {
      // Not for this user: as good as not there.
      return Optional.empty();
    }
  }

  public Optional<String> text(String path) {
    return bytes(path).map(content -> new String(content, StandardCharsets.UTF_8));
  }

  /**
   * Opens a file for reading here and there; the caller closes it.
   *
   * @throws IOException if it is not there, no regular file or cannot be read
   */
  public FileChannel open(String path) throws IOException {
    Path file = onDisk(real(path).orElse(path));
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new FileSystemException(path, null, "not a regular file");
    }
    OpenedFiles.add(file);
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  /** A path on the machine without {@code .} and {@code ..} in it. */
  public static String normal(String path) {
    return Path.of("/").resolve(path).normalize().toString();
  }

  public static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? "/" : path.substring(0, slash);
  }

  public static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
