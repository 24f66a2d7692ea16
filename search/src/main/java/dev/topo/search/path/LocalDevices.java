package dev.topo.search.path;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.NcclSettings.NetDevsPolicy;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.PathRules;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which ports a GPU prefers and which GPU drives a port: those with the most bandwidth between
 * them, then the nearest, assigned by device number ({@code ncclTopoGetLocal}, {@code
 * ncclTopoGetLocalNet}, {@code ncclTopoGetLocalGpu} in {@code nccl:src/graph/topo.cc}). Devices are
 * identified by their index among the nodes of their type. Results are kept until the paths of a
 * device change.
 */
public final class LocalDevices {
  private final Topology topology;
  private final PathTable table;
  private final NetDevsPolicy policy;
  private final PathRules rules;
  private final boolean scatters;
  private final int maxChannels;
  private final int[] gpus;
  private final int[] nets;

  /** For each port, the first port with the same id. */
  private final int[] firstLike;

  private final int[] @Nullable [] netsOfGpu;
  private final int[] @Nullable [] gpusOfNet;

  LocalDevices(Topology topology, PathTable table, NcclSettings settings, NcclProfile profile) {
    this.topology = topology;
    this.table = table;
    this.policy = settings.netDevsPolicy();
    this.rules = profile.paths();
    this.scatters = settings.integer("NCCL_TOPO_SCATTER_START_NET", 0) != 0;
    this.maxChannels = profile.connect().maxChannels;
    this.gpus = topology.indexes(NodeType.GPU);
    this.nets = topology.indexes(NodeType.NET);
    this.firstLike = new int[nets.length];
    for (int n = 0; n < nets.length; n++) {
      firstLike[n] = topology.firstNetLike(n);
    }
    this.netsOfGpu = new int[gpus.length][];
    this.gpusOfNet = new int[nets.length][];
  }

  void pathsOfGpuChanged(int gpu) {
    netsOfGpu[gpu] = null;
  }

  void pathsOfNetChanged(int net) {
    gpusOfNet[net] = null;
  }

  /** Computes the results that are still missing; afterwards nothing changes. */
  void findAll() {
    for (int g = 0; g < gpus.length; g++) {
      netsNear(g);
    }
    for (int n = 0; n < nets.length; n++) {
      gpusNear(n);
    }
  }

  /** The ports that are nearest to a GPU, in order; empty if it reaches no port. */
  public int[] netsNear(int gpu) {
    return near(netsOfGpu, gpu, gpus[gpu], nets);
  }

  /** The GPUs that are nearest to a port, in order; empty if it reaches no GPU. */
  public int[] gpusNear(int net) {
    return near(gpusOfNet, net, nets[net], gpus);
  }

  private int[] near(int[] @Nullable [] known, int index, int from, int[] candidates) {
    int[] near = known[index];
    if (near == null) {
      near = nearest(from, candidates);
      known[index] = near;
    }
    return near;
  }

  private int[] nearest(int from, int[] candidates) {
    int[] near = new int[candidates.length];
    int count = 0;
    float bestBw = 0;
    PathType bestType = PathType.DIS;
    for (int i = 0; i < candidates.length; i++) {
      float bw = table.bwGBps(from, candidates[i]);
      PathType type = table.type(from, candidates[i]);
      if (bw > bestBw || (bw == bestBw && type.rank() < bestType.rank())) {
        bestBw = bw;
        bestType = type;
        count = 0;
      }
      if (bw == bestBw && type == bestType) {
        near[count++] = i;
      }
    }
    return Arrays.copyOf(near, count);
  }

  /** Number of ports that a GPU uses in turn over its channels. */
  int netsPerGpu(int gpu) {
    int[] near = netsNear(gpu);
    return switch (policy.kind()) {
      case AUTO -> {
        int sharers = sharers(near[0]);
        yield (near.length + sharers - 1) / sharers;
      }
      case ALL -> near.length;
      case MAX -> Math.min(policy.max(), near.length);
    };
  }

  /** Number of GPUs that share a port, at least 1. */
  private int sharers(int net) {
    return Math.max(1, gpusNear(net).length);
  }

  /**
   * The port that a GPU uses for a channel.
   *
   * @throws UnusableTopologyException if the GPU reaches no port
   */
  public int netFor(int gpu, int channel) {
    int[] near = netsNear(gpu);
    if (near.length == 0) {
      throw new UnusableTopologyException(
          topology.gpus().get(gpu).label() + " has no path to a network port");
    }
    int dev = topology.gpus().get(gpu).dev();
    if (countsSharers(gpu, near)) {
      dev %= sharers(near[0]);
    }
    int first = Integer.bitCount(near.length) == 1 ? mirrorBits(dev, near.length) : dev;
    return firstLike[near[(first + channel % netsPerGpu(gpu)) % near.length]];
  }

  /**
   * True if the first port depends on the device number modulo the number of GPUs that share the
   * ports.
   */
  private boolean countsSharers(int gpu, int[] near) {
    return switch (rules.firstPort) {
      case DEVICE -> false;
      case DEVICE_AMONG_SHARERS -> true;
      case BY_MODEL ->
          scatters
              || topology.gpus().get(gpu).sm() >= rules.firstPortSharersSm
                  && rules.sharesFirstPort(Arrays.stream(near).mapToObj(topology.nets()::get));
    };
  }

  /** The low bits of a number in reverse, so that neighbouring GPUs land on distant ports. */
  private static int mirrorBits(int value, int powerOfTwo) {
    int mirror = 0;
    for (int bit = 1, mirrored = powerOfTwo >> 1; bit < powerOfTwo; bit <<= 1, mirrored >>= 1) {
      if ((value & bit) != 0) {
        mirror |= mirrored;
      }
    }
    return mirror;
  }

  /** The GPU that uses a port for the lowest channel; -1 if none does. */
  public int gpuOf(int net) {
    int first = firstLike[net];
    int best = -1;
    int lowest = Integer.MAX_VALUE;
    for (int gpu : gpusNear(first)) {
      int turns = Math.min(netsPerGpu(gpu), maxChannels);
      for (int channel = 0; channel < turns && channel < lowest; channel++) {
        if (netFor(gpu, channel) == first) {
          best = gpu;
          lowest = channel;
        }
      }
    }
    return best;
  }
}
