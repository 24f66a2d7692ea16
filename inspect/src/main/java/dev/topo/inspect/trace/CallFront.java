package dev.topo.inspect.trace;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Ranks of a communicator that came equally far in its calls, as NCCL's RAS or dumps of PyTorch's
 * Flight Recorder state it.
 *
 * @param communicator its name, and the operation if only the calls of one are counted
 * @param size its number of ranks; 0 if unknown
 * @param number number of the last call that the ranks entered; 0 if none, {@link #SILENT} if they
 *     did not answer
 * @param call that call
 * @param isDone whether the last call is complete on these ranks; true if that is unknown
 * @param count number of the ranks
 * @param hosts the ranks that are listed, with their hosts; empty texts where these are unknown
 */
public record CallFront(
    String communicator,
    int size,
    long number,
    String call,
    boolean isDone,
    int count,
    SortedMap<Integer, String> hosts) {
  /** Number of ranks that did not answer, or of which there is no dump. */
  public static final long SILENT = -1;

  /** Copies the map. */
  public CallFront {
    hosts = Collections.unmodifiableSortedMap(new TreeMap<>(hosts));
  }
}
