package dev.topo.inspect.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.fixture.ReferenceData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What is found in the machines of the project and in published files, as docs/lint-verdicts.csv
 * judges it.
 */
class FindingVerdictsTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  @Test
  void everyFindingInTheMachinesOfTheProjectIsJudged() throws IOException {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.list(ROOT.resolve("topologies"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".xml")).toList()) {
        found.addAll(findings(String.valueOf(file.getFileName()), file));
      }
    }
    assertEquals(lines(found), lines(judged("own")));
  }

  @Test
  void everyFindingInPublishedFilesIsJudged() throws IOException {
    Path published = ReferenceData.given("reference/public");
    Set<String> found = new TreeSet<>();
    try (Stream<Path> folders = Files.list(published)) {
      for (Path folder : folders.filter(Files::isDirectory).toList()) {
        found.addAll(findings(String.valueOf(folder.getFileName()), folder.resolve("topo.xml")));
      }
    }
    assertEquals(lines(found), lines(judged("public")));
  }

  private static String lines(Set<String> lines) {
    return String.join("\n", lines);
  }

  private static Set<String> findings(String name, Path file) throws IOException {
    List<LintFinding> findings =
        new Linter().lint(new SourceText(name, Files.readAllBytes(file)), FileKind.TOPOLOGY);
    return findings.stream()
        .map(finding -> name + " " + finding.rule().id() + " " + finding.severity().label())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The rows of a set: set, file, severity, rule, verdict. */
  private static Set<String> judged(String set) throws IOException {
    return Files.readAllLines(ROOT.resolve("docs/lint-verdicts.csv")).stream()
        .filter(line -> line.startsWith(set + ","))
        .map(line -> line.split(",", 5))
        .map(cell -> cell[1] + " " + cell[3] + " " + cell[2])
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
