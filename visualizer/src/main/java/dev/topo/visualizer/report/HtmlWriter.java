package dev.topo.visualizer.report;

import dev.topo.visualizer.view.Element;
import dev.topo.visualizer.view.Markup;
import java.util.Set;

/**
 * Writes a page as HTML. This is the only place where text and attribute values are escaped, so
 * that a name in a file cannot become markup. Control characters, which HTML cannot represent,
 * become question marks. The same page always gives the same bytes.
 */
final class HtmlWriter {
  /** Elements without content and end tag. */
  private static final Set<String> VOID = Set.of("br", "col", "hr", "img", "input", "link", "meta");

  /** Elements followed by a line break, so that pages can be compared and searched by line. */
  private static final Set<String> LINE_BREAK_AFTER =
      Set.of(
          ("body div figcaption figure footer h1 h2 h3 head header html li link main meta nav ol p"
                  + " script section style table tbody thead title tr ul")
              .split(" "));

  private final StringBuilder out = new StringBuilder();

  private HtmlWriter() {}

  /** Returns a complete document. */
  static String document(Element html) {
    return "<!DOCTYPE html>\n" + fragment(html);
  }

  /** Returns a fragment of a document. */
  static String fragment(Markup markup) {
    HtmlWriter writer = new HtmlWriter();
    writer.write(markup);
    return writer.out.toString();
  }

  private void write(Markup markup) {
    if (markup instanceof Element element) {
      element(element);
    } else if (markup instanceof Markup.Text text) {
      out.append(escape(text.text()));
    } else if (markup instanceof Markup.Written written) {
      out.append(written.markup());
    }
  }

  private void element(Element element) {
    out.append('<').append(element.name());
    element
        .attributes()
        .forEach(
            (name, value) -> {
              out.append(' ').append(name);
              if (!value.isEmpty()) {
                out.append("=\"").append(escape(value)).append('"');
              }
            });
    out.append('>');
    if (VOID.contains(element.name())) {
      if (!element.content().isEmpty()) {
        throw new IllegalArgumentException(element.name() + " has no content in HTML");
      }
    } else {
      element.content().forEach(this::write);
      out.append("</").append(element.name()).append('>');
    }
    if (LINE_BREAK_AFTER.contains(element.name())) {
      out.append('\n');
    }
  }

  private static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(isWritable(c) ? c : '?');
              }
            });
    return escaped.toString();
  }

  private static boolean isWritable(int c) {
    boolean isControl = Character.isISOControl(c) && c != '\n' && c != '\t';
    boolean isSurrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    boolean isNoCharacter = (c & 0xFFFE) == 0xFFFE;
    return !isControl && !isSurrogate && !isNoCharacter;
  }
}
