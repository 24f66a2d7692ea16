package dev.topo.visualizer.study;

import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.LintedFile;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.visualizer.view.Answer.Sentence;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Summarises the findings of lint in one sentence: their number, the most important one and its
 * fix.
 */
public final class LintSentence {
  private LintSentence() {}

  /** Returns the sentence. */
  public static String of(List<LintedFile> files) {
    Optional<LintFinding> first =
        files.stream()
            .flatMap(file -> file.findings().stream())
            .min(
                Comparator.comparing(LintFinding::severity)
                    .thenComparing(finding -> finding.rule().outcome()));
    return first
        .map(finding -> finding(finding, files))
        .orElse(
            files.size() == 1
                ? "No error found: NCCL reads this file as it is%s."
                    .formatted(machine(files.get(0)))
                : "No error found: NCCL reads all %s files as they are.".formatted(files.size()));
  }

  private static String machine(LintedFile file) {
    return file.machine().isEmpty() ? "" : ", a machine with " + file.machine();
  }

  private static String finding(LintFinding finding, List<LintedFile> files) {
    String subject =
        "%s%s: %s%s"
            .formatted(
                files.size() == 1 && finding.severity() == Severity.NOTE ? "Nothing wrong, " : "",
                counts(files),
                place(finding, files.size()),
                finding.message());
    String nccl = "; NCCL " + finding.nccl();
    boolean needsNoFix = finding.fix().startsWith("none");
    String hint = finding.edits().isEmpty() ? "" : " (" + Hint.FIXES + ")";
    String fix = needsNoFix ? "" : "; fix: " + finding.fix() + hint;
    String briefFix = needsNoFix ? "" : "; fix: " + finding.fix().split("; ", 2)[0] + hint;
    return Sentence.of(
            subject + nccl + fix,
            fix.isEmpty() ? subject : subject + fix,
            subject + briefFix,
            needsNoFix ? subject : subject + "; fix below")
        + ".";
  }

  private static String counts(List<LintedFile> files) {
    List<String> parts = new ArrayList<>();
    for (Severity severity : Severity.values()) {
      long count = files.stream().mapToLong(file -> file.count(severity)).sum();
      if (count > 0) {
        parts.add(QuantityFormat.count(count, severity.label()));
      }
    }
    return String.join(", ", parts);
  }

  private static String place(LintFinding finding, int files) {
    String file = files == 1 ? "" : finding.place().file() + " ";
    return finding.place().line() == 0 ? file : file + "line " + finding.place().line() + ", ";
  }
}
