package dev.topo.inspect.log;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Log of one rank for one communicator.
 *
 * @param source host, process and device as named in the lines
 * @param comm its place in the communicator, if logged
 * @param graphs its machine and its graphs
 * @param connections its place in rings and trees
 * @param tuning its cost model and its choices
 */
public record RankLog(
    String source,
    Optional<Comm> comm,
    GraphLog graphs,
    ConnectionLog connections,
    TuningLog tuning) {
  /**
   * The line {@code comm 0x… rank 0 nRanks 4 nNodes 2 localRanks 2 localRank 0 MNNVL 0}; the local
   * numbers are those of its node.
   */
  public record Comm(int rank, int nRanks, int nNodes, int localRanks, int localRank) {
    @Override
    public String toString() {
      return "rank %s nRanks %s nNodes %s localRanks %s localRank %s"
          .formatted(rank, nRanks, nNodes, localRanks, localRank);
    }
  }

  /** Rank, from the first line that prints it. */
  OptionalInt rank() {
    if (comm.isPresent()) {
      return OptionalInt.of(comm.get().rank());
    }
    List<ConnectionLog.Ring> rings = connections.rings();
    if (!rings.isEmpty()) {
      return OptionalInt.of(rings.get(0).rank());
    }
    List<ConnectionLog.Tree> trees = connections.trees();
    return trees.isEmpty() ? OptionalInt.empty() : OptionalInt.of(trees.get(0).rank());
  }
}
