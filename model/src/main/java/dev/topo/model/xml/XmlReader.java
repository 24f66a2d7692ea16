package dev.topo.model.xml;

import com.ctc.wstx.api.WstxInputProperties;
import com.ctc.wstx.stax.WstxInputFactory;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.FileFault;
import dev.topo.model.io.Gzip;
import dev.topo.model.io.InputText;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.codehaus.stax2.XMLInputFactory2;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file to a tree of elements. Input is treated as hostile: no document type, no entities
 * beyond the five of XML, and {@link XmlLimits} on size, depth and count. Not thread-safe.
 */
public final class XmlReader {
  private static final String EXPECTED = "an XML file";

  /** Matches the position at the end of the parser's message, which is not the byte position. */
  private static final String OFFSETS = " \\(at char #.*\\)$";

  /** The first line of a matrix of nvidia-smi names the first GPU. */
  private static final int MATRIX_BYTES = 256;

  private final XmlLimits limits;
  private final XMLInputFactory factory;

  public XmlReader() {
    this(XmlLimits.DEFAULT);
  }

  XmlReader(XmlLimits limits) {
    this.limits = limits;
    this.factory = hardenedFactory(limits);
  }

  private static XMLInputFactory hardenedFactory(XmlLimits limits) {
    WstxInputFactory factory = new WstxInputFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    factory.setProperty(XMLInputFactory2.P_LAZY_PARSING, false);
    factory.setProperty(WstxInputProperties.P_MAX_ELEMENT_DEPTH, limits.depth());
    factory.setProperty(WstxInputProperties.P_MAX_ELEMENT_COUNT, (long) limits.elements());
    factory.setProperty(WstxInputProperties.P_MAX_ATTRIBUTES_PER_ELEMENT, limits.attributes());
    factory.setProperty(WstxInputProperties.P_MAX_ATTRIBUTE_SIZE, limits.valueLength());
    factory.setProperty(WstxInputProperties.P_MAX_CHARACTERS, limits.bytes());
    return factory;
  }

  /**
   * Reads a file that NCCL itself opens, which therefore may not be compressed.
   *
   * @throws TopologyFormatException if it is missing, not a file, too large or not well-formed
   */
  public XmlDocument read(Path file, Inputs inputs) {
    return read(bytes(file, false, inputs), file.toString());
  }

  /**
   * Reads a file that may be compressed by gzip.
   *
   * @throws TopologyFormatException if it is missing, not a file, too large or not well-formed
   */
  public XmlDocument readUnpacked(Path file, Inputs inputs) {
    return read(bytes(file, inputs), file.toString());
  }

  /**
   * The content of a file, unpacked if it is compressed by gzip, or of the machine with this name.
   *
   * @throws TopologyFormatException if it is missing, not a file or too large
   */
  public byte[] bytes(Path file, Inputs inputs) {
    return NamedMachine.bytes(file, inputs).orElseGet(() -> bytes(file, true, inputs));
  }

  /**
   * The content of a stream, unpacked if it is compressed by gzip. The stream is not closed.
   *
   * @param name its name in messages
   * @throws TopologyFormatException if it cannot be read or is too large
   */
  public byte[] bytes(InputStream in, String name) {
    try {
      return limited(Gzip.unpacked(in), name);
    } catch (IOException e) {
      throw FileFault.unreadable(name, e);
    }
  }

  private byte[] bytes(Path file, boolean unpacks, Inputs inputs) {
    String expected = unpacks ? NamedMachine.expectedInsteadOf(file) : EXPECTED;
    try (InputStream raw = inputs.open(file, expected);
        InputStream in = unpacks ? Gzip.unpacked(raw) : raw) {
      long size = Files.size(file);
      if (size > limits.bytes()) {
        throw new TopologyFormatException(
            file.toString(),
            "has %s bytes, expected at most %s (NCCL writes a few thousand)"
                .formatted(size, limits.bytes()));
      }
      return limited(in, file.toString());
    } catch (IOException e) {
      throw FileFault.unreadable(file.toString(), e);
    }
  }

  /**
   * Reads a file that is already in memory.
   *
   * @param name its name in messages
   * @throws TopologyFormatException if it is too large or not well-formed
   */
  public XmlDocument read(byte[] content, String name) {
    limited(content, name);
    if (Gzip.isCompressed(content)) {
      throw new TopologyFormatException(name, "is compressed (gzip), expected " + EXPECTED);
    }
    if (isBlank(content)) {
      throw new TopologyFormatException(name, "is empty, expected " + EXPECTED);
    }
    try {
      XMLStreamReader stream = factory.createXMLStreamReader(new ByteArrayInputStream(content));
      try {
        return new Builder(stream, name).document();
      } finally {
        stream.close();
      }
    } catch (XMLStreamException e) {
      throw notWellFormed(e, name, content);
    }
  }

  private byte[] limited(InputStream in, String name) throws IOException {
    int most = (int) Math.min(Integer.MAX_VALUE - 8, limits.bytes() + 1);
    return limited(in.readNBytes(most), name);
  }

