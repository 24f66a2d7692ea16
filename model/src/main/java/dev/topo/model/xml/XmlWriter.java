package dev.topo.model.xml;

import java.util.Map;

/**
 * Writes a tree as NCCL does, so that its reader takes it: no XML declaration, two blanks a level,
 * one blank before each attribute, elements without children closed at once, line feeds ({@code
 * nccl:src/graph/xml.cc#ncclTopoDumpXmlRec}). A file that NCCL dumped is written back byte for
 * byte.
 */
public final class XmlWriter {
  private XmlWriter() {}

  /** The text of a document. */
  public static String write(XmlDocument document) {
    StringBuilder out = new StringBuilder();
    document.before().forEach(comment -> comment(out, comment, 0));
    element(out, document.root(), 0);
    document.after().forEach(comment -> comment(out, comment, 0));
    return out.toString();
  }

  /** The text of an element and what it contains. */
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
    out.append("  ".repeat(level)).append("<!--").append(comment.text()).append("-->\n");
  }

  private static void escape(StringBuilder out, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> out.append("&quot;");
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        // As they are, a reader would take them for blanks.
        case '\t', '\n', '\r' -> out.append("&#").append((int) c).append(';');
        default -> out.append(c);
      }
    }
  }
}
