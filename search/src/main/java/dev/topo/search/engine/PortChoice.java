package dev.topo.search.engine;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NetNode;
import dev.topo.model.job.NcclSettings.NetDevsPolicy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ports that a channel may begin or end at, in the order in which they are tried: those that
 * the GPUs prefer, then all others that are near enough ({@code ncclTopoSelectNets}, {@code
 * nccl:src/graph/search.cc}).
 */
final class PortChoice {
  private static final int ANY_GPU = -1;

  private final SearchSpace space;
  private final NetDevsPolicy policy;
  private final boolean gpuFirst;
  private final int[] @Nullable [] chosen;

  PortChoice(SearchSpace space, NetDevsPolicy policy, boolean scatterNets) {
    this.space = space;
    this.policy = policy;
    this.gpuFirst = space.severalHosts && space.rules.scattersPorts && scatterNets;
    this.chosen = new int[(space.gpus + 1) * PathType.values().length][];
  }

  /** The ports at which a channel may begin, for any GPU. */
  int[] forAnyGpu(PathType farthest) {
    return forGpu(ANY_GPU, farthest);
  }

  int[] forGpu(int gpu, PathType farthest) {
    int at = (gpu + 1) * PathType.values().length + farthest.rank();
    int[] ports = chosen[at];
    if (ports == null) {
      ports = choose(gpu, farthest);
      chosen[at] = ports;
    }
    return ports;
  }

  private int[] choose(int gpu, PathType farthest) {
    if (space.nets == 0) {
      return new int[0];
    }
    Set<Integer> ports = new LinkedHashSet<>();
    int firstGpu = gpu == ANY_GPU ? 0 : gpu;
    int lastGpu = gpu == ANY_GPU ? space.gpus - 1 : gpu;
    if (gpuFirst) {
      addPreferredByTurns(ports, firstGpu, lastGpu);
    } else {
      for (int g = firstGpu; g <= lastGpu; g++) {
        addPreferred(ports, g);
      }
    }
    int limit = Integer.MAX_VALUE;
    if (policy.kind() == NetDevsPolicy.Kind.MAX && space.rules.policyLimitsAllPorts) {
      limit = policy.max() * (lastGpu - firstGpu + 1);
    }
    addOthers(ports, firstGpu, lastGpu, farthest, limit);
    return ports.stream().mapToInt(Integer::intValue).toArray();
  }

  /** All ports of one GPU in the order of its channels. */
  private void addPreferred(Set<Integer> ports, int gpu) {
    int first = space.locals.netFor(gpu, 0);
    for (int channel = 0; channel < space.rules.maxChannels; channel++) {
      int net = space.locals.netFor(gpu, channel);
      if (channel > 0 && net == first) {
        return;
      }
      ports.add(net);
    }
  }

  /** One port of each GPU for the first channel, then for the second, and so on. */
  private void addPreferredByTurns(Set<Integer> ports, int firstGpu, int lastGpu) {
    boolean[] done = new boolean[space.gpus];
    for (int channel = 0; channel < space.rules.maxChannels; channel++) {
      for (int g = firstGpu; g <= lastGpu; g++) {
        if (done[g]) {
          continue;
        }
        int net = space.locals.netFor(g, channel);
        if (channel > 0 && net == space.locals.netFor(g, 0)) {
          done[g] = true;
        } else {
          ports.add(net);
        }
      }
    }
  }

  private void addOthers(
      Set<Integer> ports, int firstGpu, int lastGpu, PathType farthest, int limit) {
    int tried =
        space.rules.triesAllPorts ? space.nets : Math.min(space.nets, space.rules.maxChannels);
    int last = space.pathRules.number(farthest);
    for (int number = 0; number <= last && ports.size() < limit; number++) {
      for (int g = firstGpu; g <= lastGpu; g++) {
        for (int n = 0; n < tried && ports.size() < limit; n++) {
          if (space.gpuToNet(g, n).typeNumber == number) {
            ports.add(n);
          }
        }
      }
    }
  }

  /**
   * The bandwidth left at each port, in GB/s. Ports of one chip with the same port number share
   * their bandwidth.
   */
  static final class PortBandwidth {
    private final List<NetNode> nodes;
    private final float[] left;

    PortBandwidth(SearchSpace space) {
      nodes = space.netNodes;
      left = new float[space.nets];
      for (int n = 0; n < left.length; n++) {
        left[n] = nodes.get(n).bwGBps();
      }
    }

    /** The bandwidth left at all ports in GB/s. */
    float[] left() {
      return left.clone();
    }

    boolean has(int port, int bw) {
      return left[port] >= bw;
    }

    void take(int port, int bw) {
      NetNode node = nodes.get(port);
      for (int n = 0; n < left.length; n++) {
        NetNode other = nodes.get(n);
        if (other.asic() == node.asic() && other.port() == node.port()) {
          left[n] -= bw;
        }
      }
    }

    void giveBack(int port, int bw) {
      take(port, -bw);
    }
  }
}
