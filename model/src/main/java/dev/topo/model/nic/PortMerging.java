package dev.topo.model.nic;

/**
 * How a version of NCCL merges ports: which ones, the treatment of the others, the parent of the
 * merged device and the width of its link ({@code ncclTopoMakeVNics}, {@code
 * ncclTopoGetVNicParent}, {@code nccl:src/graph/topo.cc}; {@code ncclIbInit}, {@code
 * nccl:src/transport/net_ib.cc}).
 */
public enum PortMerging {
  /** Ports are not merged (2.19). */
  NONE,
  /**
   * The network merges pairs of ports of one card before NCCL lists them: a pair replaces its first
   * port, and numbers follow the order of the devices (2.20 and 2.21).
   */
  PAIRS,
  /** As {@link #PAIRS}, and no ports are merged if one of them has no partner (2.22 and 2.23). */
  PAIRS_ONLY,
  /**
   * As {@link #RENUMBERED}, and NCCL fails where its network does not merge ports that are near
   * enough (2.24 and 2.25).
   */
  RENUMBERED_OR_FAILED,
  /**
   * Under the CPU that the ports share, or on a new PCI device under their PCI device; all links
   * are unchanged. Unmerged ports become devices, too; device numbers continue after those of the
   * ports. A merged port is kept if its card holds another device. NCCL does not find a merged
   * device of ports of one card (2.26).
   */
  RENUMBERED,
  /**
   * Under the CPU or the PCI device that the ports share, on a new PCI device if that is a switch;
   * all links are unchanged (2.27).
   */
  PLAIN,
  /**
   * On a new PCI device under a switch or a CPU; the links between the ports and their common
   * device become as wide as all of them together (2.28.3 to 2.30.4).
   */
  WIDENED,
  /**
   * On a new PCI device under a switch or a CPU; only its link is as wide as the links of all ports
   * together; ports of several CPUs are refused (from 2.30.7 on).
   */
  OWN;

  /** True if the network merges ports of a card, regardless of NCCL's level and forced groups. */
  public boolean isByNetwork() {
    return this == PAIRS || this == PAIRS_ONLY;
  }

  /** True if every port becomes a virtual device, including unmerged ones. */
  public boolean isRenumbering() {
    return this == RENUMBERED || this == RENUMBERED_OR_FAILED;
  }

  /**
   * True if separate CollNet ports are kept alongside their merged device, which is not modelled.
   */
  public boolean keepsCollNet() {
    return this == OWN || isRenumbering() || isByNetwork();
  }
}
