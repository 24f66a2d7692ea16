package dev.topo.cli;

import dev.topo.model.job.SettingException;
import dev.topo.simulator.verdict.CalibrationReport;
import dev.topo.simulator.verdict.NetworkReport;
import dev.topo.visualizer.times.CalibrationOutput;
import dev.topo.visualizer.times.ConstantList;
import dev.topo.visualizer.times.NetworkCalibrationOutput;
import dev.topo.visualizer.view.Answer;

/** The formats of the report on a calibration. */
enum CalibrationFormat {
  text,
  json,
  csv,
  markdown;

  /** The format that decides where caveats are. */
  String kind() {
    return this == json ? "json" : "text";
  }

  /** Refuses a format that the report on the calibration of a network does not have. */
  void checkNetwork() {
    if (this == markdown) {
      throw new SettingException(
          "--format markdown: the calibration of a network is reported as text, json or csv");
    }
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

  /** The constants by themselves. */
  Answer of(ConstantList list) {
    return switch (this) {
      case text -> list.text();
      case json -> list.json();
      case csv, markdown ->
          throw new SettingException("--format " + this + ": --show is text or json");
    };
  }
}
