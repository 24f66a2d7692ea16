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
 * Lints files and adds the cost of the findings.
 *
 * @param linter linter with the rules of a release
 * @param kind the kind of the files; detected from their contents if empty
 * @param isOfAllReleases whether the rules of all releases apply
 * @param machine the machine that files are compared with, if one is known
 * @param cost determines the cost of findings
 */
public record FileLinter(
    Linter linter,
    Optional<FileKind> kind,
    boolean isOfAllReleases,
    Optional<SourceText> machine,
    FindingCost cost) {
  /** Returns the file with all safe fixes applied. */
  public SourceText fixed(SourceText source) {
    return source.edited(
        findings(source).stream().flatMap(found -> found.edits().stream()).toList());
  }

  /**
   * Lints a file.
   *
   * @param changes text that shows the changes made to the file
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

  /** Adds a summary of the machine if the file is a topology without findings. */
  public LintedFile described(LintedFile linted, SourceText source) {
    boolean isSound = linted.findings().isEmpty() && kindOf(source) == FileKind.TOPOLOGY;
    return isSound
        ? cost.topology(source).map(MachineFormat::summary).map(linted::withMachine).orElse(linted)
        : linted;
  }

  /** Adds the findings that only the completed file shows. */
  public LintedFile lint(LintedFile original, CompletedLint.Completed completed) {
    return new CompletedLint(linter, cost).lint(original, completed);
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