  private byte[] limited(byte[] content, String name) {
    if (content.length > limits.bytes()) {
      throw new TopologyFormatException(name, "has more than " + limits.bytes() + " bytes");
    }
    return content;
  }

  private static boolean isBlank(byte[] content) {
    for (byte b : content) {
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return false;
      }
    }
    return true;
  }

  /** Location of the first byte that is not UTF-8; the whole file if all bytes are. */
  private static SourceLocation locationOfInvalidText(byte[] content, String name) {
    ByteBuffer bytes = ByteBuffer.wrap(content);
    CharBuffer text = CharBuffer.allocate(content.length);
    boolean isText = !StandardCharsets.UTF_8.newDecoder().decode(bytes, text, true).isError();
    return isText ? SourceLocation.of(name) : InputText.place(name, text.flip().toString());
  }

  private static TopologyFormatException notWellFormed(
      XMLStreamException e, String name, byte[] content) {
    Location at = e.getLocation();
    SourceLocation location =
        at == null || at.getLineNumber() < 1
            ? locationOfInvalidText(content, name)
            : new SourceLocation(name, at.getLineNumber(), at.getColumnNumber());
    String detail =
        String.valueOf(e.getMessage()).lines().findFirst().orElse("").replaceFirst(OFFSETS, "");
    String start =
        new String(content, 0, Math.min(MATRIX_BYTES, content.length), StandardCharsets.US_ASCII);
    return new TopologyFormatException(
        location,
        start.contains("GPU0") && !start.contains("<")
            ? "not well-formed XML but as nvidia-smi topo -m prints it: topo import makes a topology"
                + " file of it"
            : "not well-formed XML: " + detail);
  }

  /** Builds the tree from the events of one stream; used once. */
  private static final class Builder {
    private final XMLStreamReader stream;
    private final String name;
    private final List<XmlComment> before = new ArrayList<>();
    private final List<XmlComment> after = new ArrayList<>();
    private final Deque<Open> open = new ArrayDeque<>();
    private @Nullable XmlElement root;

    Builder(XMLStreamReader stream, String name) {
      this.stream = stream;
      this.name = name;
    }

    /** An element whose end has not been read. */
    private record Open(
        String name,
        Map<String, String> attributes,
        List<XmlNode> children,
        SourceLocation location) {}

    XmlDocument document() throws XMLStreamException {
      while (stream.hasNext()) {
        switch (stream.next()) {
          case XMLStreamConstants.START_ELEMENT -> open.push(start());
          case XMLStreamConstants.END_ELEMENT -> end();
          case XMLStreamConstants.COMMENT -> comment(new XmlComment(stream.getText()));
          case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text(stream.getText());
          case XMLStreamConstants.DTD ->
              throw new TopologyFormatException(
                  location(), "<!DOCTYPE>: expected no document type declaration");
          case XMLStreamConstants.ENTITY_REFERENCE ->
              throw new TopologyFormatException(
                  location(),
                  "&" + stream.getLocalName() + "; is not defined, expected no entities");
          default -> {}
        }
      }
      if (root == null) {
        throw new TopologyFormatException(name, "has no element");
      }
      return new XmlDocument(before, root, after);
    }

    private Open start() {
      Map<String, String> attributes = new LinkedHashMap<>();
      for (int i = 0; i < stream.getAttributeCount(); i++) {
        attributes.put(stream.getAttributeLocalName(i), stream.getAttributeValue(i));
      }
      return new Open(stream.getLocalName(), attributes, new ArrayList<>(), location());
    }

    private void end() {
      Open ended = open.pop();
      XmlElement element =
          new XmlElement(ended.name, ended.attributes, ended.children, ended.location);
      if (open.isEmpty()) {
        root = element;
      } else {
        open.peek().children.add(element);
      }
    }

    private void comment(XmlComment comment) {
      if (!open.isEmpty()) {
        open.peek().children.add(comment);
      } else if (root == null) {
        before.add(comment);
      } else {
        after.add(comment);
      }
    }

    private void text(String text) {
      if (!text.isBlank()) {
        String element = open.isEmpty() ? "file" : "<" + open.peek().name + ">";
        if (open.size() > 1) {
          element += " in a <" + open.getLast().name + ">";
        }
        throw new TopologyFormatException(
            location(), element + ": text '" + text.strip() + "' found, expected elements only");
      }
    }

    private SourceLocation location() {
      Location at = stream.getLocation();
      return new SourceLocation(name, at.getLineNumber(), at.getColumnNumber());
    }
  }

  /**
   * Limits beyond which a file is rejected: generous compared to NCCL's files (hundreds of
   * elements, ten levels), small enough to protect the process.
   *
   * @param bytes size of the file
   * @param depth levels of elements
   * @param elements number of elements
   * @param attributes attributes of one element
   * @param valueLength characters of one attribute value
   */
  record XmlLimits(long bytes, int depth, int elements, int attributes, int valueLength) {
    /** Limits above those of any file that NCCL writes. */
    public static final XmlLimits DEFAULT = new XmlLimits(16L << 20, 64, 100_000, 64, 4096);
  }
}
