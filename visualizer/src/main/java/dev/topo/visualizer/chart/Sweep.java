package dev.topo.visualizer.chart;

import dev.topo.measured.Measurement;
import dev.topo.simulator.Predictor;
import java.util.List;
import java.util.Optional;

/**
 * Measurements of one machine or variant.
 *
 * @param name its name
 * @param measurements the measurements
 * @param predictor predicts the same calls, if the machine is known
 */
public record Sweep(String name, List<Measurement> measurements, Optional<Predictor> predictor) {
  public Sweep {
    measurements = List.copyOf(measurements);
  }
}
