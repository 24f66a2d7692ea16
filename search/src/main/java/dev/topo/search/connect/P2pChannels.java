package dev.topo.search.connect;

import dev.topo.model.Link;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeType;
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
 * Channels of sends and receives, both powers of two ({@code ncclTopoComputeP2pChannels}, {@code
 * nccl:src/graph/paths.cc}).
 *
 * @param nChannels channels for all peers together
 * @param nChannelsPerPeer channels for one peer
 */
public record P2pChannels(int nChannels, int nChannelsPerPeer) {
  /**
   * The channels as the ranks of a node compute them.
   *
   * @param domain the node
   * @param job all nodes of the job; equal ones may be given once
   * @param nRanks ranks of the job
   * @param collChannels channels of collectives
   * @param maxForArguments channels whose work fits into the arguments of a kernel
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
    int room = Math.max(1, Integer.highestOneBit(maxForArguments));
    int nChannels = Math.min(powerOfTwoFrom(wanted), room);
    int perPeer = rules.peersByBandwidth ? rules.maxChannels : wanted;
    for (Domain node : job) {
      perPeer = Math.min(perPeer, fewest(node, nRanks, wanted, settings));
    }
    perPeer = powerOfTwoFrom(perPeer);
    boolean severalNodes = nRanks > domain.topology().gpus().size();
    return new P2pChannels(
        nChannels,
        severalNodes && rules.peersByBandwidth && statedPerNetPeer(settings) <= 0
            ? servingAllPeers(perPeer, nChannels, nRanks, settings, rules)
            : Math.min(perPeer, nChannels));
  }

  /** The fewest channels that a GPU of a node uses for a peer. */
  private static int fewest(Domain node, int nRanks, int wanted, NcclSettings settings) {
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

  /** NCCL_NCHANNELS_PER_NET_PEER; not positive where the user sets none. */
  private static int statedPerNetPeer(NcclSettings settings) {
    return settings.integer("NCCL_NCHANNELS_PER_NET_PEER", 0);
  }

  private static int toRemotePeer(
      Paths paths, int gpu, int nRanks, int wanted, NcclSettings settings) {
    if (statedPerNetPeer(settings) > 0) {
      return statedPerNetPeer(settings);
    }
    ConnectRules rules = paths.profile().connect();
    if (rules.peersByBandwidth) {
      GpuPorts ports = GpuPorts.filled(paths, gpu);
      int channelGBps = settings.integer("NCCL_P2P_PER_CHANNEL_NET_BW", 1);
      return Math.max(ports.count(), quotientUp((int) ports.totalGBps(), channelGBps));
    }
    int perPeer = rules.peerChannels;
    while (perPeer > 1
        && (long) perPeer * nRanks > (long) rules.peerOperationsPerChannel * wanted) {
      perPeer /= 2;
    }
    return Math.max(netsToFill(paths, gpu), perPeer);
  }

  /**
   * Number of ports needed to carry the bandwidth from the GPU to its CPU ({@code
   * getLocalNetCountByBw}, {@code nccl:src/graph/topo.cc}, up to 2.28).
   */
  private static int netsToFill(Paths paths, int gpu) {
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

  /** Halves the channels for a peer until those of all peers fit into one round. */
  private static int servingAllPeers(
      int perPeer, int nChannels, int nRanks, NcclSettings settings, ConnectRules rules) {
    int most = settings.integer("NCCL_P2P_MAX_PEERS", nRanks);
    int peers = most <= 0 ? nRanks : Math.min(most, nRanks);
    int fitting = perPeer;
    while (fitting > 1
        && (long) fitting * quotientUp(peers, rules.peerOperationsPerChannel) > nChannels) {
      fitting /= 2;
    }
    return fitting;
  }

  private static int quotientUp(int dividend, int divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  private static int powerOfTwoFrom(int value) {
    return value <= 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
  }

  /**
   * The ports by which ranks send to ranks of other nodes. Only the device number of the peer
   * matters, and equal nodes have equal ports: results are cached. Not thread-safe.
   */
  public static final class PeerPorts {
    private final JobNodes nodes;
    private final NcclSettings settings;
    private final Map<Place, PeerPort> found = new HashMap<>();

    /** The last requested rank and its place: a caller requests many peers of a rank. */
    private int lastRank = -1;

    private int lastKind;
    private int lastGpu;

    /**
     * The values that determine a port.
     *
     * @param kind number of the kind of node
     * @param gpu place of the GPU on the node
     * @param dev device number of the peer
     */
    private record Place(int kind, int gpu, int dev, int channel) {}

    PeerPorts(JobNodes nodes, NcclSettings settings) {
      this.nodes = nodes;
      this.settings = settings;
    }

    /** The device number of a rank on its host. */
    public int device(int rank) {
      return nodes.kind(nodes.nodeOf(rank)).gpu(nodes.toMachine(rank)).dev();
    }

    /**
     * The port for a transfer, and the rank that drives it.
     *
     * @param dev the device number of the peer
     * @param channel the channel of the transfer
     */
    public PeerPort port(int rank, int dev, int channel) {
      int node = nodes.nodeOf(rank);
      Domain domain = nodes.kind(node).domain();
      if (rank != lastRank) {
        NodeTemplate kind = nodes.kind(node);
        lastKind = nodes.kinds().indexOf(kind);
        lastGpu = kind.place(nodes.toMachine(rank));
        lastRank = rank;
      }
      Place place = new Place(lastKind, lastGpu, dev, channel);
      PeerPort known = found.get(place);
      PeerPort local = known == null ? PeerPort.of(domain, lastGpu, dev, channel, settings) : known;
      if (known == null) {
        found.put(place, local);
      }
      return new PeerPort(local.port(), nodes.toJob(node, local.relay()));
    }
  }
}
