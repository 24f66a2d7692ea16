package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.Measurement;
import dev.topo.model.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Times by size of one collective with one algorithm and protocol, or with NCCL's choice; filled
 * row by row.
 */
final class TimeSeries {
  /** Largest factor between neighbouring sizes; sizes further apart show no noise. */
  private static final double NEAR = 4.5;

  private final NavigableMap<Long, List<Measurement>> rows = new TreeMap<>();

  void add(Measurement measurement) {
    rows.computeIfAbsent(measurement.sizeBytes(), size -> new ArrayList<>()).add(measurement);
  }

  List<Long> sizes() {
    return List.copyOf(rows.keySet());
  }

  boolean has(long bytes) {
    return rows.containsKey(bytes);
  }

  int count(long bytes) {
    return rows.getOrDefault(bytes, List.of()).size();
  }

  /** Median of the repeated runs, in microseconds. */
  double timeUs(long bytes, boolean inPlace) {
    return Quantiles.median(
        rows.getOrDefault(bytes, List.of()).stream().map(row -> row.timeUs(inPlace)).toList());
  }

  /** Adds the absolute logarithm of the ratio of the times of successive runs of each size. */
  void repeats(List<Double> small, List<Double> large) {
    rows.forEach(
        (bytes, measurements) -> {
          for (int i = 1; i < measurements.size(); i++) {
            double logRatio =
                Math.log(measurements.get(i).timeUs() / measurements.get(i - 1).timeUs());
            (bytes < TimeNoise.LARGE ? small : large).add(Math.abs(logRatio));
          }
        });
  }

  /** Adds the distance of the logarithm of each size's time from the mean of its neighbours. */
  void roughness(List<Double> small, List<Double> large) {
    List<Long> sizes = sizes();
    for (int i = 1; i + 1 < sizes.size(); i++) {
      long below = sizes.get(i - 1);
      long bytes = sizes.get(i);
      long above = sizes.get(i + 1);
      if (bytes <= NEAR * below && above <= NEAR * bytes) {
        double mean = Math.log(timeUs(below, false) * timeUs(above, false)) / 2;
        (bytes < TimeNoise.LARGE ? small : large)
            .add(Math.abs(Math.log(timeUs(bytes, false)) - mean));
      }
    }
  }
}
