package dev.topo.visualizer.chart;

import dev.topo.inspect.measured.Measurement;
import dev.topo.inspect.measured.PeerMeasurement;
import dev.topo.simulator.evaluate.CallPredictor;
import java.util.List;
import java.util.Optional;

/**
 * Measurements of one machine or variant.
 *
 * @param name the name of the machine or variant
 * @param measurements the measurements of collectives
 * @param peers the measurements of sends and receives
 * @param predictor the predictor of the same calls, if the machine is known
 */
public record MeasuredSeries(
    String name,
    List<Measurement> measurements,
    List<PeerMeasurement> peers,
    Optional<CallPredictor> predictor) {
  public MeasuredSeries {
    peers = List.copyOf(peers);
    measurements = List.copyOf(measurements);
  }
}
