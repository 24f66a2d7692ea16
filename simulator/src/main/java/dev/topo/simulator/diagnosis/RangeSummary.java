package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.model.Quantiles;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Describes how far healthy measurements are from the predictions. A median is meaningful only for
 * narrow ranges: calls that wait for launches or for an unmeasured network may take several times
 * the predicted time.
 */
final class RangeSummary {
  /** Largest median deviation, as a logarithm, that is described as within the range. */
  private static final double USUAL = Math.log1p(0.15);

  /** Largest narrow range, as a logarithm: a quarter more than the predicted time. */
  private static final double NARROW = Math.log1p(0.25);

  /**
   * Deviation, in standard deviations, that one healthy host in a hundred exceeds; all calls of
   * such a host do, as they share its clocks.
   */
  private static final double HEALTHY_SIGMAS = 2.58;

  /** Least number of narrow sizes to judge by; fewer may be off by chance. */
  private static final int SEVERAL = 4;

  private RangeSummary() {}

  static String of(List<MeasuredOperation> measurements, Fit healthy) {
    if (isOff(healthy)) {
      int[] off = narrow(healthy);
      return TextWriter.format(
          "%d sizes, and where the range of predictions is narrow (%d of them, from %s on) the median is %s",
          measurements.size(),
          off.length,
          QuantityFormat.size(smallest(measurements, off)),
          percent(median(healthy, off)));
    }
    double median = median(healthy, all(healthy));
    if (Math.abs(median) <= USUAL) {
      return TextWriter.format(
          "%s, the median %s, within the range of predictions", sizes(healthy), percent(median));
    }
    int[] narrow = narrow(healthy);
    double most = Math.exp(widest(healthy));
    if (narrow.length == 0 || narrow.length < SEVERAL && isFar(healthy, narrow)) {
      return TextWriter.format(
          "%s within the range of predictions, which is wide here: up to %.1f times the predicted time",
          sizes(healthy), most);
    }
    return TextWriter.format(
        "%s within the range of predictions: where it is narrow (%d of them, from %s on), the median is %s; of the others it is up to %.1f times the predicted time",
        sizes(healthy),
        narrow.length,
        QuantityFormat.size(smallest(measurements, narrow)),
        percent(median(healthy, narrow)),
        most);
  }

  /**
   * True if calls with a narrow range are farther from the prediction than those of healthy
   * machines. Such a run is neither as expected nor explained.
   */
  static boolean isOff(Fit healthy) {
    int[] narrow = narrow(healthy);
    int n = healthy.residuals().length;
    return narrow.length >= Math.min(SEVERAL, n) && isFar(healthy, narrow);
  }

  /** Number of calls within their range. */
  static long within(Fit healthy) {
    return IntStream.of(all(healthy))
        .filter(i -> Math.abs(healthy.residuals()[i]) <= healthy.range(i))
        .count();
  }

  /** Describes how many sizes are within their range. */
  private static String sizes(Fit healthy) {
    long n = healthy.residuals().length;
    long within = within(healthy);
    return within == n ? n + " sizes" : within + " of " + n + " sizes";
  }

  private static long smallest(List<MeasuredOperation> measurements, int[] at) {
    return IntStream.of(at).mapToLong(i -> measurements.get(i).sizeBytes()).min().orElseThrow();
  }

  /** True if the median deviation of the calls, to either side, is larger than on healthy hosts. */
  private static boolean isFar(Fit healthy, int[] at) {
    double[] deviations =
        Arrays.stream(at)
            .mapToDouble(
                i ->
                    healthy.residuals()[i] / Math.max(USUAL, HEALTHY_SIGMAS * healthy.spreads()[i]))
            .toArray();
    return Math.abs(Quantiles.median(deviations)) > 1;
  }

  private static int[] all(Fit healthy) {
    return IntStream.range(0, healthy.residuals().length).toArray();
  }

  private static int[] narrow(Fit healthy) {
    return IntStream.of(all(healthy)).filter(i -> healthy.range(i) <= NARROW).toArray();
  }

  private static double widest(Fit healthy) {
    return IntStream.of(all(healthy)).mapToDouble(healthy::range).max().orElse(0);
  }

  private static double median(Fit healthy, int[] at) {
    return Quantiles.median(Arrays.stream(at).mapToDouble(i -> healthy.residuals()[i]).toArray());
  }

  private static String percent(double logarithm) {
    double part = Math.expm1(logarithm);
    return TextWriter.format(
        "%.0f %% %s than predicted", 100 * Math.abs(part), part < 0 ? "faster" : "slower");
  }
}
