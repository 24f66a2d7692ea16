package dev.topo.reference;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Reference data beside the project, in {@code ../shared}, which may be absent. */
public final class SharedFolder {
  private static final Path SHARED = Path.of(System.getProperty("topo.shared"));

  private SharedFolder() {}

  /** Where a folder of the data is; leaves the test out where it is absent, which is printed. */
  public static Path assumeThere(String folder) {
    Path path = SHARED.resolve(folder);
    if (!Files.isDirectory(path)) {
      String reason = folder + " (no such folder under ../shared)";
      System.out.println("NOT RUN: " + reason);
      Assumptions.abort(reason);
    }
    return path;
  }
}
