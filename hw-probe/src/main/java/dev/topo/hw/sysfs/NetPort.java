package dev.topo.hw.sysfs;

import dev.topo.model.NicMerging;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A network device as NCCL's core sees it ({@code ncclNetProperties_t}).
 *
 * @param name {@code mlx5_0}
 * @param busId the PCI device it is on; empty for one that is attached to the first CPU
 * @param port its port, with those of the same card counted
 * @param peerMemory whether it reaches GPU memory through a kernel module
 * @param dmaBuf whether it reaches GPU memory through DMA-BUF
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
  /** The virtual device made of some of these ({@code ncclIbMakeVDeviceInternal}). */
  public static NetPort merged(List<NetPort> ports, List<Integer> members) {
    NetPort first = ports.get(members.get(0));
    return new NetPort(
        members.stream()
            .map(i -> ports.get(i).name())
            .collect(Collectors.joining(NicMerging.JOINT)),
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
