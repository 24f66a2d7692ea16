package dev.topo.model.xml;

import dev.topo.model.io.PlainText;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.Map;

/**
 * Writes a tree as NCCL does, so that its reader accepts it: no XML declaration, two blanks per
 * level, one blank before each attribute, {@code <x/>} for elements without children, line feeds
 * ({@code nccl:src/graph/xml.cc#ncclTopoDumpXmlRec}). A file that NCCL dumped is written back byte
 * for byte.
 */
public final class XmlWriter {
  private XmlWriter() {}

  public static String write(XmlDocument document) {
    StringBuilder out = new StringBuilder();
    document.before().forEach(comment -> comment(out, comment, 0));
    element(out, document.root(), 0);
    document.after().forEach(comment -> comment(out, comment, 0));
    return out.toString();
  }

  /** The text of an element and its content. */
  public static String write(XmlElement element) {
    StringBuilder out = new StringBuilder();
    element(out, element, 0);
    return out.toString();
  }

  private static void element(StringBuilder out, XmlElement element, int level) {
    out.append("  ".repeat(level)).append('<').append(element.name());
    for (Map.Entry<String, String> attribute : element.attributes().entrySet()) {
      out.append(' ').append(attribute.getKey()).append("=\"");
      escape(out, attribute.getValue());
      out.append('"');
    }
    if (element.children().isEmpty()) {
      out.append("/>\n");
      return;
    }
    out.append(">\n");
    for (XmlNode child : element.children()) {
      if (child instanceof XmlElement inner) {
        element(out, inner, level + 1);
      } else if (child instanceof XmlComment comment) {
        comment(out, comment, level + 1);
      }
    }
    out.append("  ".repeat(level)).append("</").append(element.name()).append(">\n");
  }

  private static void comment(StringBuilder out, XmlComment comment, int level) {
    out.append("  ".repeat(level))
        .append("<!--")
        .append(PlainText.lines(comment.text()))
        .append("-->\n");
  }

  private static void escape(StringBuilder out, String value) {
    value
        .codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '"' -> out.append("&quot;");
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                default -> character(out, c);
              }
            });
  }

  /**
   * Writes a control character as a numeric reference: a reader would turn a line feed into a
   * blank, and a terminal would interpret the character. XML 1.0 cannot express some characters.
   */
  private static void character(StringBuilder out, int c) {
    if (!isInXml(c)) {
      out.append('?');
    } else if (PlainText.isUnsafe(c)) {
      out.append("&#").append(c).append(';');
    } else {
      out.appendCodePoint(c);
    }
  }

  /** The characters of XML 1.0, section 2.2. */
  private static boolean isInXml(int c) {
    return c >= ' ' && !(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
        ? c != 0xfffe && c != 0xffff
        : c == '\t' || c == '\n' || c == '\r';
  }
}
