package dev.topo.inspect.trace;

/**
 * Profiler event of an NCCL kernel without its times; equal for all kernels of one kind.
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
 * @param peer {@code Dst Rank} or {@code Src Rank} of a send or receive; -1 if there is none
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
   * Note on the data missing from the trace of an uneven alltoall in a group of more than 30 ranks.
   */
  static final String CUT_NOTE =
      "the profiler writes the first 30 parts of an alltoallv only: where there are more, parts are taken to be equal";

  /** True if the kernel sends and receives, for one call or for several unnamed ones. */
  boolean isExchange() {
    return kernel.contains("SendRecv") && (call.isEmpty() || CallNames.isSendOrReceive(call));
  }

  /** True if the profiler left out some of the call's parts. */
  boolean isCut() {
    return NumberList.parse(inSplit, TraceLimits.MAX_ELEMENTS).orElseThrow().isCut();
  }
}
