package dev.topo.hw.run;

import java.util.stream.IntStream;

/**
 * Times single iterations with CUDA events ({@code -I}, {@code recordEvents} and {@code
 * getElapsedTimes}, {@code nccl-tests:src/common.cu}, 2.19.6): an event ends one iteration and
 * begins the next, unless there is a barrier between them.
 *
 * @param isOn whether events are recorded
 * @param paired whether each iteration has its own two events
 * @param aggregated number of calls in an iteration
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

  /** Ends an iteration on the GPUs. */
  void end(int iteration) {
    if (isOn && paired) {
      gpus.record(last(iteration));
    }
  }

  /** Ends the last iteration after it is queued. */
  void end() {
    if (isOn && !paired) {
      gpus.record(iterations);
    }
  }

  /** Time of a call in each iteration on the slowest of the GPUs, in µs. */
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
