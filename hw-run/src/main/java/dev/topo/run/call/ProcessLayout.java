package dev.topo.run.call;

/**
 * The threads and GPUs of a process.
 *
 * @param gpusPerThread GPUs that each of them drives, at least 1
 */
public record ProcessLayout(int threads, int gpusPerThread, Registration registration) {
  public ProcessLayout {
    if (threads < 1 || gpusPerThread < 1) {
      throw new IllegalArgumentException("threads and GPUs of a thread: expected at least 1");
    }
  }

  public static ProcessLayout ofOneThread(int gpus) {
    return new ProcessLayout(1, gpus, Registration.NONE);
  }

  public int gpus() {
    return threads * gpusPerThread;
  }
}
