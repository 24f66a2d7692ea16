package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.fixture.NotRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command as a process, at a terminal that {@code script} of util-linux makes, and in a pipe.
 * It works as long as the test wants: it reads a file that the test holds back.
 */
@Tag("slow")
class ProgressOnTerminalTest {
  private static final Path MACHINE =
      Path.of(System.getProperty("topo.root"), "topologies", "dgx-h100.xml");
  private static final String LINT =
      "'%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '%s' dev.topo.cli.Main lint '%s' 1>'%s'";

  private static final Pattern PROGRESS = Pattern.compile("topo lint: (\\d+) s");

  @TempDir private Path folder;

  private Path holdBack(String name) throws IOException, InterruptedException {
    NotRun.unless(has("mkfifo", "--version"), "progress of a command (no mkfifo)");
    NotRun.unless(has("script", "--version"), "progress at a terminal (no script of util-linux)");
    Path held = folder.resolve(name);
    assertEquals(0, new ProcessBuilder("mkfifo", held.toString()).start().waitFor());
    return held;
  }

  private static boolean has(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private Path out(Path held) {
    return folder.resolve(held.getFileName() + ".txt");
  }

  private String lint(Path held) {
    return String.format(
        LINT,
        Path.of(System.getProperty("java.home"), "bin", "java"),
        System.getProperty("java.class.path"),
        held,
        out(held));
  }

  private static Process start(String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("TERM", "xterm");
    return builder.start();
  }

  private static Process startAtTerminal(String command) throws IOException {
    return start("script", "-qefc", command, "/dev/null");
  }

  private static void letGo(Path held) throws IOException {
    Files.write(held, Files.readAllBytes(MACHINE));
  }

  private void hasAnswered(Process process, Path held) throws IOException, InterruptedException {
    assertEquals(0, process.waitFor());
    String expected = CliRun.of("lint", MACHINE.toString()).out();
    assertEquals(
        expected.replace(MACHINE.toString(), held.toString()), Files.readString(out(held)));
  }

  /** Reads until progress has been shown for so many seconds. */
  private static String readUntil(int seconds, InputStream terminal) throws IOException {
    StringBuilder seen = new StringBuilder();
    int letter = terminal.read();
    while (letter >= 0) {
      seen.append((char) letter);
      Matcher shown = PROGRESS.matcher(seen);
      if (letter == 's' && shown.results().anyMatch(one -> at(one) >= seconds)) {
        return seen.toString();
      }
      letter = terminal.read();
    }
    return fail("no progress: " + seen);
  }

  private static int at(MatchResult progress) {
    return Integer.parseInt(progress.group(1));
  }

  private static String rest(InputStream stream) throws IOException {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void aPersonSeesALineThatIsGoneInTheEnd() throws IOException, InterruptedException {
    Path held = holdBack("machine.xml");
    Process process = startAtTerminal(lint(held));
    String seen = readUntil(1, process.getInputStream());
    letGo(held);
    seen += rest(process.getInputStream());
    hasAnswered(process, held);
    assertTrue(seen.startsWith("\rtopo lint: "), seen);
    String last = seen.substring(seen.lastIndexOf("topo lint"));
    String shown = PROGRESS.matcher(last).results().findFirst().orElseThrow().group();
    assertEquals(shown + "\r" + " ".repeat(shown.length()) + "\r", last);
  }

  /** It has worked for as long as another one that shows progress, which began after it. */
  @Test
  void aPipeGetsNothing() throws IOException, InterruptedException {
    Path held = holdBack("machine.xml");
    Path other = holdBack("other.xml");
    Process process = start("sh", "-c", lint(held));
    Process terminal = startAtTerminal(lint(other));
    readUntil(2, terminal.getInputStream());
    letGo(held);
    assertEquals("", rest(process.getInputStream()));
    hasAnswered(process, held);
    letGo(other);
    rest(terminal.getInputStream());
    hasAnswered(terminal, other);
  }
}
