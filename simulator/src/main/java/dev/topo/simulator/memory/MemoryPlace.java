package dev.topo.simulator.memory;

import dev.topo.model.Labels;

/** Places of NCCL's memory. */
public enum MemoryPlace {
  /** On the GPU. */
  GPU,
  /**
   * On the host, in the shared resident memory of the process ({@code RssShmem}): pinned memory and
   * {@code /dev/shm}.
   */
  HOST_SHARED,
  /** On the host, allocated through cuMem: not part of the process's resident memory. */
  HOST;

  /** Name in outputs. */
  public String label() {
    return Labels.of(this);
  }
}
