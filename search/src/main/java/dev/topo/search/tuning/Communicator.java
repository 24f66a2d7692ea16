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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * A job as set up by NCCL: the connections of its ranks and the tuning of its calls ({@code
 * initTransportsRank}, {@code nccl:src/init.cc}). Where ranks have different facts, the lowest
 * value is used. Immutable.
 *
 * @param job its machines
 * @param connection its nodes and the place of every rank in every channel
 * @param facts its properties that the tuning model reads
 * @param tuner chooses algorithm and protocol for calls
 */
public record Communicator(Job job, Connection connection, CommFacts facts, Tuner tuner) {
  /**
   * Searches for the graphs of a job, connects it and creates its tuner.
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
   * Creates the communicator of a job that is already connected.
   *
   * @throws SettingException if NCCL would not start with NCCL_ALGO or NCCL_PROTO
   */
  public static Communicator of(Job job, Connection connection) {
    NcclSettings settings = job.settings();
    CommFacts facts = facts(job, connection, CollNetPlugin.operations(settings));
    return new Communicator(job, connection, facts, new Tuner(facts, settings));
  }

  public int nRanks() {
    return facts.nRanks();
  }

  public int nNodes() {
    return facts.nNodes();
  }

  public NcclProfile profile() {
    return connection.profile();
  }

  /**
   * The facts that the tuning model reads. Ranks agree on most of them; for those that NCCL takes
   * from each rank's own node (latency of the graphs, channels of NVLS, NVSwitches, tree pattern,
   * all-NVLink) the lowest value of all nodes is used, whatever their order; if all machines are
   * equal, all-NVLink is that of rank 0's node. NCCL itself fails if ranks then choose differently
   * ({@code initTransportsRank}, {@code nccl:src/init.cc}).
   */
  private static CommFacts facts(Job job, Connection connection, Set<Collective> ofPlugin) {
    boolean isMixed = job.isMixed();
    return new CommFacts(
        connection.profile(),
        connection.nodeNumbers().mapToObj(connection::localRanks).toList(),
        connection.minSm(),
        connection.maxSm(),
        CommFacts.Cpu.of(connection.firstCpus()),
        connection.nChannels(),
        connection.profile().launch().callsUseRaisedChannels
            ? connection.nChannels()
            : connection.unraisedChannels(),
        connection.nvls().isSupported(),
        connection.nvls().channels(),
        connection.nvls().nHeads(),
        connection.nvls().slowestPortGBps(),
        connection.collNet().map(collNet -> inNetwork(connection, collNet, ofPlugin)),
        isMixed ? connection.isAllNvlink() : connection.isAllNvlink(0),
        connection.hasNvSwitch(),
        connection.maxTreePattern(),
        connection.agreedGraphs(isMixed ? connection.nodeOfTreePattern() : 0),
        connection.graphsWithoutPort());
  }

  /**
   * Heads are those of NVLS where it is supported ({@code ncclCollNetSetup}, {@code
   * nccl:src/transport/coll_net.cc}).
   */
  private static CommFacts.CollNet inNetwork(
      Connection connection, CollNet collNet, Set<Collective> ofPlugin) {
    IntFunction<List<Integer>> heads =
        node ->
            connection.nvls().isSupported() ? connection.nvls().heads(node) : collNet.heads(node);
    return new CommFacts.CollNet(
        connection.kindNodes().map(node -> heads.apply(node).size()).min().orElseThrow(),
        connection
            .kindNodes()
            .map(
                node ->
                    collNet
                        .direct(connection.ranksOf(node).get(0))
                        .map(direct -> direct.heads().size())
                        .orElse(0))
            .min()
            .orElseThrow(),
        connection
            .kindNodes()
            .allMatch(node -> heads.apply(node).containsAll(collNet.chainHeads(node))),
        ofPlugin.contains(Collective.ALL_GATHER),
        ofPlugin.contains(Collective.REDUCE_SCATTER));
  }

  /**
   * The operations of the CollNet plugin. NCCL detects from its functions whether it gathers and
   * scatters ({@code ncclTopoTuneModel}, {@code nccl:src/graph/tuning.cc}); plugins for version 7
   * of the interface and older ones do not. Here a setting states it; by default the plugin does
   * both, like NCCL's SHARP plugin.
   */
  static final class CollNetPlugin {
    private static final String NAME = "TOPO_COLLNET_PLUGIN";
    private static final List<Collective> KNOWN =
        List.of(Collective.ALL_REDUCE, Collective.ALL_GATHER, Collective.REDUCE_SCATTER);

    private CollNetPlugin() {}

    /**
     * The collectives that the plugin supports.
     *
     * @throws SettingException if the setting is not a list of operations with all_reduce
     */
    static Set<Collective> operations(NcclSettings settings) {
      if (settings.text(NAME).isEmpty()) {
        return EnumSet.copyOf(KNOWN);
      }
      String text = settings.text(NAME).get();
      Set<Collective> stated = EnumSet.noneOf(Collective.class);
      for (String name : text.split(",", -1)) {
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
