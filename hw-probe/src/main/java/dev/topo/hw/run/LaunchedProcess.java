package dev.topo.hw.run;

import java.util.Optional;

/**
 * Process of a job, as started by its launcher.
 *
 * @param index its index among all processes of the job
 * @param size number of processes of the job
 * @param localIndex its index among the processes of its host
 * @param meetingPoint the rendezvous address {@code host:port} for NCCL_COMM_ID
 */
public record LaunchedProcess(int index, int size, int localIndex, Optional<String> meetingPoint) {}
