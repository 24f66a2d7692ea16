package dev.topo.cli.option;

import dev.topo.cli.output.Streams;
import dev.topo.cli.predict.SelectedCalibration;
import dev.topo.model.Topology;
import dev.topo.model.diagnostic.InputFile;
import dev.topo.model.settings.SettingException;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.calibration.CalibrationFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says on which measured constants an answer rests. */
public final class CalibrationOptions {
  private static final String NONE = "none";

  @Option(
      names = "--calibration",
      paramLabel = "NAME|FILE",
      description =
          "h200-nvswitch, a100-nvswitch, b200-nvswitch, pcie, a file of topo calibrate, or none for NCCL's own model"
              + " (default: by the GPUs and their links).")
  private @Nullable String calibration;

  private @Nullable Calibration named;

  /** The calibration that the user names, or else the one that goes with a machine. */
  public SelectedCalibration use(Topology topology) {
    CalibrationChoice fitting = CalibrationChoice.of(topology);
    String name = calibration;
    if (name == null) {
      return SelectedCalibration.of(
          fitting.calibration(),
          fitting.calibration().isPresent()
              ? "by machine: " + fitting.machine()
              : "none goes with this machine: " + fitting.machine());
    }
    if (name.equals(NONE)) {
      return SelectedCalibration.of(Optional.empty(), "as asked for");
    }
    if (named == null) {
      named = CalibrationFile.shipped(name).orElseGet(() -> read(name));
    }
    boolean fits =
        fitting.calibration().equals(Optional.of(named))
            || named.measuredOn().machines().contains(fitting.machine());
    return new SelectedCalibration(
        Optional.of(named),
        fits ? "as asked for" : "as asked for, though this machine is " + fitting.machine(),
        fits);
  }

  private static Calibration read(String name) {
    Path file = Streams.file(name);
    if (!Files.exists(file)) {
      throw new SettingException(
          "--calibration "
              + name
              + ": expected a file, none, or one of "
              + String.join(", ", CalibrationFile.SHIPPED));
    }
    return CalibrationFile.read(InputFile.text(file, "a calibration"), name);
  }
}
