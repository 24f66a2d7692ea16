package dev.topo.visualizer.chart;

import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.simulator.calibration.Measurement;
import java.util.List;

/** A format of measurements. */
public interface MeasurementSource {
  /** Whether a text is in this format, by its beginning. */
  boolean accepts(String text);

  /**
   * The measurements in a text.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if the text is damaged
   */
  List<Measurement> read(String text, String file);
}
