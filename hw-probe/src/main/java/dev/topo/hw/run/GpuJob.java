package dev.topo.hw.run;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * GPUs of one process, with communicators and buffers.
 *
 * @param request the request without unsupported element types
 * @param ncclVersion version of the library, {@code 22809} for 2.28.9
 * @param replay the same GPUs for a replay, if the request has one
 * @param memory returns the GPU memory in use
 * @param closing destroys the communicators and frees the buffers
 */
public record GpuJob(
    RunRequest request,
    int ncclVersion,
    List<UsedDevice> devices,
    List<String> announcements,
    Peers peers,
    long bufferBytes,
    List<GpuGroup> groups,
    Optional<ReplayGpus> replay,
    Supplier<MemoryUse> memory,
    Runnable closing) {
  public GpuJob {
    devices = List.copyOf(devices);
    announcements = List.copyOf(announcements);
    groups = List.copyOf(groups);
  }
}
