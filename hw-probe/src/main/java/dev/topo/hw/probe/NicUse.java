package dev.topo.hw.probe;

/**
 * Network device that NCCL would use.
 *
 * @param name {@code mlx5_0}, {@code eth0}
 * @param speedMbps its speed in NCCL's units (Mb/s)
 * @param numa its NUMA node in NCCL's topology; empty if there is none
 * @param gdr whether it would access GPU memory directly
 */
public record NicUse(String name, int port, int speedMbps, String numa, boolean gdr) {}
