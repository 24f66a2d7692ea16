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
 */
public record PortLoad(
    int node,
    String port,
    double flows,
    double linePsPerByte,
    double bridgePsPerByte,
    double hostPsPerByte) {
  private static final double PS_PER_NS = 1000;

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
        groups * hostPsPerByte);
  }

  /** Time for one byte, in picoseconds, with a limit of a port in GB/s. */
  double psPerByte(NetworkCalibration constants, double share, double mostGBps) {
    double behind =
        bridgePsPerByte / constants.value(NetworkConstant.SHARE_BRIDGE)
            + hostPsPerByte / constants.value(NetworkConstant.SHARE_HOST);
    return Math.max(Math.max(linePsPerByte, flows * PS_PER_NS / mostGBps) / share, behind);
  }
}
