package dev.topo.probe.sysfs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folder that holds {@code sys}, {@code proc} and {@code dev}: {@code /} for this machine, any
 * other folder for a captured tree. Paths are given and returned as on the machine itself, {@code
 * /sys/class/net}. Links are followed; one that leads out of the folder leads nowhere. Only reads.
 */
public final class SysfsRoot {
  /**
   * Longest text that NCCL takes from a file ({@code MAX_STR_LEN}, {@code nccl:src/graph/xml.h}).
   */
  private static final int MAX_ATTRIBUTE = 255;

  /** Most that is read of any file; {@code /proc/cpuinfo} of a large machine has half of it. */
  private static final int MAX_FILE = 4 << 20;

  private final Path folder;
  private final AccessLog log;

  /** The folder, with links in its own path followed. */
  public SysfsRoot(Path folder) {
    this(folder, AccessLog.NONE);
  }

  private SysfsRoot(Path folder, AccessLog log) {
    this.folder = real(folder);
    this.log = log;
  }

  private static Path real(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException e) {
      return folder.toAbsolutePath().normalize();
    }
  }

  /** This machine. */
  public static SysfsRoot ofThisMachine() {
    return new SysfsRoot(Path.of("/"));
  }

  /** The same folder, telling {@code accessLog} what is read. */
  public SysfsRoot withLog(AccessLog accessLog) {
    return new SysfsRoot(folder, accessLog);
  }

  private Path locate(String path) {
    if (!path.startsWith("/") || path.contains("/../") || path.endsWith("/..")) {
      throw new IllegalArgumentException("'" + path + "' is not an absolute path without '..'");
    }
    return folder.resolve(path.substring(1));
  }

  /** What a path is when all links are followed, if it exists. */
  public Optional<String> realPath(String path) {
    Optional<String> found = resolve(path);
    found.ifPresent(target -> log.resolved(path, target));
    return found;
  }

  private Optional<String> resolve(String path) {
    try {
      Path target = locate(path).toRealPath();
      return target.startsWith(folder)
          ? Optional.of("/" + folder.relativize(target))
          : Optional.empty();
    } catch (IOException e) {
      // Not there, or not for this user: both mean that there is nothing to see.
      return Optional.empty();
    }
  }

  /** The whole text of a file, if it is there and can be read. */
  public Optional<String> read(String path) {
    if (resolve(path).isEmpty()) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(locate(path))) {
      String content = new String(in.readNBytes(MAX_FILE), StandardCharsets.ISO_8859_1);
      log.read(path, content);
      return Optional.of(content);
    } catch (IOException e) {
      // sysfs has files that exist and cannot be read: the speed of an interface that is down.
      return Optional.empty();
    }
  }

  /**
   * The text of a file as NCCL takes it: at most 255 bytes, without the last one, which is the line
   * feed; empty if there is none ({@code nccl:src/graph/xml.cc#ncclTopoGetStrFromSys}).
   */
  public String attribute(String path) {
    String content = read(path).orElse("");
    int length = Math.min(content.length(), MAX_ATTRIBUTE);
    return length == 0 ? "" : content.substring(0, length - 1);
  }

  /** The text of a file without blanks around it, if it is there. */
  public Optional<String> text(String path) {
    return read(path).map(String::strip);
  }

  /** The names in a directory, sorted; empty if it is not there. */
  public List<String> list(String directory) {
    if (resolve(directory).isEmpty()) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(locate(directory))) {
      List<String> names =
          entries.map(entry -> String.valueOf(entry.getFileName())).sorted().toList();
      log.listed(directory, names);
      return names;
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException | UncheckedIOException e) {
      // Not a directory, or not for this user.
      return List.of();
    }
  }
}
