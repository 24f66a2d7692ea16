package dev.topo.visualizer.view;

import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.List;

/** The "rests on" lines below the tables of a text, in the same words in all commands. */
public final class BasisFooter {
  /** Lines that are shown where the user does not want everything. */
  private static final int MOST = 3;

  private static final String INDENT = "  ";

  private BasisFooter() {}

  /**
   * Writes the lines, behind other text after an empty one; nothing where there are none.
   *
   * @param isVerbose whether to write all of them, and not the first three
   */
  public static void write(TextWriter out, List<String> restsOn, boolean isVerbose) {
    if (restsOn.isEmpty()) {
      return;
    }
    out.add(out.isEmpty() ? "" : "\n");
    int shown = isVerbose ? restsOn.size() : Math.min(MOST, restsOn.size());
    for (String line : restsOn.subList(0, shown)) {
      out.paragraph("rests on: " + line, INDENT);
    }
    if (restsOn.size() > shown) {
      out.line("rests on: %d more (%s)", restsOn.size() - shown, Hint.LISTS_ALL);
    }
  }
}
