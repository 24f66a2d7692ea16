package dev.topo.search.connect;

import dev.topo.model.Link;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Rounding;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.JobNodes.GpuPorts;
import dev.topo.search.connect.JobNodes.NodeTemplate;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import dev.topo.search.rules.ConnectRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers of channels for sends and receives, both powers of two ({@code
 * ncclTopoComputeP2pChannels}, {@code nccl:src/graph/paths.cc}).
 *
 * @param nChannels channels for all peers together
 * @param nChannelsPerPeer channels for one peer
 */
public record P2pChannels(int nChannels, int nChannelsPerPeer) {
  /**
   * The channels as the ranks of a node compute them.
   *
   * @param domain the node
   * @param job all distinct nodes of the job
   * @param nRanks number of ranks of the job
   * @param collChannels number of channels for collectives
   * @param maxForArguments largest number of channels whose work fits into the arguments of a
   *     kernel
   */
  static P2pChannels of(
      Domain domain,
      List<Domain> job,
      int nRanks,
      int collChannels,
      NcclSettings userSettings,
      int maxForArguments) {
    NcclSettings settings = domain.profile().complete(userSettings);
    ConnectRules rules = domain.profile().connect();
    int wanted =
        Math.max(
            Math.min(collChannels, settings.integer("NCCL_MAX_P2P_NCHANNELS", rules.maxChannels)),
            settings.integer("NCCL_MIN_P2P_NCHANNELS", 1));
    int limit = Math.max(1, Integer.highestOneBit(maxForArguments));
    int nChannels = Math.min(Rounding.powerOfTwoUp(wanted), limit);
    int perPeer = rules.peersByBandwidth ? rules.maxChannels : wanted;
    for (Domain node : job) {
      perPeer = Math.min(perPeer, minChannelsPerPeer(node, nRanks, wanted, settings));
    }
    perPeer = Rounding.powerOfTwoUp(perPeer);
    boolean severalNodes = nRanks > domain.topology().gpus().size();
    return new P2pChannels(
        nChannels,
        severalNodes && rules.peersByBandwidth && configuredPerNetPeer(settings) <= 0
            ? fittingAllPeers(perPeer, nChannels, nRanks, settings, rules)
            : Math.min(perPeer, nChannels));
  }

  /** The smallest number of channels that any GPU of a node uses for any peer. */
  private static int minChannelsPerPeer(
      Domain node, int nRanks, int wanted, NcclSettings settings) {
    int fewest = Integer.MAX_VALUE;
    int[] gpus = node.topology().indexes(NodeType.GPU);
    for (int g = 0; g < gpus.length; g++) {
      for (int peer : gpus) {
        if (peer != gpus[g]) {
          fewest = Math.min(fewest, toLocalPeer(node.paths(), gpus[g], peer));
        }
      }
      if (nRanks > gpus.length) {
        fewest = Math.min(fewest, toRemotePeer(node.paths(), g, nRanks, wanted, settings));
      }
    }
    return fewest;
  }

  private static int toLocalPeer(Paths paths, int gpu, int peer) {
    ConnectRules rules = paths.profile().connect();
    if (!paths.type(peer, gpu).isWithin(rules.peerNvlink)) {
      return rules.peerChannels;
    }
    int sm = ((GpuNode) paths.topology().node(gpu)).sm();
    int links = (int) (paths.bwGBps(peer, gpu) / paths.profile().links().nvlink(sm));
    return rules.peerChannelsPerNvlink * Math.max(1, links);
  }

  /** The value of NCCL_NCHANNELS_PER_NET_PEER; 0 if it is not set. */
  private static int configuredPerNetPeer(NcclSettings settings) {
    return settings.integer("NCCL_NCHANNELS_PER_NET_PEER", 0);
  }

