package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.model.job.SettingException;
import dev.topo.simulator.verdict.CalibrationReport;
import dev.topo.simulator.verdict.NetworkReport;
import dev.topo.visualizer.times.CalibrationOutput;
import dev.topo.visualizer.times.ConstantList;
import dev.topo.visualizer.times.NetworkCalibrationOutput;
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

  /** Refuses markdown, in which the calibration of a network cannot be reported. */
  void checkNetwork() {
    refuseIf(
        this == markdown,
        "--format markdown: the calibration of a network is reported as text, json or csv");
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

  /** The report on the calibration of a network. */
  Answer of(NetworkReport report) {
    return switch (this) {
      case json -> NetworkCalibrationOutput.json(report);
      case csv -> NetworkCalibrationOutput.csv(report);
      case text, markdown -> NetworkCalibrationOutput.text(report);
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
