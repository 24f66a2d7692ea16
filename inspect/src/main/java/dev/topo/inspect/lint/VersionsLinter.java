package dev.topo.inspect.lint;

import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds problems of a file by the rules of all versions of NCCL. Equal findings are merged; a
 * finding that applies to some versions only names these.
 */
public final class VersionsLinter {
  private VersionsLinter() {}

  /** Findings in a file, in its order. */
  public static List<LintFinding> lint(
      SourceText source, Optional<FileKind> kind, Optional<SourceText> machine) {
    Map<LintFinding, List<String>> versions = new LinkedHashMap<>();
    List<String> covered = NcclProfile.versions();
    for (String version : covered) {
      NcclProfile profile = NcclProfile.of(version);
      Linter linter =
          machine.map(probe -> Linter.against(probe, profile)).orElseGet(() -> new Linter(profile));
      List<LintFinding> found =
          kind.map(known -> linter.lint(source, known)).orElseGet(() -> linter.lint(source));
      found.forEach(
          finding ->
              versions
                  .computeIfAbsent(named(finding, version), f -> new ArrayList<>())
                  .add(version));
    }
    return versions.entrySet().stream()
        .map(entry -> of(entry.getKey(), entry.getValue(), covered))
        .sorted(
            Comparator.<LintFinding>comparingInt(finding -> finding.place().line())
                .thenComparingInt(finding -> finding.place().column()))
        .toList();
  }

  /** Returns the finding with a text that does not depend on the version. */
  private static LintFinding named(LintFinding finding, String version) {
    return finding.withMessage(finding.message().replace("NCCL " + version, "NCCL"));
  }

  private static LintFinding of(LintFinding finding, List<String> versions, List<String> covered) {
    return versions.size() == covered.size()
        ? finding
        : finding.withMessage(finding.message() + " (NCCL " + ranges(versions, covered) + ")");
  }

  /** Lists versions, with consecutive ones as a range: {@code 2.19.3 to 2.21.5, 2.30.7}. */
  static String ranges(List<String> versions, List<String> covered) {
    List<String> ranges = new ArrayList<>();
    for (int i = 0; i < versions.size(); ) {
      int last = i;
      int place = covered.indexOf(versions.get(i));
      while (last + 1 < versions.size()
          && covered.indexOf(versions.get(last + 1)) == place + last + 1 - i) {
        last++;
      }
      ranges.add(versions.get(i) + (last == i ? "" : " to " + versions.get(last)));
      i = last + 1;
    }
    return String.join(", ", ranges);
  }
}
