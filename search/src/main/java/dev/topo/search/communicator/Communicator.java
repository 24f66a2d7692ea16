package dev.topo.search.communicator;

import dev.topo.model.job.Job;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.settings.SettingException;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Connector;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.cost.CommFacts;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.tuning.Tuner;

/**
 * A job as NCCL sets it up: how its ranks are connected and how its calls are tuned ({@code
 * initTransportsRank}, {@code nccl:src/init.cc}). The settings of the first machine count for all
 * ranks; where ranks see different things, rank 0's view is taken, see {@link
 * CommFactsOfConnection}. Immutable.
 */
public final class Communicator {
  private final Job job;
  private final Connection connection;
  private final CommFacts facts;
  private final Tuner tuner;

  private Communicator(Job job, Connection connection) {
    this.job = job;
    this.connection = connection;
    this.facts = CommFactsOfConnection.of(connection);
    this.tuner = new Tuner(facts, job.machines().get(0).settings());
  }

  /**
   * The communicator of a job whose graphs are searched for.
   *
   * @throws UnusableTopologyException where NCCL would give up
   * @throws SettingException if NCCL would not start with NCCL_ALGO or NCCL_PROTO
   */
  public static Communicator of(Job job) {
    return new Communicator(job, Connector.connect(job));
  }

  /**
   * The communicator of a job whose graphs come from {@code source}.
   *
   * @throws UnusableTopologyException where NCCL would give up
   * @throws SettingException if NCCL would not start with NCCL_ALGO or NCCL_PROTO
   */
  public static Communicator of(Job job, GraphSource source) {
    return of(job, source, NcclProfile.DEFAULT);
  }

  /** The same under the rules of a version. */
  public static Communicator of(Job job, GraphSource source, NcclProfile profile) {
    return new Communicator(job, Connector.connect(job, source, profile));
  }

  /** The rules that it is set up by. */
  public NcclProfile profile() {
    return connection.profile();
  }

  /** The job. */
  public Job job() {
    return job;
  }

  /** Its nodes and the place of every rank in every channel. */
  public Connection connection() {
    return connection;
  }

  /** What the tuning rests on. */
  public CommFacts facts() {
    return facts;
  }

  /** What NCCL chooses for calls. */
  public Tuner tuner() {
    return tuner;
  }
}
