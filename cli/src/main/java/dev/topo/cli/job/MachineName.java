package dev.topo.cli.job;

import dev.topo.cli.output.OutputPlan;
import java.nio.file.Path;

/** What to call the machine of a file. */
public final class MachineName {
  private MachineName() {}

  /**
   * The name of the file without extension; that of its folder where the file is just called topo.
   */
  public static String of(Path file) {
    String stem = OutputPlan.stem(file);
    Path folder = file.toAbsolutePath().normalize().getParent();
    if (!stem.equals("topo") || folder == null || folder.getFileName() == null) {
      return stem;
    }
    return folder.getFileName().toString();
  }
}
