package dev.topo.cli;

import dev.topo.model.job.SettingException;
import dev.topo.simulator.verdict.CalibrationReport;
import dev.topo.simulator.verdict.OwnReport;
import dev.topo.visualizer.times.CalibrationOutput;
import dev.topo.visualizer.times.ConstantList;
import dev.topo.visualizer.times.OwnCalibrationOutput;
import dev.topo.visualizer.view.Answer;

/** Output formats of {@code topo calibrate}. */
enum CalibrationFormat {
  text,
  json,
  csv,
  markdown;

  /** The format whose convention places the caveats: csv and markdown follow that of text. */
  String envelopeFormat() {
    return this == json ? "json" : "text";
  }

  /** The report on the calibration of a node. */
  Answer of(CalibrationReport report) {
    return switch (this) {
      case text -> CalibrationOutput.text(report);
      case json -> CalibrationOutput.json(report);
      case csv -> CalibrationOutput.csv(report);
      case markdown -> CalibrationOutput.markdown(report);
    };
  }

  /** The report on a calibration by few times. */
  Answer of(OwnReport report) {
    return switch (this) {
      case json -> OwnCalibrationOutput.json(report);
      case csv -> OwnCalibrationOutput.csv(report);
      case text -> OwnCalibrationOutput.text(report);
      case markdown ->
          throw new SettingException(
              "--format markdown is for fits of constants: expected text, json or csv");
    };
  }

  /**
   * The list of constants, for {@code --show}.
   *
   * @throws SettingException if the format is neither text nor json
   */
  Answer of(ConstantList list) {
    return switch (this) {
      case text -> list.text();
      case json -> list.json();
      case csv, markdown ->
          throw new SettingException("--format " + this + ": --show is text or json");
    };
  }
}
