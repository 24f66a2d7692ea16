package dev.topo.simulator.verdict;

import dev.topo.inspect.lint.FileKind;
import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.LintRule;
import dev.topo.inspect.lint.LintedFile;
import dev.topo.inspect.lint.Linter;
import dev.topo.inspect.lint.SourceText;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lints a topology file as NCCL would have it at run time, completed with the devices of the
 * machine: rules about GPUs and network cards find nothing in a file without them.
 */
public record CompletedLint(Linter linter, FindingCost cost) {
  /** Largest number of XML elements that NCCL has room for ({@code NCCL_TOPO_XML_MAX_NODES}). */
  public static final int ROOM = 256;

  /**
   * Rules about attributes that NCCL fills in from the machine; the assumed devices lack them.
   * Where they matter the file itself has the finding: for devices that NCCL adds, every rank fills
   * in the same.
   */
  private static final Set<LintRule> FILLED_IN =
      Set.of(LintRule.UNEQUAL_WHEN_FUSED, LintRule.MISSING_BESIDE_NIC, LintRule.FILLED_AT_RUN_TIME);

  /**
   * A topology file completed with assumed devices.
   *
   * @param document the file as NCCL would have it at run time
   * @param elementsOfRank number of elements in the tree of one rank
   * @param elementsFused number of elements when the trees of all ranks are joined
   */
  public record Completed(XmlDocument document, int elementsOfRank, int elementsFused) {}

  /** Returns the findings in a file, and those that only its completion shows. */
  LintedFile lint(LintedFile original, Completed completion) {
    SourceText text =
        new SourceText(
            original.file(),
            XmlWriter.write(completion.document()).getBytes(StandardCharsets.UTF_8));
    Set<LintRule> known =
        original.findings().stream().map(LintFinding::rule).collect(Collectors.toSet());
    List<LintFinding> more =
        linter.lint(text, FileKind.TOPOLOGY).stream()
            .filter(finding -> !known.contains(finding.rule()))
            .filter(finding -> !FILLED_IN.contains(finding.rule()))
            .toList();
    List<LintFinding> findings = new ArrayList<>(original.findings());
    findings.addAll(tooLarge(original.file(), completion));
    cost.add(text, more).forEach(finding -> findings.add(ofWholeFile(original.file(), finding)));
    return new LintedFile(original.file(), findings, original.changes(), original.machine());
  }

  /**
   * Moves a finding from a line to the whole file: the lines of the completed file are not those of
   * the file.
   */
  private static LintFinding ofWholeFile(String file, LintFinding finding) {
    return new LintFinding(
        finding.rule(),
        finding.severity(),
        LintFinding.Place.of(file),
        "completed as assumed, " + finding.message(),
        finding.nccl(),
        finding.fix(),
        List.of());
  }

  /**
   * The error if a job on all GPUs needs more elements than NCCL has room for, even if each rank
   * can read the file.
   */
  private static List<LintFinding> tooLarge(String file, Completed completion) {
    String what;
    if (completion.elementsOfRank() > ROOM) {
      what = "the tree of a rank takes " + completion.elementsOfRank();
    } else if (completion.elementsFused() > ROOM) {
      what = "the trees of all ranks joined take " + completion.elementsFused();
    } else {
      return List.of();
    }
    LintRule rule = LintRule.TOO_MANY_ELEMENTS;
    return List.of(
        new LintFinding(
            rule,
            rule.severity(),
            LintFinding.Place.of(file),
            what + " elements, NCCL has room for " + ROOM,
            "fails with an internal error (too many XML nodes) when a job starts",
            "add the attributes that are missing, so that the trees agree; leave out what the job"
                + " does not use",
            List.of()));
  }
}
