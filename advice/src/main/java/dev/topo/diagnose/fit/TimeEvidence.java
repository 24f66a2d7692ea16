package dev.topo.diagnose.fit;

import dev.topo.diagnose.cause.Evidence;
import dev.topo.measured.Measurement;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Collective;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Says what measured times show: for each collective the sizes, as expected and as measured. */
public final class TimeEvidence {
  /** Below this part no size is called slower. */
  private static final double SLOWER = 0.15;

  private static final int PERCENT = 100;

  private TimeEvidence() {}

  /** Where the measurements are slower than in the healthy job, and how near a fault comes. */
  public static List<Evidence> of(List<Measurement> measurements, Fit healthy, Fit fault) {
    Map<Collective, List<Integer>> slow = new LinkedHashMap<>();
    for (int i = 0; i < measurements.size(); i++) {
      if (healthy.residuals()[i] > Math.log1p(SLOWER)) {
        slow.computeIfAbsent(measurements.get(i).collective(), key -> new ArrayList<>()).add(i);
      }
    }
    List<Evidence> evidence = new ArrayList<>();
    slow.forEach(
        (collective, at) ->
            evidence.add(
                new Evidence(
                    place(measurements, collective, at), text(measurements, at, healthy, fault))));
    return evidence;
  }

  private static String place(
      List<Measurement> measurements, Collective collective, List<Integer> at) {
    String first = QuantityFormat.size(measurements.get(at.get(0)).sizeBytes());
    String last = QuantityFormat.size(measurements.get(at.get(at.size() - 1)).sizeBytes());
    return collective.ncclTestsName() + " " + (first.equals(last) ? first : first + " to " + last);
  }

  private static String text(
      List<Measurement> measurements, List<Integer> at, Fit healthy, Fit fault) {
    int largest = at.get(at.size() - 1);
    Measurement one = measurements.get(largest);
    DoubleSummaryStatistics residuals =
        at.stream().mapToDouble(i -> healthy.residuals()[i]).summaryStatistics();
    String least = times(residuals.getMin());
    String most = times(residuals.getMax());
    return String.format(
        Locale.ROOT,
        "%s times as long as expected, off by %.0f %% with this cause (median); at %s %s GB/s measured, %s expected, %s with this cause",
        least.equals(most) ? least : least + " to " + most,
        PERCENT * median(at, fault),
        QuantityFormat.size(one.sizeBytes()),
        busbw(one, one.timeUs()),
        busbw(one, healthy.timesUs()[largest]),
        busbw(one, fault.timesUs()[largest]));
  }

  private static String times(double residual) {
    return String.format(Locale.ROOT, "%.1f", Math.exp(residual));
  }

  private static double median(List<Integer> at, Fit fault) {
    double[] off = at.stream().mapToDouble(i -> Math.abs(fault.residuals()[i])).sorted().toArray();
    return Math.expm1(off[off.length / 2]);
  }

  private static String busbw(Measurement one, double timeUs) {
    return QuantityFormat.bandwidth(
        one.collective().busbwGBps(one.sizeBytes(), timeUs, one.nGpus()));
  }
}
