package dev.topo.hw.run;

/** A GPU of a process, with two buffers and without a communicator at first. */
public interface MemoryGpu {
  /** The version of the library, {@code 22809} for 2.28.9. */
  int ncclVersion();

  UsedDevice device();

  /** Bytes of the GPU that are free. */
  long freeBytes();

  /** Makes the communicator of all ranks, as {@code ncclCommInitRank} does. */
  void join();

  /** Makes a call and waits for its end. */
  void call(MemoryPlan.Call call);

  /** Ends the communicator. */
  void leave();
}
