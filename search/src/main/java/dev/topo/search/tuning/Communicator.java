package dev.topo.search.tuning;

import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Collective;
import dev.topo.search.connect.CollNet;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.rules.NcclProfile;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A job as NCCL sets it up: how its ranks are connected and how its calls are tuned ({@code
 * initTransportsRank}, {@code nccl:src/init.cc}). The settings of the first machine count for all
 * ranks; where ranks have different facts, those of rank 0 are taken. Immutable.
 *
 * @param job its machines
 * @param connection its nodes and the place of every rank in every channel
 * @param facts what the tuning model reads of it
 * @param tuner chooses algorithm and protocol for calls
 */
public record Communicator(Job job, Connection connection, CommFacts facts, Tuner tuner) {
  private static final int RANK = 0;

  /**
   * The communicator of a job whose graphs are searched for.
   *
   * @throws UnusableTopologyException where NCCL fails with an internal error
   * @throws SettingException if NCCL would not start with NCCL_ALGO or NCCL_PROTO
   */
  public static Communicator of(Job job) {
    return of(job, GraphSearch::findAll);
  }

  public static Communicator of(Job job, GraphSource source) {
    return of(job, source, NcclProfile.DEFAULT);
  }

  public static Communicator of(Job job, GraphSource source, NcclProfile profile) {
    return of(job, Connection.of(job, source, profile));
  }

  /**
   * The communicator of a job that is connected.
   *
   * @throws SettingException if NCCL would not start with NCCL_ALGO or NCCL_PROTO
   */
  public static Communicator of(Job job, Connection connection) {
    NcclSettings settings = job.machines().get(0).settings();
    CommFacts facts = facts(connection, CollNetPlugin.operations(settings));
    return new Communicator(job, connection, facts, new Tuner(facts, settings));
  }

  public NcclProfile profile() {
    return connection.profile();
  }

  /**
   * The facts that the tuning model reads. Ranks agree on most of them; those that differ are taken
   * from rank 0: latency and order of GPUs of the graphs, channels of NVLS, whether there are
   * NVSwitches and whether all GPUs of the node are on NVLink. NCCL itself fails where ranks then
   * choose differently ({@code initTransportsRank}, {@code nccl:src/init.cc}).
   */
  private static CommFacts facts(Connection connection, Set<Collective> ofPlugin) {
    int node = connection.nodeOf(RANK);
    return new CommFacts(
        connection.profile(),
        IntStream.range(0, connection.nNodes()).mapToObj(connection::localRanks).toList(),
        connection.minSm(),
        connection.maxSm(),
        CommFacts.Cpu.of(connection.firstCpus()),
        CommFacts.Cpu.of(List.of(connection.firstCpus().get(node))),
        connection.nChannels(),
        connection.profile().launch().callsUseRaisedChannels
            ? connection.nChannels()
            : connection.unraisedChannels(),
        connection.nvls().isSupported(),
        connection.nvls().channels(RANK),
        connection.nvls().nHeads(),
        connection.nvls().slowestPortGBps(),
        connection.collNet().map(collNet -> inNetwork(connection, collNet, ofPlugin)),
        connection.isAllNvlink(node),
        connection.domain(node).topology().hasNvSwitch(),
        connection.maxTreePattern(),
        connection.agreedGraphs(node));
  }

  /**
   * Heads are those of NVLS where it is supported ({@code ncclCollNetSetup}, {@code
   * nccl:src/transport/coll_net.cc}).
   */
  private static CommFacts.CollNet inNetwork(
      Connection connection, CollNet collNet, Set<Collective> ofPlugin) {
    int directHeads =
        collNet.direct(RANK).map(CollNet.Direct::heads).map(heads -> heads.size()).orElse(0);
    int node = connection.nodeOf(RANK);
    List<Integer> heads =
        connection.nvls().isSupported() ? connection.nvls().heads(node) : collNet.heads(node);
    boolean chainsFromHeads = heads.containsAll(collNet.chainHeads(node));
    return new CommFacts.CollNet(
        heads.size(),
        directHeads,
        chainsFromHeads,
        ofPlugin.contains(Collective.ALL_GATHER),
        ofPlugin.contains(Collective.REDUCE_SCATTER));
  }

  /**
   * The operations of the CollNet plugin. NCCL sees from its functions whether it gathers and
   * scatters ({@code ncclTopoTuneModel}, {@code nccl:src/graph/tuning.cc}); plugins for version 7
   * of the interface and older ones do not. Here it is a statement, by default that it does, as
   * NCCL's SHARP plugin.
   */
  static final class CollNetPlugin {
    private static final String NAME = "TOPO_COLLNET_PLUGIN";
    private static final List<Collective> KNOWN =
        List.of(Collective.ALL_REDUCE, Collective.ALL_GATHER, Collective.REDUCE_SCATTER);

    private CollNetPlugin() {}

    /**
     * The collectives that it supports.
     *
     * @throws SettingException if the statement is not a list of operations with all_reduce
     */
    static Set<Collective> operations(NcclSettings settings) {
      if (settings.text(NAME).isEmpty()) {
        return EnumSet.copyOf(KNOWN);
      }
      String text = settings.text(NAME).get();
      Set<Collective> stated = EnumSet.noneOf(Collective.class);
      for (String name : Arrays.asList(text.split(",", -1))) {
        stated.add(
            KNOWN.stream()
                .filter(known -> known.ncclTestsName().equals(name.strip()))
                .findFirst()
                .orElseThrow(() -> wrong(text)));
      }
      if (!stated.contains(Collective.ALL_REDUCE)) {
        throw wrong(text);
      }
      return stated;
    }

    private static SettingException wrong(String text) {
      return new SettingException(
          "setting %s=%s: expected all_reduce, with or without all_gather and reduce_scatter"
              .formatted(NAME, text));
    }
  }
}
