package dev.topo.cli.lint;

import dev.topo.cli.output.Json;
import dev.topo.inspect.lint.finding.LintFinding;
import dev.topo.inspect.lint.finding.LintFinding.Place;
import dev.topo.inspect.lint.finding.LintRule;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Findings as SARIF 2.1.0, what code hosts and editors read. */
public final class LintSarif {
  private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

  private LintSarif() {}

  /** The text. */
  public static String of(List<LintedFile> files) {
    List<LintFinding> findings = files.stream().flatMap(file -> file.findings().stream()).toList();
    List<LintRule> rules =
        List.copyOf(new TreeSet<>(findings.stream().map(LintFinding::rule).toList()));
    Map<String, Object> driver = new LinkedHashMap<>();
    driver.put("name", "topo lint");
    driver.put("semanticVersion", "0.1.0");
    driver.put("rules", rules.stream().map(LintSarif::rule).toList());
    Map<String, Object> run = new LinkedHashMap<>();
    run.put("tool", Map.of("driver", driver));
    run.put("columnKind", "unicodeCodePoints");
    run.put(
        "results",
        findings.stream().map(finding -> result(finding, rules.indexOf(finding.rule()))).toList());
    Map<String, Object> log = new LinkedHashMap<>();
    log.put("$schema", SCHEMA);
    log.put("version", "2.1.0");
    log.put("runs", List.of(run));
    return Json.write(log);
  }

  private static Map<String, Object> rule(LintRule rule) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("id", rule.id());
    entry.put("shortDescription", Map.of("text", rule.title()));
    entry.put("fullDescription", Map.of("text", "NCCL 2.28.9 " + rule.nccl() + "."));
    entry.put("help", Map.of("text", "Fix: " + rule.fix() + "."));
    entry.put("defaultConfiguration", Map.of("level", rule.severity().label()));
    return entry;
  }

  private static Map<String, Object> result(LintFinding finding, int ruleIndex) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("ruleId", finding.rule().id());
    entry.put("ruleIndex", ruleIndex);
    entry.put("level", finding.severity().label());
    entry.put(
        "message",
        Map.of(
            "text",
            finding.message() + ". NCCL " + finding.nccl() + ". Fix: " + finding.fix() + "."));
    entry.put("locations", List.of(Map.of("physicalLocation", location(finding.place()))));
    return entry;
  }

  private static Map<String, Object> location(Place place) {
    Map<String, Object> location = new LinkedHashMap<>();
    location.put("artifactLocation", Map.of("uri", uri(place.file())));
    if (place.line() > 0) {
      Map<String, Object> region = new LinkedHashMap<>();
      region.put("startLine", place.line());
      region.put("startColumn", place.column());
      region.put("endColumn", place.column() + place.length());
      location.put("region", region);
    }
    return location;
  }

  /** A reference to a file, in which blanks and the like are escaped; relative if the name is. */
  private static String uri(String file) {
    try {
      return new URI(null, null, file, null).getRawPath();
    } catch (URISyntaxException e) {
      return file;
    }
  }
}
