package dev.topo.probe.sysfs.network;

import dev.topo.probe.sysfs.BusPath;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A network interface of the kernel.
 *
 * @param name {@code eth0}
 * @param running whether it is up and has a carrier
 * @param families the families of the addresses it has
 * @param speedMbps the number in its file {@code speed}; 0 if it cannot be read, negative if not
 *     known
 * @param path where it is; empty for one that exists in software only
 */
public record NetworkInterface(
    String name,
    int index,
    boolean running,
    Set<AddressFamily> families,
    int speedMbps,
    Optional<BusPath> path) {
  public NetworkInterface {
    families =
        families.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(families));
  }
}
