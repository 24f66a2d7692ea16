package dev.topo.visualizer.study;

import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.LintFinding.Place;
import dev.topo.inspect.lint.LintRule;
import dev.topo.inspect.lint.LintedFile;
import dev.topo.inspect.lint.RuleCatalogue;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Findings of lint as SARIF 2.1.0, the format that code hosts and editors read. */
public final class LintSarif {
  private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

  private static final Fields<LintRule> RULE =
      Fields.of(LintRule.class)
          .field("id", LintRule::id)
          .field("shortDescription", rule -> message(rule.title()))
          .field(
              "fullDescription",
              rule -> message("NCCL " + RuleCatalogue.RELEASE + " " + rule.nccl() + "."))
          .field("help", rule -> message("Fix: " + rule.fix() + "."))
          .field("defaultConfiguration", rule -> Map.of("level", rule.severity().label()));

  private static final Fields<Place> REGION =
      Fields.of(Place.class)
          .field("startLine", Place::line)
          .field("startColumn", Place::column)
          .field("endColumn", place -> place.column() + place.length());

  private static final Fields<Place> LOCATION =
      Fields.of(Place.class)
          .field("artifactLocation", place -> Map.of("uri", uri(place.file())))
          .optional(
              "region",
              place -> Optional.of(place).filter(some -> some.line() > 0).map(REGION::json));

  private static final Fields<Log> DRIVER =
      Fields.of(Log.class)
          .field("name", log -> "topo lint")
          .field("semanticVersion", log -> Json.TOPO_VERSION)
          .list("rules", Log::rules, RULE);

  private static final Fields<Log> RUN =
      Fields.of(Log.class)
          .field("tool", log -> Map.of("driver", DRIVER.json(log)))
          .field("columnKind", log -> "unicodeCodePoints")
          .field("results", log -> result(log.rules).json(log.findings));

  /** The whole document; SARIF names the field for its schema {@code $schema}. */
  private static final Fields<Log> LOG =
      Fields.of(Log.class)
          .field("$schema", log -> SCHEMA)
          .field("version", log -> "2.1.0")
          .field("runs", log -> List.of(RUN.json(log)));

  /** The findings, and each of their rules once in the order of the catalogue. */
  private record Log(List<LintFinding> findings, List<LintRule> rules) {}

  private LintSarif() {}

  /** Returns the findings in all files. */
  public static Answer of(List<LintedFile> files) {
    List<LintFinding> findings = files.stream().flatMap(file -> file.findings().stream()).toList();
    List<LintRule> rules =
        List.copyOf(new TreeSet<>(findings.stream().map(LintFinding::rule).toList()));
    return Json.foreign(LOG, new Log(findings, rules));
  }

  private static Map<String, String> message(String text) {
    return Map.of("text", text);
  }

  private static Fields<LintFinding> result(List<LintRule> rules) {
    return Fields.of(LintFinding.class)
        .field("ruleId", finding -> finding.rule().id())
        .field("ruleIndex", finding -> rules.indexOf(finding.rule()))
        .field("level", finding -> finding.severity().label())
        .field(
            "message",
            finding ->
                message(
                    finding.message()
                        + ". NCCL "
                        + finding.nccl()
                        + ". Fix: "
                        + finding.fix()
                        + "."))
        .field(
            "locations",
            finding -> List.of(Map.of("physicalLocation", LOCATION.json(finding.place()))));
  }

  /** The URI of a file with special characters escaped; relative if the file name is. */
  private static String uri(String file) {
    try {
      return new URI(null, null, file, null).getRawPath();
    } catch (URISyntaxException e) {
      return file;
    }
  }
}
