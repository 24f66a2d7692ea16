package dev.topo.model.nic;

/**
 * Where a version of NCCL puts a device of merged ports, and how wide its link is ({@code
 * ncclTopoGetVNicParent}, {@code nccl:src/graph/topo.cc}).
 */
public enum MergedLinks {
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
  OWN
}
