package dev.topo.run.launch;

import java.util.Optional;

/**
 * A process as its launcher made it.
 *
 * @param meetingPoint where they meet, {@code host:port}, for NCCL_COMM_ID
 */
public record LaunchedProcess(
    String launcher, int index, int size, int localIndex, Optional<String> meetingPoint) {}
