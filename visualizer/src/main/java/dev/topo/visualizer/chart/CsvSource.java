package dev.topo.visualizer.chart;

import dev.topo.simulator.calibration.Measurement;
import dev.topo.simulator.calibration.MeasurementReader;
import java.util.List;

/** CSV with a heading, as {@link MeasurementReader} reads it. */
public final class CsvSource implements MeasurementSource {
  @Override
  public boolean accepts(String text) {
    return text.lines().findFirst().orElse("").contains("time_us");
  }

  @Override
  public List<Measurement> read(String text, String file) {
    return MeasurementReader.read(text, file);
  }
}
