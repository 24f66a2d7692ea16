package dev.topo.cli.lint;

import dev.topo.inspect.lint.finding.LintRule;
import dev.topo.inspect.lint.finding.Subject;
import java.util.Locale;

/** The catalogue of rules, for people. */
public final class RuleCatalogue {
  private RuleCatalogue() {}

  /** One line for each rule. */
  public static String text() {
    StringBuilder out = new StringBuilder();
    for (Subject subject : Subject.values()) {
      out.append(out.isEmpty() ? "" : "\n").append(subject.title()).append('\n');
      for (LintRule rule : LintRule.values()) {
        if (rule.subject() == subject) {
          out.append(
              String.format(
                  Locale.ROOT,
                  "  %-24s  %-7s  %-8s  %s%n",
                  rule.id(),
                  rule.severity().label(),
                  rule.outcome().label(),
                  rule.title()));
        }
      }
    }
    return out.toString().replace("\r\n", "\n");
  }

  /** The page of the documentation: a section for each rule. */
  public static String markdown() {
    StringBuilder out =
        new StringBuilder(
            """
            # Rules of `topo lint`

            Made by `./topo lint --list-rules --format markdown`; a test keeps it so. Each rule says what NCCL 2.28.9 does:
            *fails* (an error or a crash), *ignores* (passes over it without a word), *misreads* (takes something else for it,
            without a word), *slow* (takes it, and the result is slow), *accepts*. The last line of each names the function of
            NCCL's source that the rule was read from. A finding may be graver or lighter than its rule where that depends on the
            file.
            """);
    for (Subject subject : Subject.values()) {
      out.append("\n## ").append(subject.title()).append('\n');
      for (LintRule rule : LintRule.values()) {
        if (rule.subject() == subject) {
          section(rule, out);
        }
      }
    }
    return out.toString();
  }

  private static String escaped(String text) {
    return text.replace("<", "\\<").replace("*", "\\*");
  }

  private static void section(LintRule rule, StringBuilder out) {
    out.append("\n### ")
        .append(rule.id())
        .append("\n\n")
        .append(escaped(rule.title()))
        .append(". ")
        .append(rule.severity().label())
        .append(", *")
        .append(rule.outcome().label())
        .append("*\n\n- NCCL ")
        .append(escaped(rule.nccl()))
        .append("\n- fix: ")
        .append(escaped(rule.fix()))
        .append("\n- from `nccl:")
        .append(rule.source())
        .append("`\n");
  }
}
