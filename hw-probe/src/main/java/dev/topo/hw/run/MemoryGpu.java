package dev.topo.hw.run;

/** GPU of a process, with two buffers and initially without a communicator. */
public interface MemoryGpu {
  /** Version of the library, {@code 22809} for 2.28.9. */
  int ncclVersion();

  UsedDevice device();

  /** Free memory of the GPU in bytes. */
  long freeBytes();

  /** Creates the communicator of all ranks, as {@code ncclCommInitRank} does. */
  void join();

  /** Runs a call to its end. */
  void call(MemoryPlan.Call call);

  /** Destroys the communicator. */
  void leave();
}
