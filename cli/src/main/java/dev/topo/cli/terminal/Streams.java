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
 * The streams for data and messages. Both are UTF-8, whatever the locale, so that the same question
 * gives the same bytes.
 *
 * @param out stream for data
 * @param err stream for messages
 * @param progress progress of long work, for a person at a terminal
 * @param columns number of characters in a line of the terminal that shows the data; empty if there
 *     is none, or its width is unknown
 */
public record Streams(PrintStream out, PrintStream err, Progress progress, OptionalInt columns) {
  /** The file for the argument {@code -}. */
  static final Path STANDARD_INPUT = Path.of("/dev/stdin");

  /** Creates streams without a terminal. */
  public Streams(PrintStream out, PrintStream err) {
    this(out, err, Progress.NONE);
  }

  /** Creates streams whose data is not shown on a terminal. */
  public Streams(PrintStream out, PrintStream err, Progress progress) {
    this(out, err, progress, OptionalInt.empty());
  }

  /** The file that an argument names; {@code -} is standard input. */
  public static Path file(String word) {
    return word.equals("-") ? STANDARD_INPUT : Path.of(word);
  }

  /** True if a file is standard input. */
  public static boolean isStandardInput(Path file) {
    return file.equals(STANDARD_INPUT);
  }

  /**
   * The standard output and standard error of this process.
   *
   * @param environment environment variables of the process
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
    // After Ctrl-C, the prompt of the shell appears on an empty line.
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

  /** Prints a message on stderr as one line that begins with the name of the command. */
  public void message(@Nullable String text) {
    err.print("topo: " + PlainText.oneLine(String.valueOf(text)) + "\n");
    err.flush();
  }

  /** Prints a line of another program on stderr. Any thread may call this. */
  public void log(String line) {
    synchronized (this) {
      err.print(PlainText.oneLine(line) + "\n");
      err.flush();
    }
  }

  /** Fits an answer to the width of the terminal on stdout, if there is one. */
  Answer fitted(Answer answer) {
    return columns.isPresent() ? answer.fitting(columns.getAsInt()) : answer;
  }

  /** Prints lines on stdout. */
  public void print(String lines) {
    out.print(PlainText.lines(lines));
    out.flush();
  }

  /** Flushes both streams. */
  public void flush() {
    out.flush();
    err.flush();
  }

  /**
   * Standard output that does not lose data silently. A {@link java.io.PrintStream} swallows every
   * {@link IOException}, so a full disk would look like success. A reader that stops early, such as
   * {@code head}, is not an error.
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
     * Writes bytes. Does nothing after a failure, because buffered data still arrives here at the
     * end.
     *
     * @throws OutputException if the bytes cannot be written
     * @throws IOException if the reader has closed the pipe
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
        String reason = FileFault.text(e);
        if (reason.toLowerCase(Locale.ROOT).contains("broken pipe")) {
          throw e;
        }
        throw new OutputException("cannot write to standard output: " + reason, e);
      }
    }
  }

  /**
   * The terminal of the streams of this process, if there is one.
   *
   * <p>{@link System#console()} is not sufficient: up to Java 21 it requires both input and output
   * to be a terminal, from Java 22 on it exists without one, and it does not cover stderr. {@code
   * isatty} needs native code. Linux has a link for each open stream that names its device; without
   * such a link, no terminal is assumed.
   */
  public static final class Terminal {
    /** Device names of terminals: pseudo terminals, virtual and serial ones, system consoles. */
    private static final String TERMINAL_DEVICE = "/dev/(pts/|tty|console|hvc).*";

    /**
     * Indices of fields in {@code /proc/self/stat}, counted from the field after the program name
     * (proc(5)).
     */
    private static final int PROCESS_GROUP_FIELD = 2;

    private static final int FOREGROUND_GROUP_FIELD = 5;

    private static final int MIN_COLUMNS = 40;

    /** Longer lines are hard to read. */
    private static final int MAX_COLUMNS = 120;

    private final Path process;
    private final Map<String, String> environment;

    Terminal(Path process, Map<String, String> environment) {
      this.process = process;
      this.environment = environment;
    }

    /**
     * The terminal of this process.
     *
     * @param environment environment variables of the process; TERM, NO_COLOR and COLUMNS are used
     */
    public static Terminal ofProcess(Map<String, String> environment) {
      return new Terminal(Path.of("/proc/self"), environment);
    }

    /** True if stdout is a terminal. */
    public boolean isOut() {
      return link(1).matches(TERMINAL_DEVICE);
    }

    /** True if another program reads stdout; it may write to the same terminal. */
    public boolean isOutRead() {
      return link(1).matches("(pipe|socket):.*");
    }

    /** True if stderr is a terminal on which a line can be rewritten. */
    public boolean canRewrite() {
      return link(2).matches(TERMINAL_DEVICE) && !isDumb();
    }

    /**
     * Number of characters in a line of stdout, from COLUMNS or else from {@code stty size},
     * limited to a readable range.
     *
     * @param otherwise the number if stdout is not a terminal or its width is unknown
     */
    public int columns(int otherwise) {
      String columns = environment.getOrDefault("COLUMNS", "");
      if (columns.isEmpty() && isOut() && !isDumb()) {
        columns = size().replaceFirst("^[0-9]+ ", "");
      }
      return columns.matches("[0-9]{2,4}")
          ? Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, Integer.parseInt(columns)))
          : otherwise;
    }

    /**
     * Number of characters in a line of the terminal on stdout; empty if there is none, or its
     * width is unknown.
     */
    OptionalInt shownColumns() {
      int columns = isOut() ? columns(0) : 0;
      return columns == 0 ? OptionalInt.empty() : OptionalInt.of(columns);
    }

    /** Rows and columns of the controlling terminal, separated by a blank; empty if unknown. */
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

    /**
     * True if stdout supports colours and the user has not disabled them with NO_COLOR
     * (no-color.org).
     */
    public boolean isColoured() {
      return isOut() && !isDumb() && environment.getOrDefault("NO_COLOR", "").isEmpty();
    }

    /**
     * True unless the shell runs this process in the background, where it should show no progress.
     */
    public boolean isForeground() {
      String stat;
      try {
        stat = Files.readString(process.resolve("stat"));
      } catch (IOException e) {
        return true;
      }
      String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
      if (fields.length <= FOREGROUND_GROUP_FIELD) {
        return true;
      }
      String foreground = fields[FOREGROUND_GROUP_FIELD];
      return foreground.equals("-1") || foreground.equals(fields[PROCESS_GROUP_FIELD]);
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