  private static int toRemotePeer(
      Paths paths, int gpu, int nRanks, int wanted, NcclSettings settings) {
    if (configuredPerNetPeer(settings) > 0) {
      return configuredPerNetPeer(settings);
    }
    ConnectRules rules = paths.profile().connect();
    if (rules.peersByBandwidth) {
      GpuPorts ports = GpuPorts.matchingCpu(paths, gpu);
      int channelGBps = settings.integer("NCCL_P2P_PER_CHANNEL_NET_BW", 1);
      return Math.max(
          ports.count(), (int) Rounding.quotientUp((int) ports.totalGBps(), channelGBps));
    }
    int perPeer = rules.peerChannels;
    while (perPeer > 1
        && (long) perPeer * nRanks > (long) rules.peerOperationsPerChannel * wanted) {
      perPeer /= 2;
    }
    return Math.max(netsMatchingCpu(paths, gpu), perPeer);
  }

  /**
   * Number of ports needed to match the bandwidth from the GPU to its CPU ({@code
   * getLocalNetCountByBw}, {@code nccl:src/graph/topo.cc}, up to 2.28).
   */
  private static int netsMatchingCpu(Paths paths, int gpu) {
    Topology topology = paths.topology();
    int from = topology.indexes(NodeType.GPU)[gpu];
    int[] nets = topology.indexes(NodeType.NET);
    float gpuBw = 0;
    for (Link link : topology.links(from)) {
      if (topology.node(link.to()).type() == NodeType.CPU) {
        gpuBw = link.bwGBps();
      }
    }
    int count = 0;
    float netBw = 0;
    for (int net : paths.localDevices().netsNear(gpu)) {
      if (netBw >= gpuBw) {
        break;
      }
      netBw += paths.bwGBps(from, nets[net]);
      count++;
    }
    return count;
  }

  /** Halves the channels for each peer until all peers can be served at once. */
  private static int fittingAllPeers(
      int perPeer, int nChannels, int nRanks, NcclSettings settings, ConnectRules rules) {
    int maxPeers = settings.integer("NCCL_P2P_MAX_PEERS", nRanks);
    int peers = maxPeers <= 0 ? nRanks : Math.min(maxPeers, nRanks);
    int fitting = perPeer;
    while (fitting > 1
        && fitting * Rounding.quotientUp(peers, rules.peerOperationsPerChannel) > nChannels) {
      fitting /= 2;
    }
    return fitting;
  }

  /**
   * The ports by which ranks send to ranks of other nodes. They depend on the peer only by its
   * device number and are the same on equal nodes, so results are cached. Not thread-safe.
   */
  public static final class PeerPorts {
    private final JobNodes nodes;
    private final NcclSettings settings;
    private final Map<Key, PeerPort> cache = new HashMap<>();

    /** The last requested rank and its GPU, as callers request many peers of one rank in a row. */
    private int lastRank = -1;

    private int lastTemplate;
    private int lastGpu;

    /**
     * The values that determine a port.
     *
     * @param template index of the node's template
     * @param gpu index of the GPU on the node
     * @param dev device number of the peer
     */
    private record Key(int template, int gpu, int dev, int channel) {}

    PeerPorts(JobNodes nodes, NcclSettings settings) {
      this.nodes = nodes;
      this.settings = settings;
    }

    /** The device number of a rank on its host. */
    public int device(int rank) {
      return nodes.template(nodes.nodeOf(rank)).gpu(nodes.machineRank(rank)).dev();
    }

    /**
     * The port for a transfer, and the rank that drives it.
     *
     * @param dev the device number of the peer
     * @param channel the channel of the transfer
     */
    public PeerPort port(int rank, int dev, int channel) {
      int node = nodes.nodeOf(rank);
      Domain domain = nodes.template(node).domain();
      if (rank != lastRank) {
        NodeTemplate template = nodes.template(node);
        lastTemplate = nodes.templates().indexOf(template);
        lastGpu = template.gpuIndex(nodes.machineRank(rank));
        lastRank = rank;
      }
      Key key = new Key(lastTemplate, lastGpu, dev, channel);
      PeerPort known = cache.get(key);
      PeerPort local = known == null ? PeerPort.of(domain, lastGpu, dev, channel, settings) : known;
      if (known == null) {
        cache.put(key, local);
      }
      return new PeerPort(local.port(), nodes.jobRank(node, local.relay()));
    }
  }
}
