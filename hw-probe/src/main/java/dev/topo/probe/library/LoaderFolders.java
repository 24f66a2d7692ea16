package dev.topo.probe.library;

import dev.topo.probe.files.FileTree;
import java.util.ArrayList;
import java.util.List;

/**
 * The folders that {@code /etc/ld.so.conf} names. The loader does not read it, ldconfig does: a
 * library in one of them is found after ldconfig has run ({@code ldconfig(8)}).
 */
record LoaderFolders(FileTree files) {
  private static final int MAX_DEPTH = 4;

  public List<String> read() {
    List<String> folders = new ArrayList<>();
    read("/etc/ld.so.conf", folders, 0);
    return folders.stream().distinct().toList();
  }

  private void read(String file, List<String> folders, int depth) {
    for (String raw : files.text(file).orElse("").lines().toList()) {
      int comment = raw.indexOf('#');
      String line = (comment < 0 ? raw : raw.substring(0, comment)).strip();
      if (line.startsWith("include") && depth < MAX_DEPTH) {
        included(line.substring("include".length()).strip())
            .forEach(name -> read(name, folders, depth + 1));
      } else if (line.startsWith("/")) {
        folders.add(FileTree.normal(line));
      }
    }
  }

  /** Files for a pattern whose last part may have a star, as {@code /etc/ld.so.conf.d/*.conf}. */
  private List<String> included(String pattern) {
    String path = pattern.startsWith("/") ? pattern : "/etc/" + pattern;
    String folder = FileTree.parent(path);
    String name = FileTree.name(path);
    int star = name.indexOf('*');
    if (star < 0) {
      return List.of(path);
    }
    String start = name.substring(0, star);
    String end = name.substring(star + 1);
    return files.list(folder).stream()
        .filter(
            file ->
                file.length() >= name.length() - 1 && file.startsWith(start) && file.endsWith(end))
        .map(file -> folder + "/" + file)
        .toList();
  }
}
