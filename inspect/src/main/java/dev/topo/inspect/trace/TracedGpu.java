package dev.topo.inspect.trace;

/**
 * GPU of a rank, as named in its trace.
 *
 * @param name its name: {@code NVIDIA H200}
 * @param sm its compute capability, as {@code sm} in NCCL's topology files: 90
 */
public record TracedGpu(String name, int sm) {
  /** Name and compute capability: {@code NVIDIA H200 (sm 90)}. */
  public String label() {
    return name + " (sm " + sm + ")";
  }
}
