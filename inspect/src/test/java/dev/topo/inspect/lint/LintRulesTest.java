package dev.topo.inspect.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.search.rules.NcclProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule has a file that breaks it, and what is mended is right afterwards. */
class LintRulesTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  private static List<RuleFile> files() {
    return RuleFile.all();
  }

  /** The times of a tuner file's rows need a machine and predictions (TunerFileCostTest). */
  @Test
  void everyRuleHasAFile() {
    Set<LintRule> rules = EnumSet.complementOf(EnumSet.of(LintRule.TUNER_TIME));
    RuleFile.all().forEach(file -> rules.remove(file.rule()));
    assertEquals(Set.of(), rules);
  }

  @ParameterizedTest
  @MethodSource("files")
  void theRuleIsFound(RuleFile file) {
    List<LintFinding> findings = file.findings();
    Set<LintRule> found = findings.stream().map(LintFinding::rule).collect(Collectors.toSet());
    assertTrue(found.contains(file.rule()), () -> found.toString());
    findings.forEach(
        finding -> {
          assertFalse(finding.message().isBlank());
          assertFalse(finding.message().contains("\n"), finding.message());
          assertEquals(file.file(), finding.place().file());
        });
  }

  /** A rule for which NCCL fails is an error, and so is each file with which NCCL fails. */
  @ParameterizedTest
  @MethodSource("files")
  void whereNcclFailsThereIsAnError(RuleFile file) {
    if (file.run().equals("fail")) {
      assertTrue(
          file.findings().stream().anyMatch(finding -> finding.severity() == Severity.ERROR));
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void whatIsMendedSafelyIsRightAfterwards(RuleFile file) {
    List<TextEdit> edits =
        file.findings().stream().flatMap(finding -> finding.edits().stream()).toList();
    if (edits.isEmpty()) {
      return;
    }
    List<LintFinding> left = file.linter().lint(file.source().edited(edits), file.kind());
    assertEquals(
        List.of(),
        left.stream().filter(finding -> !finding.edits().isEmpty()).toList(),
        "what is left could be mended");
    Set<LintRule> mended =
        file.findings().stream()
            .filter(finding -> !finding.edits().isEmpty())
            .map(LintFinding::rule)
            .collect(Collectors.toCollection(TreeSet::new));
    left.forEach(finding -> assertFalse(mended.contains(finding.rule()), finding.toString()));
  }

  /** A file of NICs alone, as for a network plugin: NCCL completes nothing above them. */
  @Test
  void aCpuOfNicsWithoutAnyGpuLacksWhatNcclFillsInElsewhere() {
    SourceText file = RuleFile.source("missing-beside-nic.xml");
    String nics =
        new String(file.bytes(), StandardCharsets.UTF_8)
            .replaceAll("(?s)<pci [^>]*>\\s*<gpu .*?</gpu>\\s*</pci>\\s*", "");
    assertEquals(
        List.of("2: <cpu>: attributes arch, vendor, familyid, modelid are missing"),
        new Linter()
            .lint(new SourceText(file.file(), nics.getBytes(StandardCharsets.UTF_8))).stream()
                .filter(finding -> finding.rule() == LintRule.MISSING_BESIDE_NIC)
                .map(finding -> finding.place().line() + ": " + finding.message())
                .toList());
  }

  /** The base of the files: what is found in them is there on purpose. */
  @Test
  void theMachinesBesideTheFilesAreClean() {
    assertEquals(List.of(), new Linter().lint(RuleFile.source("machine.xml")));
    List<LintFinding> h200 = new Linter().lint(RuleFile.source("graph-machine.xml"));
    assertEquals(List.of(), h200);
  }

  @Test
  void machinesOfTheProjectHaveNoError() throws IOException {
    List<String> errors = new ArrayList<>();
    try (Stream<Path> files = Files.list(ROOT.resolve("topologies"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".xml")).sorted().toList()) {
        SourceText source = new SourceText(file.toString(), Files.readAllBytes(file));
        new Linter()
            .lint(source, FileKind.TOPOLOGY).stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .forEach(finding -> errors.add(finding.toString()));
      }
    }
    assertEquals(List.of(), errors);
  }

  @Test
  void aMachineAgreesWithItself() {
    SourceText machine = RuleFile.source("machine.xml");
    assertEquals(List.of(), Linter.against(machine, NcclProfile.DEFAULT).lint(machine));
  }
}
