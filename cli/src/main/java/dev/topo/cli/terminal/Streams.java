package dev.topo.cli.terminal;

import dev.topo.model.io.FileFault;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.PlainText;
import dev.topo.visualizer.view.Answer;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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

  /** Whether a file is standard input. */
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
        String words = FileFault.words(e);
        if (words.toLowerCase(Locale.ROOT).contains("broken pipe")) {
          throw e;
        }
        throw new OutputException("cannot write to standard output: " + words, e);
      }
    }
  }
}
