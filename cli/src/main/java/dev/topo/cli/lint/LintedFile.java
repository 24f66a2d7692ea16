package dev.topo.cli.lint;

import dev.topo.inspect.lint.finding.LintFinding;
import dev.topo.model.diagnostic.Severity;
import java.util.List;
import java.util.Objects;

/**
 * A file and what was found in it.
 *
 * @param file its name, as the user gave it
 * @param findings what was found, in its order
 * @param changes lines that were or would be changed; empty if nothing was fixed
 */
public record LintedFile(String file, List<LintFinding> findings, String changes) {
  /** Copies the list. */
  public LintedFile {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(changes, "changes");
    findings = List.copyOf(findings);
  }

  /** Number of findings that are as bad as this. */
  public long count(Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }
}
