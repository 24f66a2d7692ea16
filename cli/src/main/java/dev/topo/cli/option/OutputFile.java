package dev.topo.cli.option;

import dev.topo.cli.terminal.CommandContext;
import dev.topo.cli.terminal.OutputPlan;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the output file of a command with a single output. */
public final class OutputFile {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the output to this file.")
  private @Nullable Path file;

  /** True if a file is named. */
  public boolean isGiven() {
    return file != null;
  }

  /**
   * Plans the output to the file, or to stdout without the option.
   *
   * @throws dev.topo.model.io.OutputException if the file cannot be written
   */
  public OutputPlan plan(CommandContext context) {
    return OutputPlan.to(file, context);
  }
}
