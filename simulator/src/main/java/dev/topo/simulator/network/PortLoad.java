package dev.topo.simulator.network;

import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;

/**
 * The port that takes the longest for its part of a call, in one direction: times for one byte of
 * each channel (of sends and receives, one byte of each transfer).
 *
 * @param node node of the port
 * @param port its name
 * @param flows number of flows, parts of them included
 * @param linePsPerByte at its line rate, or at that of its card's PCI link if that is slower, in
 *     picoseconds
 * @param bridgePsPerByte of the part that crosses a host bridge between GPU and port, at the rate
 *     of the GPU's PCI link
 * @param hostPsPerByte of the part that is copied through the host's memory, likewise
 * @param ports the ports that the call uses on that node in that direction
 */
public record PortLoad(
    int node,
    String port,
    double flows,
    double linePsPerByte,
    double bridgePsPerByte,
    double hostPsPerByte,
    UsedPorts ports) {
  private static final double PS_PER_NS = 1000;

  /**
   * The ports of a node that a call uses in one direction.
   *
   * @param number how many
   * @param gbps what they carry together; 0 where it is not known
   * @param isCardSlower whether that is limited by the PCI links of their cards
   */
  public record UsedPorts(int number, double gbps, boolean isCardSlower) {
    static final UsedPorts NONE = new UsedPorts(0, 0, false);
  }

  /** The parts of the path between a GPU and the network that may limit a port. */
  public enum PathLimit {
    /** The port itself. */
    PORT(""),
    /** The PCI link of its card. */
    CARD("PCI link of "),
    /** The PCI links of GPUs that reach it across a host bridge. */
    HOST_BRIDGE("host bridge to "),
    /** Copies through the host's memory. */
    HOST_MEMORY("host memory to ");

    private final String label;

    PathLimit(String label) {
      this.label = label;
    }

    /** The part before the name of the port. */
    public String label() {
      return label;
    }
  }

  /** A port whose node is not looked at. */
  public PortLoad(
      int node,
      String port,
      double flows,
      double linePsPerByte,
      double bridgePsPerByte,
      double hostPsPerByte) {
    this(node, port, flows, linePsPerByte, bridgePsPerByte, hostPsPerByte, UsedPorts.NONE);
  }

  /** No traffic between nodes. */
  public static final PortLoad NONE = new PortLoad(0, "", 0, 0, 0, 0);

  /** The load while so many groups send alike. */
  PortLoad times(int groups) {
    return new PortLoad(
        node,
        port,
        groups * flows,
        groups * linePsPerByte,
        groups * bridgePsPerByte,
        groups * hostPsPerByte,
        ports);
  }

  /** Time for one byte, in picoseconds, with a limit of a port in GB/s. */
  double psPerByte(NetworkCalibration constants, double share, double mostGBps) {
    return Math.max(ownPsPerByte(share, mostGBps), behindPsPerByte(constants));
  }

  private double ownPsPerByte(double share, double mostGBps) {
    return Math.max(linePsPerByte, flows * PS_PER_NS / mostGBps) / share;
  }

  private double behindPsPerByte(NetworkCalibration constants) {
    return bridgePsPerByte / constants.value(NetworkConstant.SHARE_BRIDGE)
        + hostPsPerByte / constants.value(NetworkConstant.SHARE_HOST);
  }

  /** The part of the path that takes that time. */
  PathLimit limit(NetworkCalibration constants, double share, double mostGBps) {
    if (behindPsPerByte(constants) > ownPsPerByte(share, mostGBps)) {
      return hostPsPerByte > bridgePsPerByte ? PathLimit.HOST_MEMORY : PathLimit.HOST_BRIDGE;
    }
    boolean isCard = ports.isCardSlower() && linePsPerByte >= flows * PS_PER_NS / mostGBps;
    return isCard ? PathLimit.CARD : PathLimit.PORT;
  }
}
