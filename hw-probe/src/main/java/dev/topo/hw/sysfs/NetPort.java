package dev.topo.hw.sysfs;

import dev.topo.model.NicMerging;
import dev.topo.model.QuantityFormat;
import java.util.List;
import java.util.Optional;

/**
 * Network device as seen by NCCL's core ({@code ncclNetProperties_t}).
 *
 * @param name {@code mlx5_0}
 * @param busId bus id of its PCI device; empty if NCCL attaches it to the first CPU
 * @param port its port number, counted over the ports of the same card
 * @param peerMemory whether it accesses GPU memory through a kernel module
 * @param dmaBuf whether it accesses GPU memory through DMA-BUF
 */
public record NetPort(
    String name,
    Optional<String> busId,
    int speedMbps,
    int port,
    long guid,
    int maxConnections,
    boolean peerMemory,
    boolean dmaBuf,
    LinkLayer linkLayer) {
  /** Virtual device of some of these ports ({@code ncclIbMakeVDeviceInternal}). */
  public static NetPort merged(List<NetPort> ports, List<Integer> members) {
    NetPort first = ports.get(members.get(0));
    return new NetPort(
        QuantityFormat.joined(NicMerging.JOINT, members, i -> ports.get(i).name()),
        first.busId(),
        members.stream().mapToInt(i -> ports.get(i).speedMbps()).sum(),
        first.port(),
        first.guid(),
        first.maxConnections(),
        first.peerMemory(),
        first.dmaBuf(),
        first.linkLayer());
  }
}
