package dev.topo.cli.option;

import dev.topo.cli.output.Streams;
import dev.topo.cli.predict.CalibrationUse;
import dev.topo.model.Topology;
import dev.topo.model.diagnostic.InputFile;
import dev.topo.model.settings.SettingException;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.timing.Calibration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the calibration. */
public final class CalibrationOptions {
  private static final String NONE = "none";

  @Option(
      names = "--calibration",
      paramLabel = "NAME|FILE",
      description =
          "h200-nvswitch, a100-nvswitch, b200-nvswitch, pcie, a file written by topo calibrate, or none for NCCL's own model"
              + " (default: chosen by GPUs and links).")
  private @Nullable String calibration;

  private @Nullable Calibration named;

  /** The calibration that the user names, or else the one that goes with a machine. */
  public CalibrationUse use(Topology topology) {
    CalibrationChoice fitting = CalibrationChoice.of(topology);
    String name = calibration;
    if (name == null) {
      return CalibrationUse.of(
          fitting.calibration(),
          fitting.calibration().isPresent()
              ? "by machine: " + fitting.machine()
              : "none matches this machine: " + fitting.machine());
    }
    if (name.equals(NONE)) {
      return CalibrationUse.of(Optional.empty(), "as requested");
    }
    if (named == null) {
      named = CalibrationFile.shipped(name).orElseGet(() -> read(name));
    }
    boolean fits =
        fitting.calibration().equals(Optional.of(named))
            || named.measuredOn().machines().contains(fitting.machine());
    return new CalibrationUse(
        Optional.of(named),
        fits ? "as requested" : "as requested, but this machine is " + fitting.machine(),
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
