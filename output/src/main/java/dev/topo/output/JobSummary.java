package dev.topo.output;

import dev.topo.search.connect.Connection;

/**
 * The job that a document is about.
 *
 * @param machines its machines in words: {@code dgx-h100 x 4}
 * @param nodes number of nodes
 * @param ranks number of ranks
 */
public record JobSummary(String machines, int nodes, int ranks) {
  /** A communicator. */
  public static JobSummary of(String machines, Connection connection) {
    return new JobSummary(machines, connection.nNodes(), connection.nRanks());
  }
}
