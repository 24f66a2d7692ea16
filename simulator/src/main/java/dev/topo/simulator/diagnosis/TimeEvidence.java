package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.model.Last;
import dev.topo.model.Quantiles;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Operation;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Evidence in measured times: for each operation, the range of sizes that are slower than expected.
 */
final class TimeEvidence {
  /** Relative slowdown below which no size is called slower. */
  private static final double SLOWER = 0.15;

  /** Relative change below which a cause does not count as changing a call. */
  private static final double CHANGED = 0.05;

  /** Slow calls of an operation that the cause slows down, or that it does not. */
  private record SlowCalls(Operation operation, boolean isChanged) {}

  private TimeEvidence() {}

  /**
   * Shows where the measurements are slower than the healthy job, and how near a fault comes to
   * them.
   */
  static List<Evidence> of(List<MeasuredOperation> measurements, Fit healthy, Fit fault) {
    Map<SlowCalls, List<Integer>> slow = new LinkedHashMap<>();
    for (int i = 0; i < measurements.size(); i++) {
      if (healthy.residuals()[i] > Math.log1p(SLOWER)) {
        SlowCalls kind =
            new SlowCalls(measurements.get(i).operation(), fault.isSlower(i, healthy, CHANGED));
        slow.computeIfAbsent(kind, key -> new ArrayList<>()).add(i);
      }
    }
    List<Evidence> evidence = new ArrayList<>();
    slow.forEach(
        (kind, at) ->
            evidence.add(
                new Evidence(
                    place(measurements, kind.operation, at),
                    kind.isChanged
                        ? comparison(measurements, at, healthy, fault)
                        : times(at, healthy) + ", which this cause does not change")));
    return evidence;
  }

  private static String place(
      List<MeasuredOperation> measurements, Operation operation, List<Integer> at) {
    String first = QuantityFormat.size(measurements.get(at.get(0)).sizeBytes());
    String last = QuantityFormat.size(measurements.get(Last.of(at)).sizeBytes());
    return operation.ncclTestsName() + " " + (first.equals(last) ? first : first + " to " + last);
  }

  private static String comparison(
      List<MeasuredOperation> measurements, List<Integer> at, Fit healthy, Fit fault) {
    int largest = Last.of(at);
    MeasuredOperation call = measurements.get(largest);
    return TextWriter.format(
        "%s, off by %.0f %% with this cause (median); at %s %s GB/s measured, %s expected, %s with this cause",
        times(at, healthy),
        100 * median(at, fault),
        QuantityFormat.size(call.sizeBytes()),
        QuantityFormat.brief(call.busbwGBps()),
        QuantityFormat.brief(call.busbwGBps(healthy.timesUs()[largest])),
        QuantityFormat.brief(call.busbwGBps(fault.timesUs()[largest])));
  }

  private static String times(List<Integer> at, Fit healthy) {
    DoubleSummaryStatistics residuals =
        at.stream().mapToDouble(i -> healthy.residuals()[i]).summaryStatistics();
    String least = times(residuals.getMin());
    String most = times(residuals.getMax());
    return (least.equals(most) ? least : least + " to " + most) + " times as long as expected";
  }

  private static String times(double residual) {
    return TextWriter.format("%.1f", Math.exp(residual));
  }

  private static double median(List<Integer> at, Fit fault) {
    return Math.expm1(
        Quantiles.median(at.stream().mapToDouble(i -> Math.abs(fault.residuals()[i])).toArray()));
  }
}
