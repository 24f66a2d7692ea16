package dev.topo.cli.option;

import dev.topo.cli.terminal.Streams;
import dev.topo.model.io.Diagnostic;
import dev.topo.model.io.Severity;
import dev.topo.model.io.TopologyFormatException;
import java.util.HashSet;
import java.util.Set;
import picocli.CommandLine.Option;

/** Which diagnostics of an input are printed, and whether warnings are errors. */
public final class DiagnosticOptions {
  @Option(names = "--strict", description = "Warnings about the input are errors.")
  private boolean strict;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show details, and notes about the input.")
  private boolean verbose;

  private final Set<Diagnostic> shown = new HashSet<>();

  /** Whether notes are also shown. */
  public boolean isVerbose() {
    return verbose;
  }

  /** Says something about an input on stderr, once. */
  public void show(Diagnostic diagnostic, Streams streams) {
    boolean warning = diagnostic.severity() == Severity.WARNING;
    if (warning && strict) {
      throw new TopologyFormatException(
          diagnostic.location(), diagnostic.message() + " (--strict)");
    }
    if ((warning || verbose) && shown.add(diagnostic)) {
      streams.message((warning ? "warning: " : "note: ") + diagnostic);
    }
  }
}
