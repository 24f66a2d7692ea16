package dev.topo.simulator.verdict;

import dev.topo.inspect.lint.FileKind;
import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.LintedFile;
import dev.topo.inspect.lint.Linter;
import dev.topo.inspect.lint.SourceText;
import dev.topo.inspect.lint.VersionsLinter;
import dev.topo.model.MachineFormat;
import java.util.List;
import java.util.Optional;

/**
 * Lints files, with the cost of the findings.
 *
 * @param linter has the rules of a release
 * @param kind the kind of the files; detected from their contents if empty
 * @param isOfAllReleases whether the rules of all releases apply
 * @param machine the machine that files are compared with, if one is known
 * @param cost finds the cost
 */
public record FileLinter(
    Linter linter,
    Optional<FileKind> kind,
    boolean isOfAllReleases,
    Optional<SourceText> machine,
    FindingCost cost) {
  /** The file with everything fixed that can be fixed safely. */
  public SourceText fixed(SourceText source) {
    return source.edited(
        findings(source).stream().flatMap(found -> found.edits().stream()).toList());
  }

  /**
   * The findings in a file.
   *
   * @param changes text that shows the changes to it
   */
  public LintedFile lint(SourceText source, String changes) {
    List<LintFinding> found = findings(source);
    boolean isOfTuner = kindOf(source) == FileKind.TUNER;
    return new LintedFile(
        source.file(),
        isOfTuner ? cost.withTimes(source, found) : cost.add(source, found),
        changes,
        "");
  }

  /** The file with a summary of its machine, if it is a topology without findings. */
  public LintedFile described(LintedFile linted, SourceText source) {
    boolean isSound = linted.findings().isEmpty() && kindOf(source) == FileKind.TOPOLOGY;
    return isSound
        ? cost.topology(source).map(MachineFormat::summary).map(linted::withMachine).orElse(linted)
        : linted;
  }

  /** The findings in a file, with the additional ones after its completion. */
  public LintedFile lint(LintedFile asItIs, CompletedLint.Completed completed) {
    return new CompletedLint(linter, cost).lint(asItIs, completed);
  }

  private List<LintFinding> findings(SourceText source) {
    if (isOfAllReleases) {
      return VersionsLinter.lint(source, kind, machine);
    }
    return linter.lint(source, kindOf(source));
  }

  private FileKind kindOf(SourceText source) {
    return kind.orElseGet(() -> FileKind.of(source.file(), source.bytes()));
  }
}
