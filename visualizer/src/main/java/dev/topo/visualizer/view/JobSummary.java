package dev.topo.visualizer.view;

import dev.topo.model.QuantityFormat;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.search.connect.Connection;

/**
 * The job that a document is about.
 *
 * @param machines its machines in words: {@code dgx-h100 x 4}
 * @param nodes number of nodes
 * @param ranks number of ranks
 */
public record JobSummary(String machines, int nodes, int ranks) {
  /**
   * Where the ranks of a job are, for people, in the words of {@link Connection#nodeWords}: {@code
   * on 2 nodes}.
   */
  public static String place(Job job) {
    int hosts = job.machines().stream().mapToInt(JobSummary::hosts).sum();
    return "on " + Connection.nodeWords(job.machines().size(), hosts);
  }

  private static int hosts(Machine machine) {
    return machine.topology().nHosts();
  }

  /** The ranks of a communicator and where they are, for people: {@code 16 ranks on 2 nodes}. */
  public static String ranks(Connection connection) {
    return QuantityFormat.count(connection.nRanks(), "rank") + " on " + connection.nodeWords();
  }

  /** A communicator. */
  public static JobSummary of(String machines, Connection connection) {
    return new JobSummary(machines, connection.nNodes(), connection.nRanks());
  }
}
