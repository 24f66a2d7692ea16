package dev.topo.simulator.evaluate;

import dev.topo.model.NetNode;
import dev.topo.model.job.NcclSettings;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkKind;
import java.util.List;

/**
 * Which of the calibrations that come with topo goes with the ports of a job, by their names and
 * what NCCL states for them, and the settings: NCCL's file has no kind of network.
 *
 * @param calibration the calibration
 * @param reason what it was chosen by: {@code by ports: cxi0}
 */
record NetworkChoice(NetworkCalibration calibration, String reason) {
  /** The calibration for the ports of a node. */
  public static NetworkChoice of(List<NetNode> ports, NcclSettings settings) {
    if (settings.usesSockets()) {
      return of(NetworkKind.SOCKETS, "by settings: TCP");
    }
    if (ports.isEmpty()) {
      return of(NetworkKind.RDMA, "by ports: none");
    }
    NetNode port = ports.get(0);
    return of(
        NetworkKind.of(port), "by ports: " + (port.name().isEmpty() ? "unnamed" : port.name()));
  }

  private static NetworkChoice of(NetworkKind kind, String reason) {
    return new NetworkChoice(kind.constants(), reason);
  }
}
