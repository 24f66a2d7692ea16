package dev.topo.model.nic;

/**
 * Where a version of NCCL puts a device of merged ports, and how wide its link is ({@code
 * ncclTopoGetVNicParent}, {@code nccl:src/graph/topo.cc}).
 */
public enum MergedLinks {
  /**
   * As {@link #RENUMBERED}, and NCCL fails where its network does not merge ports that are near
   * enough (2.24 and 2.25).
   */
  RENUMBERED_OR_FAILED,
  /**
   * Under the CPU that the ports share, or on a new PCI device under their PCI device; all links
   * stay as they are. Ports of their own become devices, too, with numbers after those of all
   * ports. A port stays a device if its card holds another one, and the device of ports of one card
   * is not found (2.26).
   */
  RENUMBERED,
  /**
   * Under the CPU or the PCI device that the ports share, on a new PCI device if that is a switch;
   * all links stay as they are (2.27).
   */
  PLAIN,
  /**
   * On a new PCI device under a switch or a CPU; the links between the ports and what they share
   * become as wide as all of them together (from 2.28 on).
   */
  WIDENED,
  /**
   * On a new PCI device under a switch or a CPU, and only its link is as wide as those of all ports
   * together; ports of several CPUs are refused (from 2.30.7 on).
   */
  OWN;

  /** True if every port becomes a virtual device, also one that is not merged. */
  public boolean isRenumbering() {
    return this == RENUMBERED || this == RENUMBERED_OR_FAILED;
  }
}
