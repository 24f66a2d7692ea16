package dev.topo.hw.sysfs;

import java.util.List;
import java.util.Optional;

/**
 * A PCI device as sysfs shows it and as NCCL reads it. Texts are as in sysfs; an empty one could
 * not be read.
 *
 * @param linkSpeed the slower of the device's and the port's highest speed, {@code 32.0 GT/s PCIe}
 * @param linkWidth the smaller of the device's and the port's number of lanes; 0 where one is not
 *     known
 * @param numaNode the NUMA node, {@code -1} where there is none
 * @param upstream the bridge that NCCL puts the device under: two levels up, past the port; empty
 *     at a root complex
 * @param peerSwitches bus ids of switches that a Broadcom switch is linked to
 */
public record PciDevice(
    String busId,
    String pciClass,
    String vendor,
    String device,
    String subsystemVendor,
    String subsystemDevice,
    String linkSpeed,
    int linkWidth,
    String numaNode,
    Optional<String> upstream,
    List<String> peerSwitches) {
  public PciDevice {
    peerSwitches = List.copyOf(peerSwitches);
  }
}
