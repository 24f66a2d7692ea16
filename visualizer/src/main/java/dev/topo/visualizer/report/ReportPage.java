package dev.topo.visualizer.report;

import dev.topo.simulator.accuracy.MeasurementVerdict;
import dev.topo.visualizer.html.Element;
import dev.topo.visualizer.html.HtmlWriter;
import dev.topo.visualizer.html.Markup;
import dev.topo.visualizer.report.subject.ReportPart;
import dev.topo.visualizer.report.subject.ReportSubject;
import dev.topo.visualizer.svg.SvgWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A report as one HTML page that needs nothing else: it opens from a file, a browser may ask no
 * server for anything, and without scripts all of it can be read. The same subject gives the same
 * bytes, charts as the fonts of the host have them.
 */
public final class ReportPage {
  private static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

  private ReportPage() {}

  /** The page. */
  public static String of(ReportSubject subject) {
    List<ReportPart> parts = ReportPart.of(subject);
    List<MeasurementVerdict> judgements = MeasuredSection.judgements(subject);
    List<Element> sections = sections(subject, parts, judgements);
    return HtmlWriter.document(
        Element.of(
                "html",
                head(subject),
                Element.of(
                    "body",
                    header(subject, sections),
                    Element.of("main", sections),
                    Element.of(
                        "footer",
                        Element.of(
                            "p",
                            "Made by topo report, which follows the rules of NCCL 2.28.9. Numbers are GB/s (10⁹"
                                + " bytes) in each direction; KiB, MiB and GiB are powers of 1024.")),
                    Element.of("script", Markup.written(resource("report.js")))))
            .with("lang", "en"));
  }

  private static List<Element> sections(
      ReportSubject subject, List<ReportPart> parts, List<MeasurementVerdict> judgements) {
    List<Element> sections = new ArrayList<>();
    sections.add(SummarySection.of(subject, parts, judgements));
    if (subject.findings().stream().anyMatch(file -> !file.findings().isEmpty())) {
      sections.add(FindingsSection.of(subject));
    }
    sections.add(MachineSection.of(parts));
    if (subject.nNodes() > 1) {
      sections.add(JobSection.of(subject));
    }
    sections.add(PathsSection.of(parts));
    sections.add(GraphsSection.of(parts));
    if (subject.nRanks() > 1) {
      sections.add(ChoicesSection.of(subject));
      sections.add(PredictionsSection.of(subject));
    }
    if (!judgements.isEmpty()) {
      sections.add(MeasuredSection.of(judgements));
    }
    return sections;
  }

  private static Element head(ReportSubject subject) {
    return Element.of(
        "head",
        Element.of("meta").with("charset", "utf-8"),
        Element.of("meta").with("http-equiv", "Content-Security-Policy").with("content", POLICY),
        Element.of("meta")
            .with("name", "viewport")
            .with("content", "width=device-width, initial-scale=1"),
        Element.of("meta").with("name", "color-scheme").with("content", "light dark"),
        Element.of("title", subject.title() + " · topo report"),
        Element.of(
            "style", Markup.written(resource("report.css") + SvgWriter.pageStyle("drawing"))));
  }

  private static Element header(ReportSubject subject, List<Element> sections) {
    List<Element> links = new ArrayList<>();
    for (Element section : sections) {
      String id = Objects.requireNonNull(section.attributes().get("id"));
      links.add(Element.of("a", heading(section)).with("href", "#" + id));
    }
    return Element.of(
        "header",
        Element.of("p", "topo report · what NCCL 2.28.9 does here").as("kind"),
        Element.of("h1", subject.title()),
        Element.of("nav", links).with("aria-label", "Sections"));
  }

  /** The text of the first part of a section, its heading. */
  private static String heading(Element section) {
    Element heading = (Element) section.content().get(0);
    return ((Markup.Text) heading.content().get(0)).text();
  }

  private static String resource(String name) {
    try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
