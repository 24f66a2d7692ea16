package dev.topo.visualizer.study;

import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.LintRule;
import dev.topo.inspect.lint.LintedFile;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Findings of lint as JSON: {@code findings[]} (rule, severity, file, line, column, length,
 * message, outcome, nccl, fix, safe). Line, column and length are null if the whole file is meant;
 * {@code safe} is true if {@code --fix} corrects the finding.
 */
public final class LintOutput {
  private static final Fields<LintFinding.Place> PLACE =
      Fields.of(LintFinding.Place.class).components("line", "column", "length");

  private static final Fields<LintFinding> FINDING =
      Fields.of(LintFinding.class)
          .components("rule", "severity")
          .field("file", finding -> finding.place().file())
          .includingOptional(
              finding -> Optional.of(finding.place()).filter(place -> place.line() > 0), PLACE)
          .components("message")
          .field("outcome", finding -> finding.rule().outcome())
          .components("nccl", "fix")
          .field("safe", finding -> !finding.edits().isEmpty());

  private static final Fields<LintRule> RULE =
      Fields.of(LintRule.class)
          .field("rule", rule -> rule)
          .field("subject", rule -> rule.subject().title())
          .field("severity", LintRule::severity)
          .field("outcome", LintRule::outcome)
          .field("title", LintRule::title)
          .field("nccl", LintRule::nccl)
          .field("fix", LintRule::fix)
          .field("source", LintRule::source);

  private LintOutput() {}

  /** Returns the findings in all files. */
  public static Answer of(List<LintedFile> files) {
    List<LintFinding> findings = files.stream().flatMap(file -> file.findings().stream()).toList();
    return Json.document("lint", "findings", FINDING, findings);
  }

  /**
   * Returns the rule catalogue: {@code rules[]} (rule, subject, severity, outcome, title, nccl,
   * fix, source).
   */
  public static Answer ofRules() {
    return Json.document("lint-rules", "rules", RULE, List.of(LintRule.values()));
  }

  /** Returns the rule catalogue as CSV, one row for each rule, with the same columns. */
  public static Answer csvOfRules() {
    return Csv.table(
        "rule,subject,severity,outcome,title,nccl,fix,source",
        RULE,
        Arrays.stream(LintRule.values()));
  }
}
