package dev.topo.model.job;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Names of machines by their files. */
public final class MachineName {
  private MachineName() {}

  /**
   * The name of the file without extension; that of its folder where the file is just called topo.
   */
  public static String of(Path file) {
    String stem = stem(file);
    Path folder = file.toAbsolutePath().normalize().getParent();
    if (!stem.equals("topo") || folder == null || folder.getFileName() == null) {
      return stem;
    }
    return folder.getFileName().toString();
  }

  /** The machines of a job in rank order: {@code dgx-h100 x 4}. */
  public static String of(List<Path> machines) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < machines.size(); ) {
      int end = i;
      while (end < machines.size() && machines.get(end).equals(machines.get(i))) {
        end++;
      }
      parts.add(of(machines.get(i)) + (end - i == 1 ? "" : " x " + (end - i)));
      i = end;
    }
    return String.join(" + ", parts);
  }

  /** The name of a topology file without its extension. */
  public static String stem(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("(?i)\\.xml(\\.gz)?$", "");
  }
}
