package dev.topo.visualizer.study;

import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.LintRule;
import dev.topo.inspect.lint.LintedFile;
import dev.topo.inspect.lint.NcclOutcome;
import dev.topo.model.io.Severity;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Findings as JSON: {@code findings[]} (rule, severity, file, line, column, length, message,
 * outcome, nccl, fix, safe). Line, column and length are null where the whole file is meant; {@code
 * safe} says whether {@code --fix} corrects it.
 */
public final class LintJson {
  private record Lint(List<Finding> findings) {}

  private record Finding(
      LintRule rule,
      Severity severity,
      String file,
      Optional<Integer> line,
      Optional<Integer> column,
      Optional<Integer> length,
      String message,
      NcclOutcome outcome,
      String nccl,
      String fix,
      boolean safe) {}

  private record Rules(List<Rule> rules) {}

  private record Rule(
      LintRule rule,
      String subject,
      Severity severity,
      NcclOutcome outcome,
      String title,
      String nccl,
      String fix,
      String source) {}

  private LintJson() {}

  /** The findings in all files. */
  public static Answer of(List<LintedFile> files) {
    return Json.document(
        "lint",
        new Lint(
            files.stream()
                .flatMap(file -> file.findings().stream())
                .map(LintJson::finding)
                .toList()));
  }

  private static Finding finding(LintFinding finding) {
    Optional<LintFinding.Place> place =
        Optional.of(finding.place()).filter(some -> some.line() > 0);
    return new Finding(
        finding.rule(),
        finding.severity(),
        finding.place().file(),
        place.map(LintFinding.Place::line),
        place.map(LintFinding.Place::column),
        place.map(LintFinding.Place::length),
        finding.message(),
        finding.rule().outcome(),
        finding.nccl(),
        finding.fix(),
        !finding.edits().isEmpty());
  }

  /**
   * The catalogue: {@code rules[]} (rule, subject, severity, outcome, title, nccl, fix, source).
   */
  public static Answer ofRules() {
    return Json.document(
        "lint-rules", new Rules(Arrays.stream(LintRule.values()).map(LintJson::rule).toList()));
  }

  private static Rule rule(LintRule rule) {
    return new Rule(
        rule,
        rule.subject().title(),
        rule.severity(),
        rule.outcome(),
        rule.title(),
        rule.nccl(),
        rule.fix(),
        rule.source());
  }
}
