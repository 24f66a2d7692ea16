package dev.topo.cli.lint;

import dev.topo.cli.output.Json;
import dev.topo.inspect.lint.finding.LintFinding;
import dev.topo.inspect.lint.finding.LintRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Findings as JSON: {@code findings[]} (rule, severity, file, line, column, length, message,
 * outcome, nccl, fix, safe). Line, column and length are null where the whole file is meant; {@code
 * safe} says whether {@code --fix} applies the fix.
 */
public final class LintJson {
  private LintJson() {}

  /** The text. */
  public static String of(List<LintedFile> files) {
    List<Map<String, Object>> findings =
        files.stream().flatMap(file -> file.findings().stream()).map(LintJson::finding).toList();
    return Json.write(Map.of("findings", findings));
  }

  private static Map<String, Object> finding(LintFinding finding) {
    boolean whole = finding.place().line() == 0;
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("rule", finding.rule().id());
    entry.put("severity", finding.severity().label());
    entry.put("file", finding.place().file());
    entry.put("line", whole ? Json.NULL : finding.place().line());
    entry.put("column", whole ? Json.NULL : finding.place().column());
    entry.put("length", whole ? Json.NULL : finding.place().length());
    entry.put("message", finding.message());
    entry.put("outcome", finding.rule().outcome().label());
    entry.put("nccl", finding.nccl());
    entry.put("fix", finding.fix());
    entry.put("safe", !finding.edits().isEmpty());
    return entry;
  }

  /**
   * The catalogue: {@code rules[]} (rule, subject, severity, outcome, title, nccl, fix, source).
   */
  public static String ofRules() {
    return Json.write(
        Map.of("rules", List.of(LintRule.values()).stream().map(LintJson::rule).toList()));
  }

  private static Map<String, Object> rule(LintRule rule) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("rule", rule.id());
    entry.put("subject", rule.subject().title());
    entry.put("severity", rule.severity().label());
    entry.put("outcome", rule.outcome().label());
    entry.put("title", rule.title());
    entry.put("nccl", rule.nccl());
    entry.put("fix", rule.mend());
    entry.put("source", rule.source());
    return entry;
  }
}
