package dev.topo.search.transfer;

import java.util.List;

/**
 * A kernel that sends and receives.
 *
 * @param channels its channels, each a block of threads, ascending
 * @param threads threads of a block
 * @param rounds rounds that it runs
 * @param batches batches of transfers, over all channels
 * @param mostAtOnce the most rounds of a batch, which share the threads of a block
 * @param inArguments whether its arguments describe all transfers, not a buffer
 */
public record PeerKernel(
    List<Integer> channels,
    int threads,
    int rounds,
    int batches,
    int mostAtOnce,
    boolean inArguments) {
  public PeerKernel {
    channels = List.copyOf(channels);
  }
}
