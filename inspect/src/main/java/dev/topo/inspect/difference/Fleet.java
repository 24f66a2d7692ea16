package dev.topo.inspect.difference;

import java.nio.file.Path;
import java.util.List;

/**
 * Dumps of a fleet.
 *
 * @param groups groups of equal machines, largest first, groups of one size by their first file
 * @param unreadable files that are not a topology, in the given order
 */
public record Fleet(List<Group> groups, List<Unreadable> unreadable) {
  public Fleet {
    groups = List.copyOf(groups);
    unreadable = List.copyOf(unreadable);
  }

  /**
   * Group of equal machines.
   *
   * @param files their files, in the given order
   */
  public record Group(List<Path> files) {
    /** Copies the files and checks that there is at least one. */
    public Group {
      files = List.copyOf(files);
      if (files.isEmpty()) {
        throw new IllegalArgumentException("a group needs a file");
      }
    }
  }

  /**
   * Unreadable file.
   *
   * @param file the file
   * @param message the error, in one line that names the file
   */
  public record Unreadable(Path file, String message) {
    /** Message that begins with the file. */
    public String line() {
      return message.startsWith(file.toString()) ? message : file + ": " + message;
    }
  }

  public int size() {
    return unreadable.size() + groups.stream().mapToInt(group -> group.files().size()).sum();
  }
}
