package dev.topo.cli;

import dev.topo.cli.output.OutputException;
import dev.topo.cli.output.Streams;

/** Starts the command. */
public final class Main {
  private static final long MIB = 1L << 20;

  private Main() {}

  /** Runs {@code topo} with these arguments and ends the process with its exit status. */
  public static void main(String[] args) {
    Streams streams = Streams.ofProcess(System.getenv());
    System.exit(status(streams, args));
  }

  private static int status(Streams streams, String... args) {
    try {
      int status = TopoCommand.execute(streams, System.getenv(), args);
      streams.flush();
      return status;
    } catch (OutputException e) {
      streams.message(e.getMessage());
      return ExitStatus.USAGE;
    } catch (OutOfMemoryError e) {
      streams.message(
          "out of memory with a heap of %s MiB: set TOPO_JAVA_OPTS=-Xmx8g to enlarge it"
              .formatted(Runtime.getRuntime().maxMemory() / MIB));
      return ExitStatus.BUG;
    } catch (Error e) {
      streams.message("this is a bug: " + e);
      return ExitStatus.BUG;
    }
  }
}
