package dev.topo.model.xml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class XmlWriterTest {
  private static XmlDocument read(String text) {
    return new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "a.xml");
  }

  private static String rewritten(String text) {
    return XmlWriter.write(read(text));
  }

  @Test
  void writesAsNcclDoes() {
    assertEquals(
        "<a x=\"1\" y=\"2\">\n  <b>\n    <c/>\n  </b>\n  <d/>\n</a>\n",
        rewritten("<?xml version='1.0'?>\t<a  x='1'\n y=\"2\"><b><c></c></b>\r\n<d /></a>"));
  }

  @Test
  void writesCommentsWhereTheyStood() {
    String text = "<!-- one -->\n<a>\n  <!--two-->\n  <b/>\n</a>\n<!--three-->\n";
    assertEquals(text, rewritten(text));
  }

  @Test
  void writesAnElementOnItsOwn() {
    assertEquals("<b/>\n", XmlWriter.write(read("<a><b/></a>").root().elements().get(0)));
  }

  @Test
  void escapesWhatXmlNeedsEscaped() {
    assertEquals(
        "<a x=\"&lt;>&amp;&quot;'é\"/>\n", rewritten("<a x=\"&lt;&gt;&amp;&quot;&apos;é\"/>"));
  }

  @Test
  void whatATerminalWouldObeyIsWrittenByNumber() {
    String text = "<a x=\"\u202e\u0085\u007f\u2028中\"/>";
    assertEquals("<a x=\"&#8238;&#133;&#127;&#8232;中\"/>\n", rewritten(text));
    assertEquals(read(text).root().attributes(), read(rewritten(text)).root().attributes());
  }

  @Test
  void whatXmlCannotHoldIsReplaced() {
    XmlElement element =
        new XmlElement(
            "a", Map.of("x", "\0\u001b\ud800\ufffe😀"), List.of(), SourceLocation.of("a.xml"));
    assertEquals("<a x=\"????😀\"/>\n", XmlWriter.write(element));
  }

  @Test
  void whatWasReadIsReadAgain() {
    String odd = "<a x=\"&#10;&#9;&#13; &amp;lt; &quot;\" y=\"\"><!--c--><b z=\"&#x1F600;\"/></a>";
    assertEquals(read(odd).root().attributes(), read(rewritten(odd)).root().attributes());
    assertEquals(rewritten(odd), rewritten(rewritten(odd)));
  }

  @ParameterizedTest
  @MethodSource("dev.topo.model.fixture.ShippedMachines#files")
  void shippedMachinesAreWrittenBackByteForByte(Path file) throws IOException {
    String text = Files.readString(file);
    assertFalse(text.isEmpty());
    assertEquals(text, rewritten(text));
  }
}
