package dev.topo.hw.run;

/**
 * GPUs that one thread drives: each is a rank of a communicator, with a stream and two buffers.
 * Only that thread calls the methods, except that {@link #read} and {@link #write} run for
 * different GPUs at once, and that any thread may call {@link #abort}. They fail with {@link
 * RunFailure}.
 */
public interface GpuGroup {
  /** Buffers of a GPU. */
  enum Buffer {
    /** Source of a collective, unless in place. */
    SEND,
    /** The result. */
    RECEIVE
  }

  int size();

  /** Number of ranks of the communicator, including those of other threads and processes. */
  int nRanks();

  int rank(int gpu);

  /** Selects the communicators of a variant for all following calls. */
  void select(int variant);

  void groupStart();

  /** Launches the calls since {@link #groupStart}. */
  void groupEnd();

  /** NCCL's estimate for the calls since {@link #groupStart}, which are not launched. */
  double groupEstimateUs();

  /**
   * Queues a call.
   *
   * @param source buffer to read
   * @param sendBytes offset in the source
   * @param receiveBytes offset of the result in the receive buffer
   */
  void launch(int gpu, CallArguments call, Buffer source, long sendBytes, long receiveBytes);

  /**
   * True if all queued calls are complete.
   *
   * @throws RunFailure if the communicator has failed
   */
  boolean isDone(int gpu);

  /** Records a CUDA event on the stream of each GPU; event numbers may be reused. */
  void record(int event);

  /** Time between two recorded events that the GPU has reached, in µs. */
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
