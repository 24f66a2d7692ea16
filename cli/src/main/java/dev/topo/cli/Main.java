package dev.topo.cli;

import dev.topo.cli.terminal.Streams;
import java.util.Locale;

/** Starts the command. */
public final class Main {
  private Main() {}

  /** Runs {@code topo} with these arguments and ends the process with its exit status. */
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT);
    Streams streams = Streams.ofProcess(System.getenv());
    System.exit(TopoCommand.execute(streams, System.getenv(), args));
  }
}
