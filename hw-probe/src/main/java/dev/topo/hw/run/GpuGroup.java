package dev.topo.hw.run;

/**
 * The GPUs that one thread drives: each a rank of a communicator, with a stream and two buffers.
 * Methods are called by that thread alone, but {@link #read} and {@link #write} for different GPUs
 * at once, and {@link #abort} by any thread. They fail with {@link RunFailure}.
 */
public interface GpuGroup {
  /** The two buffers of a GPU. */
  enum Buffer {
    /** The data that a collective reads, unless in place. */
    SEND,
    /** The result. */
    RECEIVE
  }

  int size();

  /** Number of ranks of the communicator, those of other threads and processes among them. */
  int nRanks();

  int rank(int gpu);

  /** Selects the communicators of a variant of a comparison for all that follows. */
  void select(int variant);

  void groupStart();

  /** Launches the calls since {@link #groupStart}. */
  void groupEnd();

  /** NCCL's estimate for the calls since {@link #groupStart}, which are not launched. */
  double groupEstimateUs();

  /**
   * Queues a call.
   *
   * @param source which buffer it reads
   * @param sendBytes where in it
   * @param receiveBytes where in the receive buffer it writes
   */
  void launch(int gpu, CallArguments call, Buffer source, long sendBytes, long receiveBytes);

  /** True if all queued calls are complete; fails if the communicator has failed. */
  boolean isDone(int gpu);

  /** Records a CUDA event on the stream of each GPU; a number may be used again. */
  void record(int event);

  /** The time between two recorded events that the GPU has reached, in µs. */
  double elapsedUs(int gpu, int fromEvent, int toEvent);

  /** Aborts the communicators; no other method may be called afterwards. */
  void abort();

  /** Starts stream capture: calls are recorded instead of run. */
  void beginGraph();

  /** Instantiates a CUDA graph of the recorded calls. */
  void endGraph();

  void launchGraph();

  void dropGraph();

  /** Writes content to a buffer and waits for it. */
  void write(int gpu, Buffer buffer, long baseBytes, Piece piece);

  /** Copies a part of a buffer to an array and waits for it. */
  void read(int gpu, Buffer buffer, long fromBytes, byte[] target, int length);
}
