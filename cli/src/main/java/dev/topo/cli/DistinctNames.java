package dev.topo.cli;

import java.nio.file.Path;
import java.util.List;

/**
 * Names of files without folders and endings, as far as these tell them apart.
 *
 * @param files the files that are named beside each other
 */
record DistinctNames(List<Path> files) {
  /** The name of a file, with its folder where another file has the same. */
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
