package dev.topo.inspect.difference;

import java.nio.file.Path;
import java.util.List;

/**
 * The dumps of a fleet.
 *
 * @param groups equal machines together, the largest group first, groups of one size by their first
 *     file
 * @param unreadable files that are no topology, in the order in which they were given
 */
public record Fleet(List<Group> groups, List<Unreadable> unreadable) {
  public Fleet {
    groups = List.copyOf(groups);
    unreadable = List.copyOf(unreadable);
  }

  /**
   * Equal machines.
   *
   * @param form what they have in common
   * @param files their files, in the order in which they were given
   */
  public record Group(CanonicalForm form, List<Path> files) {
    /** Copies the files and checks that there is one. */
    public Group {
      files = List.copyOf(files);
      if (files.isEmpty()) {
        throw new IllegalArgumentException("a group needs a file");
      }
    }
  }

  /**
   * A file that cannot be read.
   *
   * @param file the file
   * @param message what is wrong with it, in one line that names it
   */
  public record Unreadable(Path file, String message) {
    /** The message, which begins with the file. */
    public String line() {
      return message.startsWith(file.toString()) ? message : file + ": " + message;
    }
  }

  public int size() {
    return unreadable.size() + groups.stream().mapToInt(group -> group.files().size()).sum();
  }
}
