package dev.topo.run.bench;

import java.util.List;

/** A collective made no progress within the time limit; it still runs. */
public final class StalledException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final List<Integer> ranks;

  /**
   * Some ranks waited.
   *
   * @param during what they waited in
   */
  public StalledException(List<Integer> ranks, int seconds, String during) {
    super(
        (ranks.size() == 1 ? "rank " : "ranks ")
            + String.join(", ", ranks.stream().map(String::valueOf).toList())
            + " waited "
            + seconds
            + " s in "
            + during);
    this.ranks = List.copyOf(ranks);
  }

  public List<Integer> ranks() {
    return ranks;
  }
}
