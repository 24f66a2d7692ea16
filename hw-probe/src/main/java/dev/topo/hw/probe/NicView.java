package dev.topo.hw.probe;

/** The network devices of a topology. */
public enum NicView {
  /** Each port for itself, as in the file that {@code NCCL_TOPO_DUMP_FILE} names. */
  PHYSICAL,
  /**
   * Merged to virtual devices where NCCL merges them, as NCCL's own search sees them in a process
   * for each GPU. (In one process for several GPUs takes the merged ports out for the first GPU
   * only.)
   */
  MERGED
}
