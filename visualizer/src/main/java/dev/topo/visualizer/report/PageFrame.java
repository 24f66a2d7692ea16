package dev.topo.visualizer.report;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.model.io.ResourceTable;
import dev.topo.visualizer.drawing.SvgWriter;
import dev.topo.visualizer.view.Element;
import dev.topo.visualizer.view.Markup;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Builds the frame of all pages: head, heading with navigation, sections, footer, style and script.
 */
final class PageFrame {
  /** The folders of an absolute path at the start of a word, an option value or a list item. */
  private static final Pattern FOLDERS = Pattern.compile("(?<![^ =,:'])/(?:[^ =,:'/]+/)+");

  private static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

  private PageFrame() {}

  /**
   * Returns a self-contained page.
   *
   * @param title the title of the window
   * @param kind the kind of page, shown above the heading
   * @param heading the heading
   * @param footer the text below the sections
   * @param made the command that made the page
   */
  static String of(
      String title,
      String kind,
      String heading,
      List<Element> sections,
      String footer,
      Invocation made) {
    return HtmlWriter.document(
        Element.of(
                "html",
                head(title),
                Element.of(
                    "body",
                    header(kind, heading, sections),
                    Element.of("main", sections),
                    Element.of("footer", footer(footer, made)),
                    Element.of(
                        "script",
                        Markup.written(ResourceTable.text(PageFrame.class, "report.js")))))
            .with("lang", "en"));
  }

  /**
   * The footer text and, if a command made the page, the command and its inputs. Absolute paths are
   * reduced to file names, because pages are sent to others.
   */
  private static List<Element> footer(String text, Invocation made) {
    List<Element> lines = new ArrayList<>(List.of(Element.paragraph(text)));
    if (made.isCommand()) {
      lines.add(Element.paragraph(made.program() + ": " + withoutFolders(made.commandLine())));
      for (Inputs.Input input : made.inputs().get()) {
        String hash = input.sha256() == null ? "no hash" : "SHA-256 " + input.sha256();
        lines.add(Element.paragraph(withoutFolders(input.file()) + ": " + hash));
      }
    }
    return lines;
  }

  private static String withoutFolders(String text) {
    return FOLDERS.matcher(text).replaceAll("");
  }

  private static Element head(String title) {
    return Element.of(
        "head",
        Element.of("meta").with("charset", "utf-8"),
        Element.of("meta").with("http-equiv", "Content-Security-Policy").with("content", POLICY),
        Element.of("meta")
            .with("name", "viewport")
            .with("content", "width=device-width, initial-scale=1"),
        Element.of("meta").with("name", "color-scheme").with("content", "light dark"),
        Element.of("title", title),
        Element.of(
            "style",
            Markup.written(
                ResourceTable.text(PageFrame.class, "report.css")
                    + SvgWriter.pageStyle("drawing"))));
  }

  private static Element header(String kind, String heading, List<Element> sections) {
    List<Element> links = new ArrayList<>();
    for (Element section : sections) {
      String id = Objects.requireNonNull(section.attributes().get("id"));
      links.add(Element.of("a", heading(section)).with("href", "#" + id));
    }
    return Element.of(
        "header",
        Element.paragraph(kind).as("kind"),
        Element.of("h1", heading),
        Element.of("nav", links).with("aria-label", "Sections"));
  }

  /** The heading of a section, which is the text of its first child. */
  static String heading(Element section) {
    Element heading = (Element) section.content().get(0);
    return ((Markup.Text) heading.content().get(0)).text();
  }
}
