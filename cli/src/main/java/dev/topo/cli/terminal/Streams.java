package dev.topo.cli.terminal;

import dev.topo.model.io.FileFault;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.PlainText;
import dev.topo.visualizer.view.Answer;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Where data and messages go. Both are UTF-8, whatever the locale, so that the same question gives
 * the same bytes.
 *
 * @param out data
 * @param err messages
 * @param progress how far long work is, for a person at a terminal
 * @param columns characters of a line of the terminal that shows the data; empty if none does, or
 *     it does not tell
 */
public record Streams(PrintStream out, PrintStream err, Progress progress, OptionalInt columns) {
  /** The file that the argument {@code -} denotes. */
  static final Path STANDARD_INPUT = Path.of("/dev/stdin");

  /** Streams without a terminal. */
  public Streams(PrintStream out, PrintStream err) {
    this(out, err, Progress.NONE);
  }

  /** Streams of which no terminal shows the data. */
  public Streams(PrintStream out, PrintStream err, Progress progress) {
    this(out, err, progress, OptionalInt.empty());
  }

  /** The file that a word of the command line names: {@code -} is standard input. */
  public static Path file(String word) {
    return word.equals("-") ? STANDARD_INPUT : Path.of(word);
  }

  /** True if a file is standard input. */
  public static boolean isStandardInput(Path file) {
    return file.equals(STANDARD_INPUT);
  }

  /**
   * Standard output and standard error of the process.
   *
   * @param environment its variables
   */
  public static Streams ofProcess(Map<String, String> environment) {
    OutputStream out = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    OutputStream err = new FileOutputStream(FileDescriptor.err);
    Terminal terminal = Terminal.ofProcess(environment);
    OptionalInt columns = terminal.shownColumns();
    if (!terminal.canRewrite()) {
      return new Streams(buffered(out), buffered(err), Progress.NONE, columns);
    }
    StatusLine line = new StatusLine(err);
    // Who ends the command with Ctrl-C finds the prompt on an empty line.
    Runtime.getRuntime().addShutdownHook(new Thread(line::close, "end of progress"));
    if (terminal.isOut()) {
      out = line.guard(out);
    } else if (terminal.isOutRead()) {
      out = line.closedBy(out);
    }
    return new Streams(
        buffered(out), buffered(line.guard(err)), Progress.on(line, terminal), columns);
  }

  private static PrintStream buffered(OutputStream stream) {
    return new PrintStream(new BufferedOutputStream(stream), false, StandardCharsets.UTF_8);
  }

  /** Prints a message of one line on stderr, after the name of the command. */
  public void message(@Nullable String text) {
    err.print("topo: " + PlainText.oneLine(String.valueOf(text)) + "\n");
    err.flush();
  }

  /** Prints a line of another program on stderr; any thread may. */
  public void log(String line) {
    synchronized (this) {
      err.print(PlainText.oneLine(line) + "\n");
      err.flush();
    }
  }

  /** An answer as stdout shows it. */
  Answer fitted(Answer answer) {
    return columns.isPresent() ? answer.fitting(columns.getAsInt()) : answer;
  }

  /** Prints lines on stdout. */
  public void print(String lines) {
    out.print(PlainText.lines(lines));
    out.flush();
  }

  /** Writes out what is buffered. */
  public void flush() {
    out.flush();
    err.flush();
  }

  /**
   * Standard output that does not lose anything silently: a {@link java.io.PrintStream} swallows
   * every {@link IOException}, so that a full disk would look like success. A reader that has seen
   * enough, such as {@code head}, is no fault.
   */
  static final class StandardOutput extends FilterOutputStream {
    private boolean failed;

    StandardOutput(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    /**
     * Writes bytes, or does nothing once that has failed: what is buffered still comes here at the
     * end.
     *
     * @throws OutputException if they cannot be written
     * @throws IOException if nobody reads them any more
     */
    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (failed) {
        return;
      }
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        failed = true;
        String words = FileFault.text(e);
        if (words.toLowerCase(Locale.ROOT).contains("broken pipe")) {
          throw e;
        }
        throw new OutputException("cannot write to standard output: " + words, e);
      }
    }
  }

  /**
   * The terminal that the streams of this process may be connected to.
   *
   * <p>{@link System#console()} is not sufficient: up to Java 21 it requires both input and output
   * to be a terminal, from Java 22 on it exists without one, and it does not cover stderr. {@code
   * isatty} needs native code. Linux keeps a link for each open stream, which names its device;
   * without such a link, no terminal is assumed.
   */
  public static final class Terminal {
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

    /** True if stdout is a terminal. */
    public boolean isOut() {
      return link(1).matches(DEVICE);
    }

    /** True if another program reads stdout, which may write to the same terminal. */
    public boolean isOutRead() {
      return link(1).matches("(pipe|socket):.*");
    }

    /** True if stderr is a terminal where a line can be written anew. */
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
        String size =
            new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        process.waitFor();
        return size.strip();
      } catch (IOException e) {
        return "";
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return "";
      }
    }

    /** True if stdout takes colours, and the user has not asked for none (no-color.org). */
    public boolean isColoured() {
      return isOut() && !isDumb() && environment.getOrDefault("NO_COLOR", "").isEmpty();
    }

    /**
     * True if the shell has not sent this process to the background, where it should keep still.
     */
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
}
