package dev.topo.hw.run;

import java.util.stream.IntStream;

/**
 * Times single iterations by CUDA events ({@code -I}, {@code recordEvents} and {@code
 * getElapsedTimes}, {@code nccl-tests:src/common.cu}, 2.19.6): an event ends an iteration and
 * begins the next, unless a barrier is between them.
 *
 * @param isOn whether events are recorded
 * @param paired whether each iteration has two events of its own
 * @param aggregated calls in an iteration
 */
record IterationClock(GpuGroup gpus, boolean isOn, boolean paired, int iterations, int aggregated) {
  static IterationClock of(RunRequest request, GpuGroup gpus) {
    return new IterationClock(
        gpus,
        request.reporting().iterations(),
        request.repetition().blocking() == Blocking.EACH_ITERATION_AND_MEET,
        request.repetition().iterations(),
        request.repetition().aggregated());
  }

  void begin(int iteration) {
    if (isOn) {
      gpus.record(first(iteration));
    }
  }

  /** An iteration is over on the GPUs. */
  void end(int iteration) {
    if (isOn && paired) {
      gpus.record(last(iteration));
    }
  }

  /** The last iteration is queued. */
  void end() {
    if (isOn && !paired) {
      gpus.record(iterations);
    }
  }

  /** The time of a call in each iteration on the slowest of the GPUs, in µs. */
  double[] longestUs() {
    return IntStream.range(0, isOn ? iterations : 0).mapToDouble(this::longestUs).toArray();
  }

  private double longestUs(int iteration) {
    return IntStream.range(0, gpus.size())
            .mapToDouble(gpu -> gpus.elapsedUs(gpu, first(iteration), last(iteration)))
            .max()
            .orElse(0)
        / aggregated;
  }

  private int first(int iteration) {
    return paired ? 2 * iteration : iteration;
  }

  private int last(int iteration) {
    return first(iteration) + 1;
  }
}
