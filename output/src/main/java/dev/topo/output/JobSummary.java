package dev.topo.output;

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
   * Where the ranks of a job are, for people: {@code on 2 nodes}, or {@code on 36 nodes in 2 NVLink
   * domains} where NVLink joins nodes to one machine.
   */
  public static String place(Job job) {
    int hosts = job.machines().stream().mapToInt(JobSummary::hosts).sum();
    int machines = job.machines().size();
    return "on "
        + QuantityFormat.count(hosts, "node")
        + (hosts > machines ? " in " + QuantityFormat.count(machines, "NVLink domain") : "");
  }

  private static int hosts(Machine machine) {
    return (int)
        machine.topology().gpus().stream().map(gpu -> gpu.id().systemId()).distinct().count();
  }

  /** A communicator. */
  public static JobSummary of(String machines, Connection connection) {
    return new JobSummary(machines, connection.nNodes(), connection.nRanks());
  }
}
