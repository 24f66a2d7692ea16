package dev.topo.hw.probe;

/** Representations of network devices in a topology. */
public enum NicView {
  /** Separate ports, as in the file that {@code NCCL_TOPO_DUMP_FILE} names. */
  PHYSICAL,
  /**
   * Merged into virtual devices where NCCL merges them, as in NCCL's search with one process per
   * GPU. (With one process for several GPUs, NCCL removes the merged ports for the first GPU only.)
   */
  MERGED
}
