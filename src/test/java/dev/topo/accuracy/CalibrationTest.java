package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.verdict.CalibrationFit.FitResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The calibration that comes with topo is what its fit gives. */
@Tag("slow")
class CalibrationTest {
  private static final Path SHIPPED =
      Path.of(System.getProperty("topo.root"))
          .resolve(
              "simulator/src/main/resources/dev/topo/simulator/calibration/h200-nvswitch.properties");

  @Test
  void shippedConstantsAreThoseOfTheFit() throws IOException {
    FitResult fit = MeasuredSets.fitToAll();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(SHIPPED, GenerationFit.writeOfGeneration(fit.calibration()));
      Files.writeString(
          SHIPPED.resolveSibling("common.properties"),
          GenerationFit.writeCommon(fit.calibration()));
    }
    String text = Files.readString(SHIPPED);
    assertEquals(
        text,
        GenerationFit.writeOfGeneration(CalibrationFile.read(text, SHIPPED.toString())),
        "as written");
    assertEquals(fit.calibration().published(), CalibrationFile.read(text, "shipped").published());
    List<String> off = new ArrayList<>();
    for (Constant constant : Constant.values()) {
      double shipped = CalibrationFile.read(text, "shipped").value(constant);
      double fitted = fit.calibration().value(constant);
      // What the data hardly determine may end elsewhere on another JVM's mathematics.
      double tolerance = Math.max(0.01, 0.2 * fit.relativeErrors().getOrDefault(constant, 0.0));
      if (Math.abs(fitted / shipped - 1) > tolerance) {
        off.add(constant.label() + ": shipped " + shipped + ", fitted " + fitted);
      }
    }
    assertEquals(List.of(), off, "-Dgolden.update=true writes what the fit gives");
    assertTrue(
        CalibrationFile.shipped("h200-nvswitch").isPresent(), "the calibration can be loaded");
  }
}
