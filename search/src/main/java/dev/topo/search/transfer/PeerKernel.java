package dev.topo.search.transfer;

import java.util.List;

/**
 * A kernel that sends and receives.
 *
 * @param channels its channels in ascending order; each is run by one thread block
 * @param threads threads per block
 * @param rounds number of rounds that it runs
 * @param batches number of batches of transfers on all channels
 * @param mostAtOnce largest number of rounds in a batch, which share the threads of a block
 * @param inArguments whether all transfers are described in the kernel's arguments instead of in a
 *     buffer
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
