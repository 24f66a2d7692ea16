package dev.topo.simulator.memory;

/** Places of NCCL's memory. */
public enum MemoryPlace {
  /** On the GPU. */
  GPU("gpu"),
  /**
   * On the host, in the shared resident memory of the process ({@code RssShmem}): pinned memory and
   * {@code /dev/shm}.
   */
  HOST_SHARED("host-shared"),
  /** On the host, allocated through cuMem: not part of the process's resident memory. */
  HOST("host");

  private final String label;

  MemoryPlace(String label) {
    this.label = label;
  }

  /** Name in outputs. */
  public String label() {
    return label;
  }
}
