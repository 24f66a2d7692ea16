package dev.topo.cli.terminal;

import dev.topo.cli.terminal.Streams.Terminal;
import dev.topo.model.RecentMap;
import dev.topo.model.Topology;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.search.topology.TopologySource;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.util.Map;

/**
 * Objects that all commands of one command line share.
 *
 * @param streams destination of data and messages
 * @param environment the environment variables of the process
 * @param inputs records the files that the command reads
 * @param invocation the command line and its input files
 * @param topologies topologies that earlier command lines of the process have built
 * @param evaluator evaluates jobs and shows the progress of searches
 */
public record CommandContext(
    Streams streams,
    Map<String, String> environment,
    Inputs inputs,
    Invocation invocation,
    RecentMap.Results<TopologySource.Source, Topology> topologies,
    JobEvaluator evaluator) {
  /** Length of lines if the output is not a terminal. */
  private static final int HELP_WIDTH = 80;

  /** Number of characters in a line of the help. */
  public int helpWidth() {
    return Terminal.ofProcess(environment).columns(HELP_WIDTH);
  }
}
