package dev.topo.inspect.lint;

import dev.topo.model.io.Diagnostic.Severity;
import java.util.List;

/**
 * A file and what was found in it.
 *
 * @param file its name, as the user gave it
 * @param findings what was found, in its order
 * @param changes lines that were or would be changed; empty if nothing was fixed
 * @param machine what a topology without findings has, for people; empty where it was not asked for
 */
public record LintedFile(String file, List<LintFinding> findings, String changes, String machine) {
  public LintedFile {
    findings = List.copyOf(findings);
  }

  /** This file with a description of its machine. */
  public LintedFile withMachine(String words) {
    return new LintedFile(file, findings, changes, words);
  }

  /** Number of findings that are as bad as this. */
  public long count(Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }
}
