package dev.topo.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Whether the streams of this process are connected to a terminal.
 *
 * <p>{@link System#console()} is not sufficient: up to Java 21 it requires both input and output to
 * be a terminal, from Java 22 on it exists without one, and it does not cover stderr. {@code
 * isatty} needs native code. Linux keeps a link for each open stream, which names its device;
 * without such a link, no terminal is assumed.
 */
public final class Terminal {
  /** Names of terminals: pseudo terminals, virtual and serial ones, the console of a machine. */
  private static final String DEVICE = "/dev/(pts/|tty|console|hvc).*";

  /** Fields of {@code /proc/self/stat} after the name of the program (proc(5)). */
  private static final int GROUP_FIELD = 2;

  private static final int FOREGROUND_FIELD = 5;

  private static final int NARROWEST = 40;

  /** Longer lines of text are hard to read. */
  private static final int WIDEST = 120;

  private final Path process;
  private final Map<String, String> environment;

  Terminal(Path process, Map<String, String> environment) {
    this.process = process;
    this.environment = environment;
  }

  /**
   * The terminal of this process.
   *
   * @param environment its variables, for TERM and NO_COLOR
   */
  public static Terminal ofProcess(Map<String, String> environment) {
    return new Terminal(Path.of("/proc/self"), environment);
  }

  /** Whether stdout is a terminal. */
  public boolean isOut() {
    return link(1).matches(DEVICE);
  }

  /** Whether another program reads stdout, which may write to the same terminal. */
  public boolean isOutRead() {
    return link(1).matches("(pipe|socket):.*");
  }

  /** Whether stderr is a terminal where a line can be written anew. */
  public boolean canRewrite() {
    return link(2).matches(DEVICE) && !isDumb();
  }

  /**
   * Characters in a line of stdout: COLUMNS, or what {@code stty size} prints of the terminal.
   *
   * @param otherwise where stdout is no terminal or does not tell
   */
  public int columns(int otherwise) {
    String columns = environment.getOrDefault("COLUMNS", "");
    if (columns.isEmpty() && isOut() && !isDumb()) {
      columns = size().replaceFirst("^[0-9]+ ", "");
    }
    return columns.matches("[0-9]{2,4}")
        ? Math.max(NARROWEST, Math.min(WIDEST, Integer.parseInt(columns)))
        : otherwise;
  }

  /** Characters in a line of the terminal that shows stdout; empty if none does. */
  OptionalInt shownColumns() {
    int columns = isOut() ? columns(0) : 0;
    return columns == 0 ? OptionalInt.empty() : OptionalInt.of(columns);
  }

  /** Lines and columns of the controlling terminal; empty if they cannot be had. */
  private static String size() {
    try {
      Process process =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String size = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      process.waitFor();
      return size.strip();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** Whether stdout takes colours, and the user has not asked for none (no-color.org). */
  public boolean isColoured() {
    return isOut() && !isDumb() && environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  /** Whether the shell has not sent this process to the background, where it should keep still. */
  public boolean isForeground() {
    String stat;
    try {
      stat = Files.readString(process.resolve("stat"));
    } catch (IOException e) {
      return true;
    }
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    if (fields.length <= FOREGROUND_FIELD) {
      return true;
    }
    String foreground = fields[FOREGROUND_FIELD];
    return foreground.equals("-1") || foreground.equals(fields[GROUP_FIELD]);
  }

  private boolean isDumb() {
    return environment.getOrDefault("TERM", "dumb").equals("dumb");
  }

  private String link(int stream) {
    try {
      return Files.readSymbolicLink(process.resolve("fd").resolve(String.valueOf(stream)))
          .toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }
}
