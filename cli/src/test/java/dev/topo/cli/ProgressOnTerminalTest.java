package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.NotRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
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

  @TempDir private Path folder;
  private Path held;

  @BeforeEach
  void holdBack() throws IOException, InterruptedException {
    held = folder.resolve("machine.xml");
    NotRun.unless(has("mkfifo", "--version"), "progress of a command (no mkfifo)");
    assertEquals(0, new ProcessBuilder("mkfifo", held.toString()).start().waitFor());
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

  private Path out() {
    return folder.resolve("out.txt");
  }

  private String lint() {
    return String.format(
        LINT,
        Path.of(System.getProperty("java.home"), "bin", "java"),
        System.getProperty("java.class.path"),
        held,
        out());
  }

  private static Process start(String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("TERM", "xterm");
    return builder.start();
  }

  private void letGo() throws IOException {
    Files.write(held, Files.readAllBytes(MACHINE));
  }

  private void hasAnswered(Process process) throws IOException, InterruptedException {
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    assertEquals(0, process.exitValue());
    String expected = CliRun.of("lint", MACHINE.toString()).out();
    assertEquals(expected.replace(MACHINE.toString(), held.toString()), Files.readString(out()));
  }

  @Test
  void aPersonSeesALineThatIsGoneInTheEnd() throws IOException, InterruptedException {
    NotRun.unless(has("script", "--version"), "progress at a terminal (no script of util-linux)");
    Process process = start("script", "-qefc", lint(), "/dev/null");
    StringBuilder seen = new StringBuilder();
    InputStream terminal = process.getInputStream();
    int letter = terminal.read();
    while (letter >= 0) {
      seen.append((char) letter);
      if (seen.toString().endsWith("topo lint: 1 s")) {
        letGo();
      }
      letter = terminal.read();
    }
    hasAnswered(process);
    assertTrue(seen.toString().startsWith("\rtopo lint: 1 s"), seen.toString());
    String last = seen.substring(seen.lastIndexOf("topo lint"));
    assertTrue(last.endsWith("\r" + " ".repeat("topo lint: 1 s".length()) + "\r"), last);
  }

  @Test
  void aPipeGetsNothing() throws IOException, InterruptedException {
    Process process = start("sh", "-c", lint());
    assertFalse(process.waitFor(2, TimeUnit.SECONDS), "waits for the file");
    letGo();
    String errors = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    hasAnswered(process);
    assertEquals("", errors);
  }
}
