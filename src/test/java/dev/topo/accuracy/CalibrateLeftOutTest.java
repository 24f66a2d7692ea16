package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.Thorough;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.simulator.verdict.CalibrationFit.FitResult;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import dev.topo.simulator.verdict.HeldOutFit;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A calibration that {@code topo calibrate} makes of a user's times is not worse, on sizes that it
 * has not seen, than the shipped calibration where it starts.
 */
@Tag("slow")
class CalibrateLeftOutTest {
  /**
   * All constants are free, as without {@code --fix}. A generation's own calibration has seen the
   * sizes that are left out here, too.
   */
  @ParameterizedTest
  @CsvSource({
    "h100-sxm, h200-nvswitch",
    "h100-sxm, h100-nvswitch",
    "h100-sxm, a100-nvswitch",
    "h100-sxm, b200-nvswitch",
    "a100-sxm, h200-nvswitch",
    "a100-sxm, a100-nvswitch",
    "b200-sxm, h200-nvswitch",
    "b200-sxm, b200-nvswitch",
    "gb200, b200-nvswitch",
    "gb200, gb200-nvswitch"
  })
  void isNotWorseThanTheShippedOneOnOtherSizes(String system, String nearest) {
    Calibration start = CalibrationFile.shipped(nearest).orElseThrow();
    Set<Constant> free = EnumSet.allOf(Constant.class);
    for (int half : Thorough.orEvery(2, 0, List.of(0, 1), "halves of the sizes")) {
      List<GenerationRow> seen = rows(system, half);
      List<GenerationRow> unseen = rows(system, 1 - half);
      FitResult fit =
          new HeldOutFit(
                  seen.stream().map(GenerationRow::observation).toList(),
                  start,
                  free,
                  GenerationRow::model)
              .run("made", "every second size of " + system, round -> {});
      Calibration made = fit.calibration();
      Errors before = errors(start, unseen);
      Errors after = errors(made, unseen);
      String figures =
          String.format(
              Locale.ROOT,
              "%s from %s: %.1f / %.1f %% before, %.1f / %.1f %% after%s",
              system,
              nearest,
              100 * before.median(),
              100 * before.percentile90(),
              100 * after.median(),
              100 * after.percentile90(),
              fit.isKept() ? " (kept)" : "");
      Thorough.print(figures);
      assertTrue(after.median() <= before.median(), figures);
      assertTrue(after.percentile90() <= before.percentile90(), figures);
    }
  }

  /** Every second size of a system. */
  private static List<GenerationRow> rows(String system, int half) {
    return GenerationRow.all().stream()
        .filter(row -> row.system().equals(system))
        .filter(row -> Long.numberOfTrailingZeros(row.bytes()) % 2 == half)
        .toList();
  }

  private static Errors errors(Calibration constants, List<GenerationRow> rows) {
    TimingModel model = GenerationRow.model(constants);
    return Errors.of(
        rows.stream().mapToDouble(row -> model.timeUs(row.shape()) / row.timeUs() - 1).toArray());
  }
}
