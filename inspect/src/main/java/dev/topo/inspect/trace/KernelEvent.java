package dev.topo.inspect.trace;

/**
 * The profiler's note of a kernel of NCCL, as it stands in the trace; equal for all kernels of a
 * kind.
 *
 * @param kernel the name of the kernel
 * @param call {@code Collective name}
 * @param inElements {@code In msg nelems}, elements that the rank sends
 * @param outElements {@code Out msg nelems}, elements that it receives
 * @param dataType {@code dtype}
 * @param group {@code Process Group Name}
 * @param description {@code Process Group Description}
 * @param ranks {@code Process Group Ranks}
 * @param groupSize {@code Group size}
 * @param inSplit {@code In split size}, rows of the tensor for each rank
 * @param peer {@code Dst Rank} or {@code Src Rank} of a send or receive; -1 for none
 * @param grid number of thread blocks
 * @param block threads of a block
 */
record KernelEvent(
    String kernel,
    String call,
    long inElements,
    long outElements,
    String dataType,
    String group,
    String description,
    String ranks,
    int groupSize,
    String inSplit,
    int peer,
    int grid,
    int block) {
  /**
   * The note on what a trace of an uneven alltoall leaves open in a group of more than 30 ranks.
   */
  static final String CUT_NOTE =
      "the profiler writes the first 30 parts of an alltoallv only: where there are more, parts are taken to be equal";

  /** True if the kernel sends and receives, of one call or of several that are not named. */
  boolean isExchange() {
    return kernel.contains("SendRecv") && (call.isEmpty() || CallNames.isSendOrReceive(call));
  }

  /** True if the profiler left out some of the parts of the call. */
  boolean isCut() {
    return NumberList.parse(inSplit, TraceLimits.MOST_ELEMENTS).orElseThrow().isCut();
  }
}
