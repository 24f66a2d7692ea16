package dev.topo.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.terminal.Streams.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {
  private static final Map<String, String> XTERM = Map.of("TERM", "xterm-256color");

  @TempDir private Path process;

  @BeforeEach
  void open() throws IOException {
    Files.createDirectory(process.resolve("fd"));
  }

  private void connect(int stream, String device) throws IOException {
    Files.createSymbolicLink(process.resolve("fd").resolve("" + stream), Path.of(device));
  }

  /** JUnit warns of links that lead out of its folder. */
  @AfterEach
  void close() throws IOException {
    for (String stream : List.of("1", "2")) {
      Files.deleteIfExists(process.resolve("fd").resolve(stream));
    }
  }

  private Terminal terminal(Map<String, String> environment) {
    return new Terminal(process, environment);
  }

  @ParameterizedTest
  @CsvSource({"'', 80", "100, 100", "20, 40", "300, 120", "wide, 80", "-5, 80"})
  void aLineIsAsLongAsTheEnvironmentStatesWithinReason(String columns, int expected)
      throws IOException {
    connect(1, "pipe:[1]");
    assertEquals(expected, terminal(Map.of("COLUMNS", columns)).columns(80));
  }

  @ParameterizedTest
  @CsvSource({
    "/dev/pts/0, true",
    "/dev/tty1, true",
    "/dev/ttyS0, true",
    "/dev/console, true",
    "/dev/hvc0, true",
    "pipe:[12345], false",
    "socket:[9], false",
    "/dev/null, false",
    "/tmp/dev/pts/0, false",
    "/tmp/errors.txt, false"
  })
  void aTerminalIsToldByItsDevice(String device, boolean isTerminal) throws IOException {
    connect(2, device);
    assertEquals(isTerminal, terminal(XTERM).canRewrite());
    assertFalse(terminal(XTERM).isOut());
  }

  @Test
  void eachStreamHasItsOwn() throws IOException {
    connect(1, "pipe:[1]");
    connect(2, "/dev/pts/3");
    Terminal terminal = terminal(XTERM);
    assertTrue(terminal.canRewrite());
    assertTrue(terminal.isOutRead());
    assertFalse(terminal.isColoured());
  }

  @Test
  void aDumbTerminalIsNeitherRewrittenNorColoured() throws IOException {
    connect(1, "/dev/pts/3");
    connect(2, "/dev/pts/3");
    for (Map<String, String> dumb : List.of(Map.of("TERM", "dumb"), Map.<String, String>of())) {
      assertFalse(terminal(dumb).canRewrite());
      assertFalse(terminal(dumb).isColoured());
    }
  }

  @Test
  void whoWantsNoColoursGetsALineWithoutThem() throws IOException {
    connect(1, "/dev/pts/3");
    connect(2, "/dev/pts/3");
    assertTrue(terminal(XTERM).isColoured());
    Terminal plain = terminal(Map.of("TERM", "xterm", "NO_COLOR", "1"));
    assertFalse(plain.isColoured());
    assertTrue(plain.canRewrite());
    assertTrue(terminal(Map.of("TERM", "xterm", "NO_COLOR", "")).isColoured());
  }

  @Test
  void withoutLinksNobodyLooks() {
    assertFalse(terminal(XTERM).canRewrite());
    assertFalse(terminal(XTERM).isOutRead());
    assertTrue(terminal(XTERM).isForeground());
  }

  @ParameterizedTest
  @CsvSource({
    "1 (java) S 1 20 20 34816 20 4194304 0, true",
    "1 (a (b) c) S 1 20 20 34816 20 4194304 0, true",
    "1 (java) S 1 20 10 34816 10 4194304 0, false",
    "1 (java) S 1 20 10 0 -1 4194304 0, true",
    "1 (java) S, true"
  })
  void theBackgroundIsToldByTheGroupOfTheTerminal(String stat, boolean isForeground)
      throws IOException {
    Files.writeString(process.resolve("stat"), stat + "\n");
    assertEquals(isForeground, terminal(XTERM).isForeground());
  }
}
