package dev.topo.inspect.trace;

/**
 * The GPU of a rank, as its trace names it.
 *
 * @param name its name: {@code NVIDIA H200}
 * @param sm its compute capability, as the {@code sm} of NCCL's topology files: 90
 */
public record TracedGpu(String name, int sm) {
  /** The name and the compute capability, for people. */
  public String label() {
    return name + " (sm " + sm + ")";
  }
}
