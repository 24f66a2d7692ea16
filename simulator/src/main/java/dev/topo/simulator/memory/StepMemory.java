package dev.topo.simulator.memory;

import java.util.List;

/**
 * Memory that a rank takes in a step.
 *
 * @param step the step
 * @param rank the rank in the job
 * @param parts the parts, largest first; empty if the step takes no memory
 */
public record StepMemory(MemoryStep step, int rank, List<MemoryPart> parts) {
  public StepMemory {
    parts = List.copyOf(parts);
  }

  /** Bytes on its GPU. */
  public long gpuBytes() {
    return bytes(MemoryPlace.GPU);
  }

  /** Growth of the shared resident memory of its process, in bytes. */
  public long hostSharedBytes() {
    return bytes(MemoryPlace.HOST_SHARED);
  }

  /** Bytes in one place. */
  public long bytes(MemoryPlace place) {
    return parts.stream().filter(part -> part.place() == place).mapToLong(MemoryPart::bytes).sum();
  }
}
