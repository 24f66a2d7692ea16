package dev.topo.simulator.calibration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.model.io.TopologyFormatException;
import dev.topo.simulator.calibration.Calibration.MeasuredOn;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalibrationFileTest {
  private static final String TEXT =
      CalibrationFile.write(
          Calibration.typical()
              .withMeasuredOn(
                  new MeasuredOn(Set.of("sm 80, PCI", "sm 90, NVSwitch"), 8, 4L << 30)));

  private static String fault(String text) {
    return assertThrows(TopologyFormatException.class, () -> CalibrationFile.read(text, "x"))
        .getMessage();
  }

  @Test
  void readsAsItWasWritten() {
    Calibration read = CalibrationFile.read(TEXT, "x");
    assertEquals(Calibration.typical().values(), read.values());
    assertEquals(Constant.OF_NVLS, read.published());
    assertEquals(TEXT, CalibrationFile.write(read));
    assertEquals(Set.of("sm 80, PCI", "sm 90, NVSwitch"), read.measuredOn().machines());
    Calibration own = read.withPublished(Set.of());
    assertEquals(Set.of(), CalibrationFile.read(CalibrationFile.write(own), "x").published());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kernel = 6.000|kernel = six|x:19:1: kernel \"six\": expected a number above 0",
        "kernel = 6.000|kernal = 6|x:19:1: no constant is called kernal: topo calibrate makes the file anew",
        "kernel = 6.000|launch.base = 6|x:19:1: launch.base occurs twice",
        "kernel = 6.000|kernel 6|x:19:1: \"kernel 6\": expected name = value",
        "kernel = 6.000|#|x: the constant kernel is missing: topo calibrate makes the file anew",
        "name = typical|#|x: the name is missing: topo calibrate makes the file anew",
        "spread = 1.00|spread = 7|x:8:1: spread \"7\": expected a part of the time, up to 1",
        "nvls.step, nvls.copy, nvls.efficiency|nvls.step,|x:10:1: published \"nvls.step,\": expected constants, separated by"
            + " commas",
      })
  void saysWhatIsWrongAndWhere(String right, String wrong, String message) {
    assertEquals(message, fault(TEXT.replace(right, wrong)));
  }
}
