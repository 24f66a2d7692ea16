package dev.topo.visualizer.view;

import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.List;

/** The "rests on" lines below the tables of a text, in the same words in all commands. */
public final class BasisFooter {
  /** Number of lines shown unless the user asks for everything. */
  private static final int MAX_LINES = 3;

  private static final String INDENT = "  ";

  private BasisFooter() {}

  /**
   * Writes the lines, separated from preceding text by a blank line; writes nothing if there are
   * none.
   *
   * @param isVerbose whether to write all lines instead of the first three
   */
  public static void write(TextWriter out, List<String> restsOn, boolean isVerbose) {
    if (restsOn.isEmpty()) {
      return;
    }
    out.add(out.isEmpty() ? "" : "\n");
    int shown = isVerbose ? restsOn.size() : Math.min(MAX_LINES, restsOn.size());
    for (String line : restsOn.subList(0, shown)) {
      out.paragraph("rests on: " + line, INDENT);
    }
    if (restsOn.size() > shown) {
      out.line("rests on: %d more (%s)", restsOn.size() - shown, Hint.LISTS_ALL);
    }
  }
}
