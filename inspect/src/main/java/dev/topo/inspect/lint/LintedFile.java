package dev.topo.inspect.lint;

import dev.topo.model.io.Diagnostic.Severity;
import java.util.List;

/**
 * File with its findings.
 *
 * @param file its name, as the user gave it
 * @param findings the findings, in the order of the file
 * @param changes lines that were or would be changed; empty if nothing was fixed
 * @param machine summary of a topology without findings, in words; empty if not requested
 */
public record LintedFile(String file, List<LintFinding> findings, String changes, String machine) {
  public LintedFile {
    findings = List.copyOf(findings);
  }

  /** This file with a description of its machine. */
  public LintedFile withMachine(String words) {
    return new LintedFile(file, findings, changes, words);
  }

  /** Number of findings with a severity. */
  public long count(Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }
}
