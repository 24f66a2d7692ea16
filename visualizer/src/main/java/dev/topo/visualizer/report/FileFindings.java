package dev.topo.visualizer.report;

import dev.topo.inspect.lint.FileKind;
import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.LintRule;
import dev.topo.inspect.lint.Linter;
import dev.topo.inspect.lint.SourceText;
import dev.topo.search.rules.NcclProfile;
import java.nio.file.Path;
import java.util.List;

/**
 * The findings of lint in a file.
 *
 * @param file the name of the file without folders
 * @param findings the findings; empty if the file is correct
 */
public record FileFindings(String file, List<LintFinding> findings) {
  public FileFindings {
    findings = List.copyOf(findings);
  }

  /**
   * Returns the findings in a topology file.
   *
   * @param hasDomains whether the user states NVLink domains; if so, the finding that the file may
   *     describe one is dropped
   */
  public static FileFindings of(
      Path file, byte[] content, NcclProfile profile, boolean hasDomains) {
    String name = String.valueOf(file.getFileName());
    return new FileFindings(
        name,
        new Linter(profile)
            .lint(new SourceText(name, content), FileKind.TOPOLOGY).stream()
                .filter(finding -> finding.rule() != LintRule.NVLINK_DOMAIN || !hasDomains)
                .toList());
  }
}
