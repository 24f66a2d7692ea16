package dev.topo.inspect.lint;

import dev.topo.inspect.lint.LintFinding.Place;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.TextWriter;
import java.util.ArrayList;
import java.util.List;

/** Findings as text: place, message, the line with a mark, NCCL's reaction, and the fix. */
public final class LintText {
  private final boolean colours;
  private final String applied;
  private final TextWriter out = new TextWriter();

  private LintText(boolean colours, String applied) {
    this.colours = colours;
    this.applied = applied;
  }

  /**
   * Text of findings, with or without terminal colours.
   *
   * @param applied text after a fix that can be applied
   */
  public static String of(List<LintedFile> files, boolean colours, String applied) {
    LintText text = new LintText(colours, applied);
    for (int i = 0; i < files.size(); i++) {
      text.out.add(i == 0 ? "" : "\n");
      text.file(files.get(i));
    }
    return text.out.toString();
  }

  private Object coloured(String code, String text) {
    return colours ? new TextWriter.Styled(code, text) : text;
  }

  private static String colour(Severity severity) {
    return switch (severity) {
      case ERROR -> "1;31";
      case WARNING -> "1;33";
      case NOTE -> "1;36";
    };
  }

  private void file(LintedFile file) {
    out.text(file.changes());
    file.findings().forEach(this::finding);
    out.line("%s: %s", file.file(), summary(file));
  }

  private static String summary(LintedFile file) {
    List<String> parts = new ArrayList<>();
    for (Severity severity : Severity.values()) {
      long count = file.count(severity);
      if (count > 0) {
        parts.add(QuantityFormat.count((int) count, severity.label()));
      }
    }
    return parts.isEmpty() ? "nothing found" : String.join(", ", parts);
  }

  private void finding(LintFinding finding) {
    String colour = colour(finding.severity());
    out.line(
        "%s: %s: %s [%s]",
        coloured("1", finding.place().toString()),
        coloured(colour, finding.severity().label()),
        finding.message(),
        finding.rule().id());
    marked(finding.place(), colour);
    out.line("  NCCL %s", finding.nccl());
    out.line("  fix: %s%s\n", finding.fix(), finding.edits().isEmpty() ? "" : applied);
  }

  /** Adds the line, or as much of it as fits, with marks below the place. */
  private void marked(Place place, String colour) {
    if (place.line() == 0 || place.text().isBlank()) {
      return;
    }
    int[] line = place.text().codePoints().toArray();
    int column = Math.min(place.column(), line.length + 1);
    int from = column > TextWriter.WIDTH / 2 ? column - 1 - TextWriter.WIDTH / 4 : 0;
    int to = Math.min(line.length, from + TextWriter.WIDTH);
    int length = Math.max(1, Math.min(place.length(), to - column + 1));
    String number = String.valueOf(place.line());
    String before = from > 0 ? "…" : "";
    String after = to < line.length ? "…" : "";
    out.line("  %s | %s%s%s", number, before, new String(line, from, to - from), after);
    out.line(
        "  %s | %s%s",
        " ".repeat(number.length()),
        " ".repeat(column - 1 - from + before.length()),
        coloured(colour, "^".repeat(length)));
  }
}
