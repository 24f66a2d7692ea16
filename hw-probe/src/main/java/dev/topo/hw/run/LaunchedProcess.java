package dev.topo.hw.run;

import java.util.Optional;

/**
 * A process of a job, as its launcher started it.
 *
 * @param meetingPoint the rendezvous address {@code host:port} for NCCL_COMM_ID
 */
public record LaunchedProcess(
    String launcher, int index, int size, int localIndex, Optional<String> meetingPoint) {}
