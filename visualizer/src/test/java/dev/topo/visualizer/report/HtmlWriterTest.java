package dev.topo.visualizer.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.visualizer.view.DataTable;
import dev.topo.visualizer.view.Element;
import dev.topo.visualizer.view.Markup;
import org.junit.jupiter.api.Test;

/** That a page is written as it is meant, whatever stands in it. */
class HtmlWriterTest {
  @Test
  void textAndAttributesAreEscaped() {
    assertEquals(
        "<b title=\"&quot;&gt;&lt;i&gt;\">a &lt;b&gt; &amp;amp; c</b>",
        HtmlWriter.fragment(Element.of("b", "a <b> &amp; c").with("title", "\"><i>")));
  }

  @Test
  void whatHtmlCannotHoldBecomesAQuestionMark() {
    assertEquals("<b>?a?😀?</b>", HtmlWriter.fragment(Element.of("b", "\u0000a\ud800😀\uffff")));
  }

  @Test
  void writtenMarkupStaysAsItIs() {
    assertEquals(
        "<div><svg/></div>\n", HtmlWriter.fragment(Element.of("div", Markup.written("<svg/>"))));
  }

  @Test
  void voidElementsHaveNoEnd() {
    assertEquals(
        "<meta charset=\"utf-8\">\n",
        HtmlWriter.fragment(Element.of("meta").with("charset", "utf-8")));
    assertThrows(
        IllegalArgumentException.class, () -> HtmlWriter.fragment(Element.of("meta", "x")));
  }

  @Test
  void attributesWithoutAValueAreTheirName() {
    assertEquals("<b hidden></b>", HtmlWriter.fragment(Element.of("b").with("hidden")));
  }

  @Test
  void namesAreNames() {
    assertThrows(IllegalArgumentException.class, () -> Element.of("b onclick=x"));
    assertThrows(IllegalArgumentException.class, () -> Element.of("b").with("onclick", "x"));
    assertThrows(IllegalArgumentException.class, () -> Element.of("b").with("oNclick", "x"));
    assertThrows(IllegalArgumentException.class, () -> Element.of("b").with("a b", "x"));
  }

  @Test
  void tablesSayWhatTheyAreSortedBy() {
    DataTable table = new DataTable("Sizes").texts("name").numbers("size");
    table.row("one", DataTable.number("1 MiB", 1 << 20));
    String html = HtmlWriter.fragment(table.element());
    assertEquals(
        "<tr><td>one</td><td data-sort=\"1048576\" class=\"num\">1 MiB</td></tr>",
        html.lines()
            .filter(line -> line.contains("1 MiB"))
            .findFirst()
            .orElse("")
            .strip()
            .replaceFirst("^.*<tr>", "<tr>"));
    assertThrows(IllegalArgumentException.class, () -> table.row("one"));
  }
}
