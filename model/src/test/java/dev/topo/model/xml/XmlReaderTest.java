package dev.topo.model.xml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader.XmlLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlReaderTest {
  private static XmlDocument read(String text) {
    return new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "a.xml");
  }

  private static void assertRefused(XmlLimits limits, String text, String message) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    TopologyFormatException e =
        assertThrows(
            TopologyFormatException.class, () -> new XmlReader(limits).read(content, "a.xml"));
    assertTrue(String.valueOf(e.getMessage()).startsWith("a.xml"), e.getMessage());
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }

  private static void assertRefused(String text, String message) {
    assertRefused(XmlLimits.DEFAULT, text, message);
  }

  @Test
  void elementsKnowWhereTheyBegin() {
    XmlElement root = read("<a>\n  <b x=\"1\"\n     y=\"2\"/>\n  <c><d/></c>\n</a>\n").root();
    assertEquals(new SourceLocation("a.xml", 1, 1), root.location());
    assertEquals(new SourceLocation("a.xml", 2, 3), root.elements("b").get(0).location());
    XmlElement c = root.elements("c").get(0);
    assertEquals("a.xml:4:3", c.location().toString());
    assertEquals("a.xml:4:6", c.elements().get(0).location().toString());
  }

  @Test
  void attributesAndChildrenKeepTheirOrder() {
    XmlElement root = read("<a z=\"1\" b=\"2\" m=\"\"><y/><x/><y/></a>").root();
    assertEquals(List.of("z", "b", "m"), List.copyOf(root.attributes().keySet()));
    assertEquals(Optional.of(""), root.attribute("m"));
    assertEquals(Optional.empty(), root.attribute("q"));
    assertEquals(List.of("y", "x", "y"), root.elements().stream().map(XmlElement::name).toList());
    assertEquals(2, root.elements("y").size());
  }

  @Test
  void commentsAreKeptWhereTheyStand() {
    XmlDocument document = read("<!--1--><!-- 2 --><a><b/><!--3--><b/></a><!--4-->");
    assertEquals(List.of(new XmlComment("1"), new XmlComment(" 2 ")), document.before());
    assertEquals(new XmlComment("3"), document.root().children().get(1));
    assertEquals(3, document.root().children().size());
    assertEquals(List.of(new XmlComment("4")), document.after());
  }

  @Test
  void theFiveEntitiesOfXmlAndCharacterNumbersAreResolved() {
    assertEquals(
        Optional.of("<>&\"'Aé"),
        read("<a x=\"&lt;&gt;&amp;&quot;&apos;&#65;&#xe9;\"/>").root().attribute("x"));
  }

  @Test
  void otherEntitiesAreRefused() {
    assertRefused("<a x=\"&nbsp;\"/>", "not well-formed XML");
    assertRefused("<a>&nbsp;</a>", "a.xml:1:");
    assertRefused("<!DOCTYPE a>\n<a/>", "<!DOCTYPE>: expected no document type declaration");
  }

  @Test
  void anXmlDeclarationAndProcessingInstructionsDoNoHarm() {
    assertEquals("a", read("<?xml version=\"1.0\"?><?x y?><a/>").root().name());
  }

  @Test
  void namesWithColonsAreNames() {
    assertEquals("x:a", read("<x:a y:b=\"1\"/>").root().name());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a>",
        "<a></b>",
        "<a/><b/>",
        "<a x=\"1\" x=\"2\"/>",
        "<a x=1/>",
        "<a x=\"<\"/>",
        "a",
        "<a/>b"
      })
  void refusesWhatIsNotWellFormed(String text) {
    assertRefused(text, "a.xml:1:");
  }

  @Test
  void refusesTextBetweenElements() {
    assertRefused("<a><b/> NV18 </a>", "<a>: text 'NV18' found, expected elements only");
    assertRefused("<a><![CDATA[x]]></a>", "<a>: text 'x' found, expected elements only");
  }

  @Test
  void refusesWhatIsEmpty() {
    assertRefused("", "is empty, expected an XML file");
    assertRefused(" \r\n\t", "is empty, expected an XML file");
    assertRefused("<!-- only a comment -->", "a.xml");
  }

  @Test
  void everyLimitHolds() {
    XmlLimits limits = new XmlLimits(100, 3, 4, 2, 5);
    String atTheLimits = "<a x=\"12345\" y=\"\"><b><c/></b><d/></a>";
    assertEquals(
        "a",
        new XmlReader(limits)
            .read(atTheLimits.getBytes(StandardCharsets.UTF_8), "a.xml")
            .root()
            .name());
    assertRefused(limits, "<a>" + " ".repeat(100) + "</a>", "has more than 100 bytes");
    assertRefused(limits, "<a><b><c><d/></c></b></a>", "Maximum Element Depth limit (3)");
    assertRefused(limits, "<a><b/><b/><b/><b/></a>", "Maximum Element Count limit (4)");
    assertRefused(limits, "<a x=\"\" y=\"\" z=\"\"/>", "Attribute limit (2)");
    assertRefused(limits, "<a x=\"" + "1".repeat(50) + "\"/>", "Maximum attribute size limit (5)");
  }

  @Test
  void readsTextsAndFiles(@TempDir Path folder) throws IOException {
    byte[] content = "<a/>".getBytes(StandardCharsets.UTF_8);
    assertEquals("b.xml:1:1", new XmlReader().read(content, "b.xml").root().location().toString());
    Path file = Files.write(folder.resolve("c.xml"), content);
    assertEquals(
        file.toString(), new XmlReader().read(file, new Inputs()).root().location().file());
  }

  @Test
  void aReaderCanBeUsedAgainAfterAFailure() {
    XmlReader reader = new XmlReader();
    assertThrows(
        TopologyFormatException.class,
        () -> reader.read("<a>".getBytes(StandardCharsets.UTF_8), "a.xml"));
    assertEquals("b", reader.read("<b/>".getBytes(StandardCharsets.UTF_8), "b.xml").root().name());
  }

  @Test
  void bytesThatAreNoTextHaveTheirPlace() {
    byte[] content = "<a>\n<b x=\"?\"/>\n</a>".getBytes(StandardCharsets.UTF_8);
    content[10] = (byte) 0xff;
    assertEquals(
        "a.xml:2:7: not well-formed XML: Invalid UTF-8 start byte 0xff",
        assertThrows(TopologyFormatException.class, () -> new XmlReader().read(content, "a.xml"))
            .getMessage());
  }

  @Test
  void whatIsCompressedIsSaidToBe() {
    byte[] content = {0x1f, (byte) 0x8b, 8, 0};
    assertEquals(
        "a.xml: is compressed (gzip), expected an XML file",
        assertThrows(TopologyFormatException.class, () -> new XmlReader().read(content, "a.xml"))
            .getMessage());
  }
}
