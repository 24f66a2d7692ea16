package dev.topo.hw.sysfs;

import dev.topo.model.io.FileFault;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Files of this machine, or of the machine below a folder, such as a container image. Paths are
 * absolute paths on that machine; links, even absolute ones, are resolved inside the folder. Reads
 * only, and only regular files: a pipe or a device in an image may never end.
 *
 * @param root the folder
 * @param complete whether this user can read every file in the folder, as in a capture; otherwise
 *     unreadable files count as absent
 * @param inputs records the files that are read, so that no output replaces one
 */
public record FileTree(Path root, boolean complete, Inputs inputs) {
  /** Maximum number of links in a path, as in Linux ({@code MAXSYMLINKS}). */
  private static final int MAX_LINKS = 40;

  /**
   * Maximum number of bytes read from a file at once; {@code /etc/ld.so.cache} of a large machine
   * has 1 MiB.
   */
  private static final int MAX_FILE = 16 << 20;

  /** {@code NAME_MAX} of {@code linux/limits.h}. */
  private static final int MAX_NAME = 255;

  private static final Path THIS_MACHINE = Path.of("/");

  public FileTree {
    root = root.toAbsolutePath().normalize();
  }

  public FileTree(Path root, Inputs inputs) {
    this(root, false, inputs);
  }

  public static FileTree ofThisMachine(Inputs inputs) {
    return new FileTree(THIS_MACHINE, inputs);
  }

  private Path onDisk(String path) {
    return root.resolve(path.substring(1));
  }

  /** Path without links, if the file or folder exists. */
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
      Optional<BasicFileAttributes> found = attributes(next, LinkOption.NOFOLLOW_LINKS);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      Optional<String> target = found.get().isSymbolicLink() ? link(next) : Optional.empty();
      if (target.isEmpty()) {
        if (found.get().isRegularFile() && !ahead.isEmpty()) {
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

  /** Attributes at a path without links before its last name. */
  private Optional<BasicFileAttributes> attributes(String real, LinkOption... options) {
    if (FileTree.name(real).length() > MAX_NAME) {
      return Optional.empty();
    }
    return present(real, file -> Files.readAttributes(file, BasicFileAttributes.class, options));
  }

  private Optional<String> link(String real) {
    return present(real, file -> Files.readSymbolicLink(file).toString());
  }

  public boolean isFile(String path) {
    return real(path, BasicFileAttributes::isRegularFile).isPresent();
  }

  public boolean isDirectory(String path) {
    return real(path, BasicFileAttributes::isDirectory).isPresent();
  }

  private Optional<String> real(String path, Predicate<BasicFileAttributes> kind) {
    return real(path).filter(real -> attributes(real).filter(kind).isPresent());
  }

  public List<String> list(String directory) {
    return real(directory, BasicFileAttributes::isDirectory)
        .flatMap(real -> present(real, FileTree::names))
        .orElse(List.of());
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> String.valueOf(entry.getFileName())).sorted().toList();
    } catch (UncheckedIOException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }

  public Optional<byte[]> bytes(String path) {
    return real(path, BasicFileAttributes::isRegularFile)
        .flatMap(real -> present(real, this::readStart));
  }

  private byte[] readStart(Path file) throws IOException {
    inputs.add(file);
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(MAX_FILE);
    }
  }

  /** Read operation on a file or folder. */
  private interface Read<T> {
    T of(Path file) throws IOException;
  }

  /**
   * Result of reading a file or folder; empty if it is missing or not readable by this user.
   *
   * @throws TopologyFormatException if it exists and reading fails, which in a folder is a fault of
   *     the disk. Some files of a running kernel cannot be read; NCCL treats them as absent.
   */
  private <T> Optional<T> present(String real, Read<T> read) {
    try {
      return Optional.of(read.of(onDisk(real)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      if (isAbsent(e)) {
        return Optional.empty();
      }
      throw FileFault.unreadable(onDisk(real).toString(), e);
    }
  }

  private boolean isAbsent(IOException e) {
    if (e instanceof AccessDeniedException) {
      return !complete;
    }
    return root.equals(THIS_MACHINE) && !(e instanceof ClosedByInterruptException);
  }

  public Optional<String> text(String path) {
    return bytes(path).map(content -> new String(content, StandardCharsets.UTF_8));
  }

  /**
   * Opens a file for random access reads; the caller closes it.
   *
   * @throws IOException if it is missing, not a regular file or cannot be read
   */
  public FileChannel open(String path) throws IOException {
    Path file = onDisk(real(path).orElse(path));
    if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
      throw new NoSuchFileException(path, null, "not a regular file");
    }
    inputs.add(file);
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  /** Path on the machine without {@code .} and {@code ..}. */
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
