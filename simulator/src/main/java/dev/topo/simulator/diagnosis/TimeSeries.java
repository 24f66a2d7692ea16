package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.Measurement;
import dev.topo.model.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The times of one collective by one pair, or by NCCL's choice, by size; filled row by row. */
final class TimeSeries {
  /** Sizes further apart say nothing about each other's noise. */
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

  /** The median of the repeated runs. */
  double timeUs(long bytes, boolean inPlace) {
    return Quantiles.median(
        rows.getOrDefault(bytes, List.of()).stream().map(row -> row.timeUs(inPlace)).toList());
  }

  /** Scatter of repeated runs of a size, as a part. */
  void repeats(List<Double> small, List<Double> large) {
    rows.forEach(
        (bytes, some) -> {
          for (int i = 1; i < some.size(); i++) {
            double apart = Math.log(some.get(i).timeUs() / some.get(i - 1).timeUs());
            (bytes < TimeNoise.LARGE ? small : large).add(Math.abs(apart));
          }
        });
  }

  /** Distance of the times of sizes from the mean of their neighbours, as a part. */
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
