package dev.topo.search.engine;

import dev.topo.model.NetNode;
import java.util.List;

/**
 * The bandwidth left at each port, in GB/s. Ports of one chip with the same port number share
 * theirs.
 */
final class PortBandwidth {
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
