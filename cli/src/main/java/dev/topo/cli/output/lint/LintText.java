package dev.topo.cli.output.lint;

import dev.topo.inspect.lint.finding.LintFinding;
import dev.topo.inspect.lint.finding.LintFinding.Place;
import dev.topo.inspect.lint.finding.LintedFile;
import dev.topo.model.diagnostic.Severity;
import java.util.ArrayList;
import java.util.List;

/**
 * Findings for people: where, what, the line with the place marked, what NCCL does, how to fix it.
 */
public final class LintText {
  private static final String RESET = "\u001b[0m";
  private static final int WIDTH = 120;

  private final boolean colours;
  private final StringBuilder out = new StringBuilder();

  private LintText(boolean colours) {
    this.colours = colours;
  }

  /** The text, with the colours of a terminal or without. */
  public static String of(List<LintedFile> files, boolean colours) {
    LintText text = new LintText(colours);
    for (int i = 0; i < files.size(); i++) {
      text.out.append(i == 0 ? "" : "\n");
      text.file(files.get(i));
    }
    return text.out.toString();
  }

  private String coloured(String code, String text) {
    return colours ? "\u001b[" + code + "m" + text + RESET : text;
  }

  private static String colour(Severity severity) {
    return switch (severity) {
      case ERROR -> "1;31";
      case WARNING -> "1;33";
      case NOTE -> "1;36";
    };
  }

  private void file(LintedFile file) {
    out.append(file.changes());
    for (LintFinding finding : file.findings()) {
      finding(finding);
      out.append('\n');
    }
    out.append(file.file()).append(": ").append(summary(file)).append('\n');
  }

  private static String summary(LintedFile file) {
    List<String> parts = new ArrayList<>();
    for (Severity severity : Severity.values()) {
      long count = file.count(severity);
      if (count > 0) {
        parts.add(count + " " + severity.label() + (count == 1 ? "" : "s"));
      }
    }
    return parts.isEmpty() ? "nothing found" : String.join(", ", parts);
  }

  private void finding(LintFinding finding) {
    String colour = colour(finding.severity());
    out.append(coloured("1", finding.place().toString()))
        .append(": ")
        .append(coloured(colour, finding.severity().label()))
        .append(": ")
        .append(finding.message())
        .append(" [")
        .append(finding.rule().id())
        .append("]\n");
    marked(finding.place(), colour);
    out.append("  NCCL ").append(finding.nccl()).append('\n');
    out.append("  fix: ")
        .append(finding.fix())
        .append(finding.edits().isEmpty() ? "" : " (applied by --fix)")
        .append('\n');
  }

  /** The line, or as much of it as there is room for, with marks under the place. */
  private void marked(Place place, String colour) {
    if (place.line() == 0 || place.text().isBlank()) {
      return;
    }
    int[] line = place.text().codePoints().toArray();
    int column = Math.min(place.column(), line.length + 1);
    int from = column > WIDTH / 2 ? column - 1 - WIDTH / 4 : 0;
    int to = Math.min(line.length, from + WIDTH);
    int length = Math.max(1, Math.min(place.length(), to - column + 1));
    String number = String.valueOf(place.line());
    out.append("  ")
        .append(number)
        .append(" | ")
        .append(from > 0 ? "…" : "")
        .append(new String(line, from, to - from))
        .append(to < line.length ? "…" : "")
        .append('\n');
    out.append("  ")
        .append(" ".repeat(number.length()))
        .append(" | ")
        .append(" ".repeat(column - 1 - from + (from > 0 ? 1 : 0)))
        .append(coloured(colour, "^".repeat(length)))
        .append('\n');
  }
}
