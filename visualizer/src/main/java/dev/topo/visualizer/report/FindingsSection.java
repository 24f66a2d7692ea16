package dev.topo.visualizer.report;

import dev.topo.inspect.lint.LintFinding;
import dev.topo.visualizer.view.Element;
import dev.topo.visualizer.view.Markup;
import java.util.ArrayList;
import java.util.List;

/** The section with the findings of lint in the files of the machines. */
final class FindingsSection {
  /** The maximum number of characters shown of a line. */
  private static final int MAX_LINE_LENGTH = 110;

  private FindingsSection() {}

  static Element of(ReportSubject subject) {
    Element section = Element.section("findings", "Findings in the files");
    for (FileFindings file : subject.findings()) {
      if (file.findings().isEmpty()) {
        section = section.add(Element.paragraph(file.file() + ": no findings."));
      } else {
        section = section.add(Element.of("h3", file.file()));
        List<Element> items = file.findings().stream().map(FindingsSection::item).toList();
        section = section.add(Element.of("ul", items).as("findings"));
      }
    }
    return section;
  }

  private static Element item(LintFinding finding) {
    LintFinding.Place place = finding.place();
    List<Markup> parts = new ArrayList<>();
    String severity = finding.severity().label();
    parts.add(Element.of("strong", severity).as("badge " + severity));
    parts.add(Markup.text(" " + finding.message() + " "));
    parts.add(Element.of("code", finding.rule().id()));
    if (place.line() > 0) {
      parts.add(Markup.text(" line " + place.line() + ", column " + place.column()));
      if (!place.text().isBlank()) {
        parts.add(Element.of("pre", marked(place)).with("tabindex", "0"));
      }
    }
    parts.add(Element.paragraph("NCCL " + finding.nccl() + "."));
    parts.add(Element.paragraph("Fix: " + finding.fix() + "."));
    return Element.of("li", parts);
  }

  /** The marked text, with as much of its line as fits. */
  private static List<Markup> marked(LintFinding.Place place) {
    int[] line = place.text().codePoints().toArray();
    int from = Math.min(Math.max(place.column() - 1, 0), line.length);
    int to = Math.min(from + Math.max(place.length(), 0), line.length);
    int first = from > MAX_LINE_LENGTH / 2 ? from - MAX_LINE_LENGTH / 3 : 0;
    int last = Math.min(line.length, Math.max(to, first + MAX_LINE_LENGTH));
    return List.of(
        Markup.text((first > 0 ? "…" : "") + new String(line, first, from - first)),
        Element.of("mark", new String(line, from, to - from)),
        Markup.text(new String(line, to, last - to) + (last < line.length ? "…" : "")));
  }
}
