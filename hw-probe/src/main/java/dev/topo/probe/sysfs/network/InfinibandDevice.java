package dev.topo.probe.sysfs.network;

import dev.topo.probe.sysfs.BusPath;
import java.util.List;
import java.util.Optional;

/**
 * A device that Linux lists as InfiniBand: InfiniBand itself, RoCE, or iWARP.
 *
 * @param name {@code mlx5_0}
 * @param verbsNumber the number of its device file, {@code 0} of {@code uverbs0}; empty where a
 *     process cannot open it
 * @param path where it is, if it is on PCI or another bus
 * @param systemImageGuid the GUID of the card, as the number that NCCL makes of it
 * @param driver the kernel driver, {@code mlx5_core}; empty if not known
 */
public record InfinibandDevice(
    String name,
    Optional<Integer> verbsNumber,
    Optional<BusPath> path,
    long systemImageGuid,
    String driver,
    List<InfinibandPort> ports) {
  public InfinibandDevice {
    ports = List.copyOf(ports);
  }
}
