package dev.topo.inspect.lint;

import dev.topo.model.io.Diagnostic.Severity;
import java.util.List;

/**
 * A rule that a file breaks, and where.
 *
 * @param rule the rule
 * @param severity how bad it is here, most often as the rule says
 * @param place where it is
 * @param message what is there, one line
 * @param nccl what NCCL does with it here, one line
 * @param fix how to fix it, one line
 * @param edits a safe change of the file that fixes it; empty if the user has to decide
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
   * A stretch of one line of a file.
   *
   * @param file name of the file as the user gave it
   * @param line line, from 1; 0 where the whole file is meant
   * @param column first character, from 1; 0 where the whole file is meant
   * @param length number of characters, at least 1; 0 where the whole file is meant
   * @param text the line, without its end
   */
  public record Place(String file, int line, int column, int length, String text) {
    public static Place of(String file) {
      return new Place(file, 0, 0, 0, "");
    }

    /** {@code file:line:column}, or the file alone. */
    @Override
    public String toString() {
      return line == 0 ? file : file + ":" + line + ":" + column;
    }
  }

  /** A finding with the rule's own texts. */
  public static LintFinding of(
      LintRule rule, Severity severity, Place place, String message, TextEdit... edits) {
    return new LintFinding(rule, severity, place, message, rule.nccl(), rule.fix(), List.of(edits));
  }

  /** The finding without a safe change of the file. */
  LintFinding withoutEdits() {
    return new LintFinding(rule, severity, place, message, nccl, fix, List.of());
  }

  LintFinding withMessage(String text) {
    return new LintFinding(rule, severity, place, text, nccl, fix, edits);
  }

  /** This finding with an addition to what NCCL does. */
  public LintFinding withNccl(String text) {
    return new LintFinding(rule, severity, place, message, text, fix, edits);
  }
}
