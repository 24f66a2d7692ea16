package dev.topo.hw.run;

/**
 * Threads and GPUs of a process.
 *
 * @param gpusPerThread GPUs that each thread drives, at least 1
 * @param misalignment offset of buffers from an aligned address, in elements, at least 0
 * @param defaultStream whether calls are queued on CUDA's default stream instead of a stream of
 *     each GPU
 */
public record ProcessLayout(
    int threads,
    int gpusPerThread,
    Registration registration,
    int misalignment,
    boolean defaultStream) {
  public ProcessLayout {
    if (threads < 1 || gpusPerThread < 1) {
      throw new IllegalArgumentException("threads and GPUs of a thread: expected at least 1");
    }
    if (misalignment < 0) {
      throw new IllegalArgumentException(
          "-u %s: expected 0 or more elements".formatted(misalignment));
    }
  }

  /** Layout with aligned buffers and a stream for each GPU. */
  public static ProcessLayout of(int threads, int gpusPerThread, Registration registration) {
    return new ProcessLayout(threads, gpusPerThread, registration, 0, false);
  }

  public static ProcessLayout ofOneThread(int gpus) {
    return of(1, gpus, Registration.NONE);
  }

  public int gpus() {
    return threads * gpusPerThread;
  }
}
