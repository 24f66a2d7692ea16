package dev.topo.hw.sysfs;

import java.util.List;
import java.util.Optional;

/**
 * PCI device as NCCL reads it from sysfs. Texts are as in sysfs; empty if they could not be read.
 *
 * @param linkSpeed the slower of the device's and the port's highest speed, {@code 32.0 GT/s PCIe}
 * @param linkWidth the smaller of the device's and the port's number of lanes; 0 if one is unknown
 * @param numaNode the NUMA node; {@code -1} if there is none
 * @param upstream bridge under which NCCL places the device: two levels up, above the port; empty
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
