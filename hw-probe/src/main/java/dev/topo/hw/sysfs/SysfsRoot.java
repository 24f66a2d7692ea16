package dev.topo.hw.sysfs;

import dev.topo.model.io.Inputs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Folder with {@code sys}, {@code proc} and {@code dev}: {@code /} for this machine, any other
 * folder for a captured tree. Paths are those on the machine itself, such as {@code
 * /sys/class/net}. Links are followed inside the folder only. Never writes.
 */
public record SysfsRoot(FileTree files, AccessLog log) {
  /**
   * Maximum length of a text that NCCL reads from a file ({@code MAX_STR_LEN}, {@code
   * nccl:src/graph/xml.h}).
   */
  private static final int MAX_ATTRIBUTE = 255;

  public SysfsRoot(Path folder, Inputs inputs) {
    this(new FileTree(folder, true, inputs), new AccessLog());
  }

  public static SysfsRoot ofThisMachine(Inputs inputs) {
    return new SysfsRoot(FileTree.ofThisMachine(inputs), new AccessLog());
  }

  /** This folder; {@code accessLog} receives each access. */
  public SysfsRoot withLog(AccessLog accessLog) {
    return new SysfsRoot(files, accessLog);
  }

  private static String checked(String path) {
    if (!path.startsWith("/") || path.contains("/../") || path.endsWith("/..")) {
      throw new IllegalArgumentException("'" + path + "' is not an absolute path without '..'");
    }
    return path;
  }

  /** Path with all links followed, if it exists. */
  Optional<String> realPath(String path) {
    Optional<String> found = files.real(checked(path));
    found.ifPresent(target -> log.resolved(path, target));
    return found;
  }

  /** Whole text of a file, if it exists and is readable. */
  public Optional<String> read(String path) {
    Optional<String> content =
        files.bytes(checked(path)).map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1));
    content.ifPresent(text -> log.read(path, text));
    return content;
  }

  /**
   * Text of a file as NCCL reads it: at most 255 bytes, without the last one, usually a line feed;
   * empty if there is no file ({@code nccl:src/graph/xml.cc#ncclTopoGetStrFromSys}).
   */
  String attribute(String path) {
    String content = read(path).orElse("");
    int length = Math.min(content.length(), MAX_ATTRIBUTE);
    return length == 0 ? "" : content.substring(0, length - 1);
  }

  /** Text of a file without surrounding blanks, if it exists. */
  Optional<String> text(String path) {
    return read(path).map(String::strip);
  }

  /** Names in a directory, sorted; empty if there is no such directory. */
  List<String> list(String directory) {
    if (!files.isDirectory(checked(directory))) {
      return List.of();
    }
    List<String> names = files.list(directory);
    log.listed(directory, names);
    return names;
  }
}
