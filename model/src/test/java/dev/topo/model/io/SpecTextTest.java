package dev.topo.model.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.job.SpecException;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Texts that name what a question states. */
class SpecTextTest {
  private static String option(SpecField field) {
    return "--" + field.name().toLowerCase(Locale.ROOT);
  }

  @Test
  void namesFieldsByLabelsOrByTheNamesOfTheReader() {
    SpecText inner = SpecText.of("see %s", SpecField.NVLINK_DOMAIN);
    SpecText text = SpecText.of("%s %d: %s", SpecField.NODES, 0, inner);
    assertEquals("nodes 0: see NVLink domain", text.toString());
    assertEquals("--nodes 0: see --nvlink_domain", text.with(SpecTextTest::option));
    assertEquals("nodes 7: see NVLink domain", text.replacing(0, 7).toString());
  }

  @Test
  void errorsBeginWithTheFieldUnlessTheyAreWorded() {
    SpecException wrong = new SpecException(SpecField.SIZES, " %s: expected %s", "x", "1M");
    assertEquals("sizes x: expected 1M", wrong.getMessage());
    assertEquals("--sizes x: expected 1M", wrong.text().with(SpecTextTest::option));
    assertEquals(" x: expected 1M", wrong.problem().toString());
    SpecException worded =
        SpecException.worded(SpecField.SIZES, SpecText.of("expected more %s", SpecField.SIZES));
    assertEquals("expected more sizes", worded.getMessage());
    assertEquals("expected more --sizes", worded.text().with(SpecTextTest::option));
  }

  @Test
  void errorsInFilesKeepTheFieldsAtAnotherPlace() {
    SourceLocation first = SourceLocation.of("a.txt");
    TopologyFormatException fault =
        new TopologyFormatException(first, SpecText.of("needs %s", SpecField.TOPOLOGY));
    assertEquals("a.txt: needs topology", fault.getMessage());
    assertEquals("a.txt: needs --topology", fault.message(SpecTextTest::option));
    assertEquals(
        "b.txt: since then a.txt: needs --topology",
        fault.madeAt(SourceLocation.of("b.txt")).message(SpecTextTest::option));
  }
}
