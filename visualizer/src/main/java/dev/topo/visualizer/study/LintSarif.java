package dev.topo.visualizer.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.LintFinding.Place;
import dev.topo.inspect.lint.LintRule;
import dev.topo.inspect.lint.LintedFile;
import dev.topo.inspect.lint.RuleCatalogue;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Findings as SARIF 2.1.0, what code hosts and editors read. */
public final class LintSarif {
  private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

  /** SARIF calls the field for its own schema {@code $schema}. */
  private record Log(@JsonProperty("$schema") String schema, String version, List<Run> runs) {}

  private record Run(Tool tool, String columnKind, List<Result> results) {}

  private record Tool(Driver driver) {}

  private record Driver(String name, String semanticVersion, List<Rule> rules) {}

  private record Rule(
      String id,
      Message shortDescription,
      Message fullDescription,
      Message help,
      Configuration defaultConfiguration) {}

  private record Message(String text) {}

  private record Configuration(String level) {}

  private record Result(
      String ruleId, int ruleIndex, String level, Message message, List<Location> locations) {}

  private record Location(PhysicalLocation physicalLocation) {}

  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  private record PhysicalLocation(ArtifactLocation artifactLocation, Optional<Region> region) {}

  private record ArtifactLocation(String uri) {}

  private record Region(int startLine, int startColumn, int endColumn) {}

  private LintSarif() {}

  /** The findings in all files. */
  public static Answer of(List<LintedFile> files) {
    List<LintFinding> findings = files.stream().flatMap(file -> file.findings().stream()).toList();
    List<LintRule> rules =
        List.copyOf(new TreeSet<>(findings.stream().map(LintFinding::rule).toList()));
    Driver driver =
        new Driver("topo lint", Json.TOPO_VERSION, rules.stream().map(LintSarif::rule).toList());
    List<Result> results =
        findings.stream().map(finding -> result(finding, rules.indexOf(finding.rule()))).toList();
    return Json.foreign(
        new Log(SCHEMA, "2.1.0", List.of(new Run(new Tool(driver), "unicodeCodePoints", results))));
  }

  private static Rule rule(LintRule rule) {
    return new Rule(
        rule.id(),
        new Message(rule.title()),
        new Message("NCCL " + RuleCatalogue.RELEASE + " " + rule.nccl() + "."),
        new Message("Fix: " + rule.fix() + "."),
        new Configuration(rule.severity().label()));
  }

  private static Result result(LintFinding finding, int ruleIndex) {
    return new Result(
        finding.rule().id(),
        ruleIndex,
        finding.severity().label(),
        new Message(
            finding.message() + ". NCCL " + finding.nccl() + ". Fix: " + finding.fix() + "."),
        List.of(new Location(location(finding.place()))));
  }

  private static PhysicalLocation location(Place place) {
    return new PhysicalLocation(
        new ArtifactLocation(uri(place.file())),
        Optional.of(place)
            .filter(some -> some.line() > 0)
            .map(some -> new Region(some.line(), some.column(), some.column() + some.length())));
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
