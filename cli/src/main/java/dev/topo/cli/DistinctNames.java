package dev.topo.cli;

import java.nio.file.Path;
import java.util.List;

/**
 * Short names for files: without folder and ending, where that distinguishes them.
 *
 * @param files the files to distinguish
 */
record DistinctNames(List<Path> files) {
  /** The name of a file; with its parent folder if another file has the same short name. */
  String of(Path file) {
    String name = stem(file);
    Path folder = file.toAbsolutePath().normalize().getParent();
    boolean isUnique = files.stream().filter(other -> stem(other).equals(name)).count() == 1;
    return isUnique || folder == null || folder.getFileName() == null
        ? name
        : folder.getFileName() + "/" + name;
  }

  private static String stem(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.[A-Za-z]+$", "");
  }
}
