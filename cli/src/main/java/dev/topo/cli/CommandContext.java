package dev.topo.cli;

import dev.topo.cli.terminal.Streams;
import dev.topo.cli.terminal.Terminal;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.Invocation;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.util.Map;

/**
 * What the commands of a call share.
 *
 * @param streams where data and messages go
 * @param environment the variables of the process
 * @param inputs what the command reads
 * @param invocation the command line and what it reads
 * @param evaluator evaluates jobs and shows the progress of searches
 */
record CommandContext(
    Streams streams,
    Map<String, String> environment,
    Inputs inputs,
    Invocation invocation,
    JobEvaluator evaluator) {
  /** Lines are this long where output is not a terminal. */
  private static final int HELP_WIDTH = 80;

  /** Characters in a line of the help. */
  int helpWidth() {
    return Terminal.ofProcess(environment).columns(HELP_WIDTH);
  }
}
