package dev.topo.visualizer.chart;

import dev.topo.simulator.Predictor;
import dev.topo.simulator.measured.Measurement;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Measurements of one machine or variant.
 *
 * @param name what to call it
 * @param measurements what was measured
 * @param predictor what foretells the same calls, if the machine is known
 */
public record Sweep(String name, List<Measurement> measurements, Optional<Predictor> predictor) {
  /** Copies the measurements. */
  public Sweep {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(predictor, "predictor");
    measurements = List.copyOf(measurements);
  }
}
