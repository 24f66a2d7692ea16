package dev.topo.cli.terminal;

import dev.topo.cli.terminal.Streams.Terminal;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.util.Map;

/**
 * Objects that all commands of one command line share.
 *
 * @param streams destination of data and messages
 * @param environment the environment variables of the process
 * @param inputs records the files that the command reads
 * @param invocation the command line and its input files
 * @param evaluator evaluates jobs and shows the progress of searches
 */
public record CommandContext(
    Streams streams,
    Map<String, String> environment,
    Inputs inputs,
    Invocation invocation,
    JobEvaluator evaluator) {
  /** Length of lines if the output is not a terminal. */
  private static final int HELP_WIDTH = 80;

  /** Number of characters in a line of the help. */
  public int helpWidth() {
    return Terminal.ofProcess(environment).columns(HELP_WIDTH);
  }
}
