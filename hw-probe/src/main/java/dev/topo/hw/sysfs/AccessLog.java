package dev.topo.hw.sysfs;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Records the accesses to a {@link SysfsRoot} as a tree for replay: links in place, files and
 * directories at their real paths. Paths begin with {@code /sys}, {@code /proc} or {@code /dev}.
 */
public final class AccessLog {
  private final SortedMap<String, String> files = new TreeMap<>();
  private final SortedSet<String> directories = new TreeSet<>();
  private final SortedMap<String, String> links = new TreeMap<>();

  void read(String path, String content) {
    files.put(path, content);
  }

  void listed(String directory, List<String> names) {
    directories.add(directory);
    names.forEach(name -> directories.add(directory + "/" + name));
  }

  /** Records the real path of a path, with all links followed. */
  void resolved(String path, String realPath) {
    if (!path.equals(realPath)) {
      links.put(path, realPath);
    }
    directories.add(realPath);
  }

  public SortedMap<String, String> links() {
    SortedMap<String, String> placed = new TreeMap<>();
    for (Map.Entry<String, String> link : links.entrySet()) {
      int slash = link.getKey().lastIndexOf('/');
      String parent = real(link.getKey().substring(0, slash));
      String place = parent + link.getKey().substring(slash);
      if (!place.equals(link.getValue())) {
        placed.put(place, link.getValue());
      }
    }
    return placed;
  }

  public SortedMap<String, String> files() {
    SortedMap<String, String> placed = new TreeMap<>();
    files.forEach((path, content) -> placed.put(real(path), content));
    return placed;
  }

  /** Directories that are neither links nor files, by real path. */
  public SortedSet<String> directories() {
    SortedSet<String> placed = new TreeSet<>();
    directories.forEach(path -> placed.add(real(path)));
    placed.removeAll(files().keySet());
    placed.removeAll(links().keySet());
    return placed;
  }

  /** Path with all links resolved. */
  private String real(String path) {
    String prefix = path;
    while (!prefix.isEmpty()) {
      String target = links.get(prefix);
      if (target != null) {
        return target + path.substring(prefix.length());
      }
      prefix = prefix.substring(0, prefix.lastIndexOf('/'));
    }
    return path;
  }
}
