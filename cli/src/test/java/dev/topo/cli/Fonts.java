package dev.topo.cli;

import dev.topo.model.fixture.NotRun;
import dev.topo.visualizer.chart.NoFontException;

/** Whether the host can paint text, which PNG and charts need. */
final class Fonts {
  private Fonts() {}

  /** Leaves a test out on a host without fonts. */
  static void assumeThere() {
    try {
      NoFontException.check();
    } catch (NoFontException e) {
      NotRun.because(String.valueOf(e.getMessage()));
    }
  }
}
