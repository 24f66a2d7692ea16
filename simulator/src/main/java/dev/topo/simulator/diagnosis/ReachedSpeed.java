package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.model.operation.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * The call that shows best how fast a run is: the largest one that is slower than expected or, if
 * none is, the largest one. Of a healthy run it is the largest one within its range.
 *
 * @param sizeBytes size as nccl-tests counts it
 * @param timeUs measured time out of place
 * @param busbwGBps nccl-tests' busbw of that time
 * @param expectedUs time expected without a fault
 * @param expectedGBps busbw of the expected time
 * @param lowGBps lower end of the busbw range; empty if no range is known
 * @param highGBps upper end of the busbw range; empty if no range is known
 */
public record ReachedSpeed(
    Operation operation,
    long sizeBytes,
    double timeUs,
    double busbwGBps,
    double expectedUs,
    double expectedGBps,
    OptionalDouble lowGBps,
    OptionalDouble highGBps) {
  /** Factor above which a call without a range counts as slower, as in {@link TimeEvidence}. */
  private static final double SLOWER = 1.15;

  /**
   * Finds the call that shows best how fast a run is; empty if nothing was measured.
   *
   * @param isHealthy whether the run is as expected
   */
  static Optional<ReachedSpeed> of(
      List<MeasuredOperation> measured, PredictedTimes expected, boolean isHealthy) {
    Comparator<ReachedSpeed> bySize = Comparator.comparingLong(ReachedSpeed::sizeBytes);
    List<ReachedSpeed> speeds =
        IntStream.range(0, measured.size())
            .mapToObj(at -> of(measured.get(at), expected.predictions().get(at).outOfPlace()))
            .toList();
    if (isHealthy) {
      return speeds.stream().filter(ReachedSpeed::isInRange).max(bySize);
    }
    return speeds.stream()
        .filter(ReachedSpeed::isSlower)
        .max(bySize)
        .or(() -> speeds.stream().max(bySize));
  }

  private static ReachedSpeed of(MeasuredOperation call, CallTime expected) {
    return new ReachedSpeed(
        call.operation(),
        call.sizeBytes(),
        call.timeUs(),
        call.busbwGBps(),
        expected.timeUs(),
        call.busbwGBps(expected.timeUs()),
        busbw(call, expected.longestUs()),
        busbw(call, expected.shortestUs()));
  }

  private static OptionalDouble busbw(MeasuredOperation call, OptionalDouble us) {
    return us.isPresent() ? OptionalDouble.of(call.busbwGBps(us.getAsDouble())) : us;
  }

  private boolean isInRange() {
    return !isSlower() && busbwGBps <= highGBps.orElse(expectedGBps * SLOWER);
  }

  /** True if the call is slower than the expected range. */
  public boolean isSlower() {
    return busbwGBps < lowGBps.orElse(expectedGBps / SLOWER);
  }
}
