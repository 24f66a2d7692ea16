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
        "rank%s %s waited %s s in %s"
            .formatted(
                ranks.size() == 1 ? "" : "s",
                String.join(", ", ranks.stream().map(String::valueOf).toList()),
                seconds,
                during));
    this.ranks = List.copyOf(ranks);
  }

  public List<Integer> ranks() {
    return ranks;
  }
}
