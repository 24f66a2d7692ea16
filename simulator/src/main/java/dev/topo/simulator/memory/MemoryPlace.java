package dev.topo.simulator.memory;

/** Where memory is that NCCL takes. */
public enum MemoryPlace {
  /** On the GPU. */
  GPU("gpu"),
  /**
   * On the host, in the shared resident memory of the process ({@code RssShmem}): pinned memory and
   * {@code /dev/shm}.
   */
  HOST_SHARED("host-shared"),
  /** On the host, allocated through cuMem: the process does not show it. */
  HOST("host");

  private final String label;

  MemoryPlace(String label) {
    this.label = label;
  }

  /** The name in outputs. */
  public String label() {
    return label;
  }
}
