package dev.topo.cli.terminal;

import dev.topo.model.io.FileFault;
import dev.topo.model.io.OutputException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;

/**
 * Standard output that does not lose anything silently: a {@link java.io.PrintStream} swallows
 * every {@link IOException}, so that a full disk would look like success. A reader that has seen
 * enough, such as {@code head}, is no fault.
 */
final class StandardOutput extends FilterOutputStream {
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
