package dev.topo.search.connect;

import dev.topo.model.job.Job;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.graph.GraphSearch;
import dev.topo.search.rules.NcclProfile;

/**
 * Connects the nodes of a job as NCCL does when it makes a communicator ({@code
 * initTransportsRank}, {@code nccl:src/init.cc}, and {@code ncclTopoPostset}, {@code
 * nccl:src/graph/connect.cc}). Equal machines are searched once; the rest is proportional to the
 * number of ranks.
 */
public final class Connector {
  private Connector() {}

  /**
   * Connects a job whose graphs are searched for.
   *
   * @throws UnusableTopologyException where NCCL would give up
   */
  public static Connection connect(Job job) {
    return connect(job, GraphSearch::findAll);
  }

  /**
   * Connects a job whose graphs come from {@code source}.
   *
   * @throws UnusableTopologyException where NCCL would give up
   */
  public static Connection connect(Job job, GraphSource source) {
    return connect(job, source, NcclProfile.DEFAULT);
  }

  /** The same under the rules of a version. */
  public static Connection connect(Job job, GraphSource source, NcclProfile profile) {
    return new Connection(job, JobNodes.of(job, source, profile), profile);
  }
}
