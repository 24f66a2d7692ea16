package dev.topo.visualizer.serve;

import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.Constraints;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.engine.SearchMonitor;
import dev.topo.search.path.Domain;
import java.util.concurrent.CancellationException;

/**
 * Searches for graphs, reports its progress to a question, and stops when its thread is
 * interrupted.
 */
record StoppableSearch(QuestionStage stage) implements GraphSource, SearchMonitor {
  @Override
  public NodeGraphs graphs(Domain domain, NcclSettings settings, Inputs inputs) {
    return GraphSearch.findAll(domain, settings, inputs, this);
  }

  @Override
  public boolean observesObstacles() {
    return false;
  }

  @Override
  public void attemptStarted(GraphKind kind, Constraints constraints) {
    stage.enter("searching for the channels of the " + kind.label() + " graph");
  }

  @Override
  public void improved(GraphKind kind, int nChannels, int hops) {
    stopIfInterrupted();
  }

  /**
   * Stops the current thread's work if it was interrupted.
   *
   * @throws CancellationException if the thread was interrupted
   */
  static void stopIfInterrupted() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("the question was cancelled");
    }
  }
}
