package dev.topo.inspect.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.lint.NcclXmlReader.Limits;
import dev.topo.inspect.lint.NcclXmlReader.Reading;
import dev.topo.inspect.lint.ParseFailure.Kind;
import dev.topo.model.xml.Vocabulary;
import dev.topo.search.rules.NcclProfile;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The outcome of NCCL's reader; each case was given to the code of NCCL 2.28.9, too. */
class NcclXmlReaderTest {
  private static Reading read(String text) {
    return new NcclXmlReader(
            text.replace("\\n", "\n").replace("\\t", "\t").getBytes(StandardCharsets.UTF_8),
            Vocabulary.TOPOLOGY,
            Limits.of(NcclProfile.DEFAULT))
        .read();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | 0",
        "` \\n<!-- nothing -->` | 0",
        "<system version=\"1\"/> | 1",
        "<system version='1' /> | 1",
        "<system  version=\"1\"></system> | 1",
        "<system version=\"1\"><cpu/></system> | 2",
        "<system version=\"1\"><foo><bar/></baz></system> | 1",
        "<system version=\"1\"><gpu><nvlink/></gpu></system> | 1",
        "<system version=\"1\"><!----><cpu/></system> | 2",
        "<system version=\"1\"><cpu a=\"b>c\"/></system> | 2",
        "<system version =\"1\"/> | 1",
        "<graphs version=\"1\"/> | 0"
      })
  void accepts(String text, int elements) {
    Reading reading = read(text);
    assertTrue(reading.refusal().isEmpty(), reading.toString());
    assertEquals(elements, reading.elements());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "x | NO_ELEMENT | 0",
        "\\t<system/> | NO_ELEMENT | 0",
        "<system version=\"1\">\\t</system> | NO_ELEMENT | 20",
        "<?xml version=\"1.0\"?> | MARKUP | 0",
        "<!DOCTYPE system><system/> | MARKUP | 0",
        "<system version=\"1\"\\n name=\"x\"/> | BAD_TAG | 19",
        "<system version=\"1\"name=\"x\"/> | BAD_TAG | 19",
        "<system version=1/> | NO_QUOTE | 16",
        "<system\\tversion=\"1\"/> | VALUE_IN_NAME | 1",
        "<!--a=b--> | VALUE_IN_NAME | 1",
        "<system version=\"1\"></system > | BAD_TAG_END | 28",
        "<system version=\"1\"/ > | BAD_TAG_END | 20",
        "<system version=\"1\"></cpu> | WRONG_CLOSING_TAG | 20",
        "<system version=\"1\"> | END_OF_TEXT | 20",
        "<system version=\"1 | END_OF_TEXT | 18",
        "<!-- | END_OF_TEXT | 4",
        "</system> | WRONG_CLOSING_TAG | 0"
      })
  void refuses(String text, Kind kind, int position) {
    ParseFailure refusal = read(text).refusal().orElseThrow();
    assertEquals(kind, refusal.kind());
    assertEquals(position, refusal.position());
  }

  @Test
  void namesAndValuesHaveRoomForTwoHundredAndFiftyThreeBytes() {
    assertTrue(read("<system a=\"" + "x".repeat(253) + "\"/>").refusal().isEmpty());
    assertEquals(
        Kind.TOO_LONG,
        read("<system a=\"" + "x".repeat(254) + "\"/>").refusal().orElseThrow().kind());
  }

  @Test
  void oneOfTwoHundredAndFiftySixElementsStaysFree() {
    assertEquals(255, read(cpus(2, 126)).elements());
    assertTrue(read(cpus(2, 126)).refusal().isEmpty());
    assertEquals(Kind.TOO_MANY_ELEMENTS, read(cpus(3, 85)).refusal().orElseThrow().kind());
    assertEquals(Kind.TOO_MANY_CHILDREN, read(cpus(1, 129)).refusal().orElseThrow().kind());
  }

  /** A system with so many cpus, each with so many pcis. */
  private static String cpus(int cpus, int pcis) {
    return "<system version=\"1\">"
        + ("<cpu>" + "<pci/>".repeat(pcis) + "</cpu>").repeat(cpus)
        + "</system>";
  }

  @Test
  void attributesBehindTheSixteenthAreDropped() {
    LintElement system = read("<system version=\"1\"" + " a=\"1\"".repeat(16) + "/>").top().get(0);
    assertEquals(17, system.attributes().size());
    assertEquals(16, system.attributes().stream().filter(LintAttribute::kept).count());
  }

  @Test
  void ofTwoAttributesWithOneNameTheFirstCounts() {
    LintElement system = read("<system version=\"1\" version=\"2\"/>").top().get(0);
    assertEquals(1, system.number("version", 0));
  }
}
