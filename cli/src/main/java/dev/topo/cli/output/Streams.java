package dev.topo.cli.output;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where data and messages go. Both are UTF-8, whatever the locale, so that the same question gives
 * the same bytes.
 *
 * @param out data
 * @param err messages
 */
public record Streams(PrintStream out, PrintStream err) {
  /** Standard output and standard error of the process. */
  public static Streams ofProcess() {
    return new Streams(buffered(FileDescriptor.out), buffered(FileDescriptor.err));
  }

  private static PrintStream buffered(FileDescriptor descriptor) {
    return new PrintStream(
        new BufferedOutputStream(new FileOutputStream(descriptor)), false, StandardCharsets.UTF_8);
  }

  /** Says something on stderr, with the name of the command before it. */
  public void message(@Nullable String text) {
    err.print("topo: " + text + "\n");
    err.flush();
  }

  /** Writes out what is buffered. */
  public void flush() {
    out.flush();
    err.flush();
  }
}
