package dev.topo.run.job;

/**
 * A GPU that takes part.
 *
 * @param rank its rank among all GPUs of the run
 */
public record UsedDevice(
    int rank, int color, long pid, String host, int device, String busId, String name) {}
