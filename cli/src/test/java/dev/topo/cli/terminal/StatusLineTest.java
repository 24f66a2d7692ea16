package dev.topo.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StatusLineTest {
  private final Screen screen = new Screen();
  private final StatusLine line = new StatusLine(screen);
  private final PrintStream messages =
      new PrintStream(line.guard(screen), true, StandardCharsets.UTF_8);

  @Test
  void isWrittenAnewInPlaceAndWiped() {
    line.show("topo diff: file 99 of 100", ", 1 s");
    assertEquals("topo diff: file 99 of 100, 1 s", screen.text());
    line.show("topo diff", ", 2 s");
    assertEquals("topo diff, 2 s", screen.text());
    line.erase();
    assertEquals("", screen.text());
    assertEquals(0, screen.column());
  }

  @Test
  void writesNothingWhereNothingIsNew() {
    line.show("topo diff", ", 1 s");
    int length = screen.written().length();
    line.show("topo diff", ", 1 s");
    assertEquals(length, screen.written().length());
    line.erase();
    length = screen.written().length();
    line.erase();
    assertEquals(length, screen.written().length());
  }

  @Test
  void goesBeforeAMessageComesAndComesBackBelow() {
    line.show("topo run", ", 1 s");
    messages.print("topo: warning: odd\n");
    assertEquals("topo: warning: odd\n", screen.text());
    line.show("topo run", ", 2 s");
    assertEquals("topo: warning: odd\ntopo run, 2 s", screen.text());
    messages.print('x');
    messages.print("\n");
    assertEquals("topo: warning: odd\nx\n", screen.text());
  }

  @Test
  void staysAwayWhileALineIsUnfinished() {
    messages.print("half of a line ");
    line.show("topo run", ", 1 s");
    assertEquals("half of a line", screen.text());
    messages.print("and the rest\n");
    line.show("topo run", ", 1 s");
    assertEquals("half of a line and the rest\ntopo run, 1 s", screen.text());
  }

  @Test
  void cutsWhatWouldWrapButNotItsEnd() {
    line.show("x".repeat(200), ", 1 s");
    assertEquals("x".repeat(71) + "..., 1 s", screen.text());
    assertEquals(79, screen.column());
  }

  @Test
  void hasNeitherColoursNorLettersThatAreNotOneColumnWide() {
    line.show("file \u001b[2J\u6f22\u00fc\n", ", 1 s");
    assertEquals("file ?[2J???, 1 s", screen.text());
  }

  @Test
  void endsWhenAProgramThatReadsStdoutHasSomethingToRead() throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    OutputStream out = line.closedBy(read);
    line.show("topo run", ", 1 s");
    out.write("row\n".getBytes(StandardCharsets.UTF_8));
    out.write('\n');
    assertEquals("", screen.text());
    assertEquals("row\n\n", read.toString(StandardCharsets.UTF_8));
    line.show("topo run", ", 2 s");
    assertEquals("", screen.text());
  }

  @Test
  void aTerminalThatIsGoneStopsNobody() {
    StatusLine lost =
        new StatusLine(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("gone");
              }
            });
    lost.show("topo run", ", 1 s");
    lost.show("topo run", ", 2 s");
    lost.close();
    assertTrue(screen.written().isEmpty());
    assertFalse(messages.checkError());
  }
}
