package dev.topo.cli.terminal;

import dev.topo.model.graph.GraphKind;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.Constraints;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.engine.SearchMonitor;
import dev.topo.search.engine.SearchOutcome;
import java.util.Locale;

/** Says of a search which graph it looks for, at which bandwidth, and how many channels it has. */
public final class SearchProgress implements SearchMonitor {
  private final Progress.Task task;
  private int attempts;
  private int channels;
  private float bwGBps;

  /** Reports the progress of a search to a task. */
  public SearchProgress(Progress.Task task) {
    this.task = task;
  }

  /** Searches for graphs and shows the progress of each search. */
  public static GraphSource search(Progress progress) {
    if (!progress.isShown()) {
      return GraphSearch::findAll;
    }
    return (domain, settings, inputs) -> {
      try (Progress.Task task = progress.begin("")) {
        return GraphSearch.findAll(domain, settings, inputs, new SearchProgress(task));
      }
    };
  }

  @Override
  public boolean observesObstacles() {
    return false;
  }

  @Override
  public void attemptStarted(GraphKind kind, Constraints constraints) {
    attempts++;
    bwGBps = constraints.bwIntra();
    say(kind);
  }

  @Override
  public void improved(GraphKind kind, int nChannels, int hops) {
    channels = nChannels;
    say(kind);
  }

  @Override
  public void finished(GraphKind kind, SearchOutcome outcome) {
    attempts = 0;
    channels = 0;
  }

  /** The text is made on another thread, from copies that do not change. */
  private void say(GraphKind kind) {
    int attempt = attempts;
    int found = channels;
    float bw = bwGBps;
    task.detail(
        () ->
            String.format(
                Locale.ROOT,
                "%s attempt %d at %.1f GB/s, channels: %d",
                kind.label(),
                attempt,
                bw,
                found));
  }
}
