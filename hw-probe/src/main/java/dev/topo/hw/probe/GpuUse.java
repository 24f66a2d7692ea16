package dev.topo.hw.probe;

/**
 * A GPU that NCCL would use.
 *
 * @param busId its PCI bus id; empty if not known
 * @param model its name, {@code NVIDIA H200}; empty if the driver does not report it
 * @param sm compute capability, {@code 90} for 9.0; 0 if not known
 * @param numa the NUMA node it is at, as NCCL's topology has it; empty if none
 * @param gdr whether CUDA lets NICs reach its memory
 */
public record GpuUse(int dev, String busId, String model, int sm, String numa, boolean gdr) {}
