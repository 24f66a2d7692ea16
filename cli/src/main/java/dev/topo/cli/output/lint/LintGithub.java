package dev.topo.cli.output.lint;

import dev.topo.inspect.lint.finding.LintFinding;
import dev.topo.inspect.lint.finding.LintFinding.Place;
import dev.topo.inspect.lint.finding.LintedFile;
import dev.topo.model.diagnostic.Severity;
import java.util.List;

/** Findings as commands of a workflow on GitHub, which shows them beside the lines of a change. */
public final class LintGithub {
  private LintGithub() {}

  /** The text. */
  public static String of(List<LintedFile> files) {
    StringBuilder out = new StringBuilder();
    for (LintedFile file : files) {
      file.findings().forEach(finding -> annotation(finding, out));
    }
    return out.toString();
  }

  private static void annotation(LintFinding finding, StringBuilder out) {
    Place place = finding.place();
    String level = finding.severity() == Severity.NOTE ? "notice" : finding.severity().label();
    out.append("::").append(level).append(" file=").append(property(place.file()));
    if (place.line() > 0) {
      out.append(",line=")
          .append(place.line())
          .append(",col=")
          .append(place.column())
          .append(",endColumn=")
          .append(place.column() + place.length());
    }
    out.append(",title=")
        .append(property(finding.rule().id()))
        .append("::")
        .append(
            data(finding.message() + ". NCCL " + finding.nccl() + ". Fix: " + finding.fix() + "."))
        .append('\n');
  }

  private static String data(String text) {
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
  }

  private static String property(String text) {
    return data(text).replace(":", "%3A").replace(",", "%2C");
  }
}
