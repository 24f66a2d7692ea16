package dev.topo.inspect.lint;

import dev.topo.inspect.lint.LintFinding.Place;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.TextWriter;
import java.util.List;

/** Findings as GitHub workflow commands, which are shown beside the lines of a change. */
public final class LintGithub {
  private LintGithub() {}

  public static String of(List<LintedFile> files) {
    TextWriter out = new TextWriter();
    for (LintedFile file : files) {
      out.lines("", file.findings().stream().map(LintGithub::annotation).toList());
    }
    return out.toString();
  }

  private static String annotation(LintFinding finding) {
    Place place = finding.place();
    int column = place.column();
    return TextWriter.format(
        "::%s file=%s%s,title=%s::%s",
        finding.severity() == Severity.NOTE ? "notice" : finding.severity().label(),
        property(place.file()),
        place.line() == 0
            ? ""
            : TextWriter.format(
                ",line=%d,col=%d,endColumn=%d", place.line(), column, column + place.length()),
        property(finding.rule().id()),
        data(finding.message() + ". NCCL " + finding.nccl() + ". Fix: " + finding.fix() + "."));
  }

  private static String data(String text) {
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
  }

  private static String property(String text) {
    return data(text).replace(":", "%3A").replace(",", "%2C");
  }
}
