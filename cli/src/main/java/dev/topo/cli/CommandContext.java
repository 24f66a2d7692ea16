package dev.topo.cli;

import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Streams;
import dev.topo.cli.terminal.Terminal;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.Invocation;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

  /** What an answer of the command states besides its result. */
  Envelope envelope(ReleaseRules rules, List<Caveat> caveats) {
    return new Envelope(rules, caveats, invocation);
  }

  /** An answer in an envelope, whose caveats go to stderr if the format has no place for them. */
  Answer rendered(Answer answer, Envelope envelope, String format) {
    return answer.render(envelope, format, streams::message);
  }

  /** The place of the output: this file, or else stdout. */
  OutputPlan plan(@Nullable Path file) {
    return file == null ? OutputPlan.onStdout(streams) : OutputPlan.inFile(file, inputs);
  }

  /** Characters in a line of the help. */
  int helpWidth() {
    return Terminal.ofProcess(environment).columns(HELP_WIDTH);
  }
}
