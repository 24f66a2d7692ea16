package dev.topo.simulator.timing;

/**
 * AllReduce by NVLS on one node: each GPU reads its part from the switch, which reduces it on the
 * way, and stores it to the switch, which copies it to all ({@code runNvls} in {@code
 * nccl:src/device/all_reduce.h}). So the whole size leaves each GPU to be reduced and an n-th of it
 * to be copied, and as much arrives.
 */
final class NvlsTime {
  private NvlsTime() {}

  /**
   * The time to move the data of a call.
   *
   * @param efficiency what data gets of NVLink's planned bandwidth
   */
  static KernelTime of(CallShape shape, double efficiency) {
    double bytes = (double) shape.shareBytes() * shape.channels();
    double onLinks = bytes * (1 + 1.0 / shape.nRanks());
    double us =
        onLinks
            * shape.route().together().nvlinkPsPerByte()
            * PrimitiveCosts.US_PER_PS
            / efficiency;
    return new KernelTime(0, 0, us, 0, us);
  }
}
