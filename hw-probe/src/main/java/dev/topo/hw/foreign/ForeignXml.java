package dev.topo.hw.foreign;

import com.ctc.wstx.api.WstxInputProperties;
import com.ctc.wstx.stax.WstxInputFactory;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.dataformat.xml.XmlFactory;
import tools.jackson.dataformat.xml.XmlMapper;

/**
 * Parses XML of other tools into records. Document types are skipped, never loaded, and input is
 * limited in depth and size.
 */
final class ForeignXml {
  private static final int MAX_DEPTH = 200;
  private static final long MAX_ELEMENTS = 1_000_000;
  private static final long MAX_CHARACTERS = 64L << 20;

  private static final String BYTE_ORDER_MARK = "\ufeff";
  private static final Pattern ELEMENT = Pattern.compile("<(\\w{1,100})");

  private static final XmlMapper MAPPER =
      XmlMapper.builder(XmlFactory.builder().xmlInputFactory(hardened()).build()).build();

  private ForeignXml() {}

  private static XMLInputFactory hardened() {
    WstxInputFactory factory = new WstxInputFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(WstxInputProperties.P_MAX_ELEMENT_DEPTH, MAX_DEPTH);
    factory.setProperty(WstxInputProperties.P_MAX_ELEMENT_COUNT, MAX_ELEMENTS);
    factory.setProperty(WstxInputProperties.P_MAX_CHARACTERS, MAX_CHARACTERS);
    return factory;
  }

  /**
   * Reads a document.
   *
   * @param name name of the file, for messages
   * @throws TopologyFormatException if it is not well-formed or not of this form
   */
  static <T> T read(byte[] content, Class<T> type, String name) {
    try {
      return MAPPER.readValue(content, type);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      SourceLocation location =
          at == null || at.getLineNr() < 1
              ? SourceLocation.of(name)
              : new SourceLocation(name, at.getLineNr(), Math.max(1, at.getColumnNr()));
      throw new TopologyFormatException(
          location,
          e instanceof MismatchedInputException
              ? "has a text or an attribute where elements are expected"
              : "cannot be read as XML: " + firstLine(e.getOriginalMessage()),
          e);
    }
  }

  /**
   * Name of the root element of a text, after the parts that may precede it; empty if the text does
   * not begin like XML.
   */
  static String rootName(String text) {
    int at = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length() : 0;
    while (at < text.length()) {
      if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else if (text.startsWith("<?", at)) {
        at = after(text, "?>", at);
      } else if (text.startsWith("<!--", at)) {
        at = after(text, "-->", at);
      } else if (text.startsWith("<!DOCTYPE", at)) {
        int end = after(text, ">", at);
        int inner = text.indexOf('[', at);
        at = inner < 0 || inner >= end ? end : after(text, ">", after(text, "]", inner));
      } else {
        Matcher name = ELEMENT.matcher(text).region(at, text.length());
        return name.lookingAt() ? name.group(1) : "";
      }
    }
    return "";
  }

  private static int after(String text, String end, int from) {
    int found = text.indexOf(end, from);
    return found < 0 ? text.length() : found + end.length();
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }
}
