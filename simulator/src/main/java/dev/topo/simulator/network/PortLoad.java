package dev.topo.simulator.network;

import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;

/**
 * Load of the busiest port of a call, in one direction: the port that takes longest for its part.
 * Times are in picoseconds for one byte of each channel (for sends and receives, one byte of each
 * transfer).
 *
 * @param node node of the port
 * @param port name of the port
 * @param flows number of flows; may be fractional
 * @param linePsPerByte time at the line rate of the port, or at the rate of its card's PCI link if
 *     that is slower
 * @param bridgePsPerByte time of the data that crosses a host bridge between GPU and port, at the
 *     rate of the GPU's PCI link
 * @param hostPsPerByte time of the data that is copied through host memory, at the same rate
 * @param linkPsPerByte time of the busiest link inside a node for the traffic between GPUs and
 *     between GPUs and ports, at its raw rate
 * @param ports ports that the call uses on that node in that direction
 */
public record PortLoad(
    int node,
    String port,
    double flows,
    double linePsPerByte,
    double bridgePsPerByte,
    double hostPsPerByte,
    double linkPsPerByte,
    UsedPorts ports) {
  private static final double PS_PER_NS = 1000;

  /**
   * The ports of a node that a call uses in one direction.
   *
   * @param number number of ports
   * @param gbps total bandwidth of the ports in GB/s; 0 if unknown
   * @param isCardSlower whether the PCI links of the cards limit that bandwidth
   */
  public record UsedPorts(int number, double gbps, boolean isCardSlower) {
    static final UsedPorts NONE = new UsedPorts(0, 0, false);
  }

  /** Parts of the path between a GPU and the network that may limit a port. */
  public enum PathLimit {
    /** The port itself. */
    PORT(""),
    /** The PCI link of its card. */
    CARD("PCI link of "),
    /** The PCI links of GPUs that reach the port across a host bridge. */
    HOST_BRIDGE("host bridge to "),
    /** Copies through host memory. */
    HOST_MEMORY("host memory to "),
    /** A link that traffic between GPUs shares with traffic of ports. */
    LINKS("links inside the node to ");

    private final String label;

    PathLimit(String label) {
      this.label = label;
    }

    /** Text that precedes the name of the port. */
    public String label() {
      return label;
    }
  }

  /** Load of a port, without links inside the node and other ports. */
  public PortLoad(
      int node,
      String port,
      double flows,
      double linePsPerByte,
      double bridgePsPerByte,
      double hostPsPerByte) {
    this(node, port, flows, linePsPerByte, bridgePsPerByte, hostPsPerByte, 0, UsedPorts.NONE);
  }

  /** No traffic between nodes. */
  public static final PortLoad NONE = new PortLoad(0, "", 0, 0, 0, 0);

  /** Load when {@code groups} groups send the same at the same time. */
  PortLoad times(int groups) {
    return new PortLoad(
        node,
        port,
        groups * flows,
        groups * linePsPerByte,
        groups * bridgePsPerByte,
        groups * hostPsPerByte,
        groups * linkPsPerByte,
        ports);
  }

  /**
   * Time for one byte, in picoseconds.
   *
   * @param share fraction of the line rate that is reached
   * @param maxGBps largest bandwidth of the port
   */
  double psPerByte(NetworkCalibration constants, double share, double maxGBps) {
    double toPort = Math.max(portPsPerByte(share, maxGBps), hostPathPsPerByte(constants));
    return Math.max(toPort, linkPsPerByte);
  }

  private double portPsPerByte(double share, double maxGBps) {
    return Math.max(linePsPerByte, flows * PS_PER_NS / maxGBps) / share;
  }

  private double hostPathPsPerByte(NetworkCalibration constants) {
    return bridgePsPerByte / constants.value(NetworkConstant.SHARE_BRIDGE)
        + hostPsPerByte / constants.value(NetworkConstant.SHARE_HOST);
  }

  /** The part of the path that determines {@link #psPerByte}. */
  PathLimit limit(NetworkCalibration constants, double share, double maxGBps) {
    if (linkPsPerByte >= psPerByte(constants, share, maxGBps)) {
      return PathLimit.LINKS;
    }
    if (hostPathPsPerByte(constants) > portPsPerByte(share, maxGBps)) {
      return hostPsPerByte > bridgePsPerByte ? PathLimit.HOST_MEMORY : PathLimit.HOST_BRIDGE;
    }
    boolean isCard = ports.isCardSlower() && linePsPerByte >= flows * PS_PER_NS / maxGBps;
    return isCard ? PathLimit.CARD : PathLimit.PORT;
  }
}
