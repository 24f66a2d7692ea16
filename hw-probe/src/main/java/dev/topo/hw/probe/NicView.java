package dev.topo.hw.probe;

/** Representations of network devices in a topology. */
public enum NicView {
  /** Separate ports, as in the file that {@code NCCL_TOPO_DUMP_FILE} names. */
  PHYSICAL,
  /**
   * Merged into virtual devices where NCCL merges them, as NCCL's own search sees them in a process
   * for each GPU. (A single process for several GPUs removes the merged ports for the first GPU
   * only.)
   */
  MERGED
}
