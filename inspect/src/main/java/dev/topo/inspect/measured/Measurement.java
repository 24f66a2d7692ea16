package dev.topo.inspect.measured;

import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Time of one collective of one size on real GPUs.
 *
 * @param nGpus participating GPUs, all driven by one process
 * @param collective the collective
 * @param forced algorithm and protocol that NCCL was forced to use; empty for its own choice
 * @param channels number of channels that NCCL was forced to use; empty for its own choice
 * @param sizeBytes size as nccl-tests counts it
 * @param timeUs time out of place in microseconds
 * @param inPlaceTimeUs time in place
 */
public record Measurement(
    int nGpus,
    Collective collective,
    Optional<Pair> forced,
    OptionalInt channels,
    long sizeBytes,
    double timeUs,
    double inPlaceTimeUs)
    implements MeasuredOperation {
  /**
   * Relative tolerance between a bandwidth and size divided by time: both are rounded to at least
   * two digits.
   */
  private static final double ROUNDING_TOLERANCE = 0.06;

  private static final double MIN_GBPS = 0.01;
  private static final double MIN_US = 1e-3;
  private static final double MAX_US = 1e12;

  public Measurement {
    checkTimes(nGpus, sizeBytes, timeUs, inPlaceTimeUs);
  }

  /**
   * Checks the values of a measured call.
   *
   * @throws IllegalArgumentException if a value is impossible
   */
  static void checkTimes(int nGpus, long sizeBytes, double timeUs, double inPlaceTimeUs) {
    if (nGpus < 1 || sizeBytes < 1 || !isTime(timeUs) || !isTime(inPlaceTimeUs)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d GPUs, %d bytes, %s and %s us: expected 1 or more, and times of 0.001 to 1e12 us",
              nGpus,
              sizeBytes,
              timeUs,
              inPlaceTimeUs));
    }
  }

  private static boolean isTime(double us) {
    return us >= MIN_US && us <= MAX_US;
  }

  /** The call, with single precision numbers. */
  public CollectiveCall call() {
    return CollectiveCall.of(collective, sizeBytes);
  }

  @Override
  public Collective operation() {
    return collective;
  }

  /**
   * Checks that a stated busbw matches the time. If it does not, the time, the collective or the
   * number of GPUs is not that of the run.
   *
   * @throws IllegalArgumentException if it is off by more than rounding
   */
  static void checkBusbw(MeasuredOperation of, double gbps, boolean inPlace) {
    double computed = of.busbwGBps(inPlace);
    if (!(Math.abs(gbps - computed) <= ROUNDING_TOLERANCE * computed + MIN_GBPS)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "busbw %s contradicts the time: %s of %d B on %d GPUs in %s us are %.2f GB/s",
              gbps,
              of.operation().ncclTestsName(),
              of.sizeBytes(),
              of.nGpus(),
              of.timeUs(inPlace),
              computed));
    }
  }
}
