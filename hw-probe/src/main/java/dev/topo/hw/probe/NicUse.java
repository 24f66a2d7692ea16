package dev.topo.hw.probe;

/**
 * A network device that NCCL would use.
 *
 * @param name {@code mlx5_0}, {@code eth0}
 * @param speedMbps its speed in NCCL's units
 * @param numa the NUMA node it is at, as NCCL's topology has it; empty if none
 * @param gdr whether it would reach GPU memory directly
 */
public record NicUse(String name, int port, int speedMbps, String numa, boolean gdr) {}
