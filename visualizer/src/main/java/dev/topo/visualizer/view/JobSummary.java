package dev.topo.visualizer.view;

import dev.topo.model.QuantityFormat;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.search.connect.Connection;

/**
 * The job that a document is about.
 *
 * @param machines a description of its machines: {@code dgx-h100 x 4}
 * @param nodes the number of nodes
 * @param ranks the number of ranks
 */
public record JobSummary(String machines, int nodes, int ranks) {
  /**
   * Describes where the ranks of a job are, in the words of {@link Connection#nodeWords}: {@code on
   * 2 nodes}.
   */
  public static String place(Job job) {
    int hosts = job.machines().stream().mapToInt(JobSummary::hosts).sum();
    return "on " + Connection.nodeWords(job.machines().size(), hosts);
  }

  private static int hosts(Machine machine) {
    return machine.topology().nHosts();
  }

  /** Describes the ranks of a communicator and where they are: {@code 16 ranks on 2 nodes}. */
  public static String ranks(Connection connection) {
    return QuantityFormat.count(connection.nRanks(), "rank") + " on " + connection.nodeWords();
  }

  /** Summarises a communicator. */
  public static JobSummary of(String machines, Connection connection) {
    return new JobSummary(machines, connection.nNodes(), connection.nRanks());
  }
}
