package dev.topo.cli;

import dev.topo.visualizer.png.NoFontException;
import org.junit.jupiter.api.Assumptions;

/** Whether the host can paint text, which PNG and charts need. */
final class Fonts {
  private Fonts() {}

  /** Leaves a test out on a host without fonts. */
  static void assumeThere() {
    try {
      NoFontException.check();
    } catch (NoFontException e) {
      System.out.println("NOT RUN: " + e.getMessage());
      Assumptions.abort(e.getMessage());
    }
  }
}
