package dev.topo.model.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.Diagnostic.SourceLocation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages about input: {@link TopologyFormatException} and {@link Diagnostics}. */
class TopologyFormatExceptionTest {
  private static final SourceLocation PLACE = new SourceLocation("a.xml", 3, 7);

  @Test
  void messageBeginsWithThePlace() {
    TopologyFormatException e = new TopologyFormatException(PLACE, "<gpu>: no sm");
    assertEquals("a.xml:3:7: <gpu>: no sm", e.getMessage());
    assertEquals(PLACE, e.location());
    assertEquals(
        "a.xml: is empty",
        new TopologyFormatException(SourceLocation.of("a.xml"), "is empty").getMessage());
  }

  @Test
  void messageIsOneLineWithoutControlCharacters() {
    assertEquals(
        "a.xml:3:7: a b c [31m",
        new TopologyFormatException(PLACE, "a\nb\tc\u001b[31m").getMessage());
  }

  @Test
  void longMessagesAreCutBetweenCharacters() {
    String message =
        String.valueOf(new TopologyFormatException(PLACE, "😀".repeat(1000)).getMessage());
    assertEquals("a.xml:3:7: " + "😀".repeat(400) + "…", message);
    String whole = "x".repeat(400);
    assertTrue(
        String.valueOf(new TopologyFormatException(PLACE, whole).getMessage()).endsWith("x"));
  }

  @Test
  void diagnosticsKeepTheirOrder() {
    Diagnostics diagnostics = new Diagnostics();
    diagnostics.warn("b", PLACE, "second");
    diagnostics.note("a", SourceLocation.of("a.xml"), "first");
    assertEquals(
        List.of(
            new Diagnostic("b", Severity.WARNING, PLACE, "second"),
            new Diagnostic("a", Severity.NOTE, SourceLocation.of("a.xml"), "first")),
        diagnostics.list());
    assertEquals("a.xml:3:7: second", diagnostics.list().get(0).toString());
  }
}
