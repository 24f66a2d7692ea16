package dev.topo.run.job;

/**
 * A GPU that takes part.
 *
 * @param rank its rank among all GPUs of the run
 * @param color the communicator that it belongs to
 * @param pid the process that drives it
 * @param busId its bus id, {@code 0000:0b:00.0}
 */
public record UsedDevice(
    int rank, int color, long pid, String host, int device, String busId, String name) {}
