package dev.topo.model;

/** The kinds of nodes in a topology, in NCCL's order. A {@code CPU} is a NUMA domain. */
public enum NodeType {
  /** A GPU that takes part in the job. */
  GPU,
  /** A PCI bridge or switch. */
  PCI,
  /** The NVSwitches of a machine, which NCCL models as one node. */
  NVS,
  /** A NUMA domain with its memory. */
  CPU,
  /** A network card: one PCI function, with one or more network ports. */
  NIC,
  /** A network port that NCCL can send from and receive on. */
  NET
}
