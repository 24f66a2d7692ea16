package dev.topo.search.bound;

/** Which links of a machine a bound counts. */
public enum LinkScope {
  /**
   * The links of the paths that NCCL takes between GPUs, and between GPUs and ports: no schedule
   * over NCCL's connections exceeds their rates. PCI beside NVLink is not among them.
   */
  PATHS,
  /** All links of the machine: no data transfer of any library exceeds their rates. */
  ALL
}
