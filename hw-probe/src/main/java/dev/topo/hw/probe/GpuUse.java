package dev.topo.hw.probe;

/**
 * GPU that NCCL would use.
 *
 * @param busId its PCI bus id; empty if unknown
 * @param model its name, {@code NVIDIA H200}; empty if the driver does not report it
 * @param sm compute capability, {@code 90} for 9.0; 0 if unknown
 * @param numa its NUMA node in NCCL's topology; empty if there is none
 * @param gdr whether CUDA lets NICs access its memory
 */
public record GpuUse(int dev, String busId, String model, int sm, String numa, boolean gdr) {}
