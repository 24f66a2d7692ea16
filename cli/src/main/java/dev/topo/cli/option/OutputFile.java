package dev.topo.cli.option;

import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Streams;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the file of the only output of a command. */
public final class OutputFile {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the output to this file.")
  private @Nullable Path file;

  /** True if the user names a file. */
  public boolean isGiven() {
    return file != null;
  }

  /**
   * The place of the output: the file, or else stdout.
   *
   * @param inputs what the command reads
   * @throws dev.topo.model.io.OutputException if the file cannot be written, before the work
   */
  public OutputPlan plan(Inputs inputs, Streams streams) {
    return file == null ? OutputPlan.onStdout(streams) : OutputPlan.inFile(file, inputs);
  }
}
