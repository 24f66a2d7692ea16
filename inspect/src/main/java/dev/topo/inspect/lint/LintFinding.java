package dev.topo.inspect.lint;

import dev.topo.model.io.Diagnostic.Severity;
import java.util.List;

/**
 * Violation of a rule at a place in a file.
 *
 * @param rule the rule
 * @param severity severity here, usually that of the rule
 * @param place part of the file that it concerns
 * @param message the finding, one line
 * @param nccl NCCL's reaction, one line
 * @param fix how to fix it, one line
 * @param edits safe changes of the file that fix it; empty if the user has to decide
 */
public record LintFinding(
    LintRule rule,
    Severity severity,
    Place place,
    String message,
    String nccl,
    String fix,
    List<TextEdit> edits) {
  public LintFinding {
    edits = List.copyOf(edits);
  }

  /**
   * Part of one line of a file.
   *
   * @param file name of the file as the user gave it
   * @param line line, from 1; 0 for the whole file
   * @param column first character, from 1; 0 for the whole file
   * @param length number of characters, at least 1; 0 for the whole file
   * @param text the line, without its line end
   */
  public record Place(String file, int line, int column, int length, String text) {
    public static Place of(String file) {
      return new Place(file, 0, 0, 0, "");
    }

    /** {@code file:line:column}, or only the file. */
    @Override
    public String toString() {
      return line == 0 ? file : file + ":" + line + ":" + column;
    }
  }

  /** Finding with the rule's own texts. */
  public static LintFinding of(
      LintRule rule, Severity severity, Place place, String message, TextEdit... edits) {
    return new LintFinding(rule, severity, place, message, rule.nccl(), rule.fix(), List.of(edits));
  }

  /** This finding without a safe change of the file. */
  LintFinding withoutEdits() {
    return new LintFinding(rule, severity, place, message, nccl, fix, List.of());
  }

  LintFinding withMessage(String text) {
    return new LintFinding(rule, severity, place, text, nccl, fix, edits);
  }

  /** Returns this finding with another text on NCCL's reaction. */
  public LintFinding withNccl(String text) {
    return new LintFinding(rule, severity, place, message, text, fix, edits);
  }
}
