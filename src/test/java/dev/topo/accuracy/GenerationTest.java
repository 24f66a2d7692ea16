package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.accuracy.GenerationRow.Band;
import dev.topo.model.fixture.DocumentTables;
import dev.topo.model.fixture.Thorough;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The calibrations of generations of GPUs: what their fits give, and how far they hold. */
@Tag("slow")
class GenerationTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path CALIBRATIONS =
      ROOT.resolve("simulator/src/main/resources/dev/topo/simulator/calibration");

  @ParameterizedTest
  @ValueSource(strings = {"h100-nvswitch", "a100-nvswitch", "b200-nvswitch", "gb200-nvswitch"})
  void shippedConstantsAreThoseOfTheFit(String name) throws IOException {
    Calibration fitted = GenerationFit.fit(name, row -> true);
    Path file = CALIBRATIONS.resolve(name + ".properties");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, GenerationFit.writeOfGeneration(fitted));
    }
    Calibration shipped = CalibrationFile.read(Files.readString(file), file.toString());
    assertEquals(fitted.origin(), shipped.origin());
    for (Constant constant : Constant.OF_GENERATION) {
      // A fit may end elsewhere on another JVM's mathematics.
      assertEquals(1, fitted.value(constant) / shipped.value(constant), 0.02, constant.label());
    }
  }

  @Test
  void aGenerationHasAtMost25Constants() {
    assertTrue(Constant.OF_GENERATION.size() <= 25);
  }

  /** The times of all rows of a calibration, each by a fit that has not seen its part of them. */
  private static Map<GenerationRow, Double> leftOut(
      String name, Function<GenerationRow, Object> part, Predicate<GenerationRow> wanted) {
    Map<Object, TimingModel> models = new HashMap<>();
    Map<GenerationRow, Double> times = new LinkedHashMap<>();
    for (GenerationRow row : GenerationFit.rows(name).stream().filter(wanted).toList()) {
      Object left = part.apply(row);
      TimingModel model =
          models.computeIfAbsent(
              left,
              key ->
                  GenerationRow.model(
                      GenerationFit.fit(name, other -> !part.apply(other).equals(left))));
      times.put(row, model.timeUs(row.shape()));
    }
    return times;
  }

  /** The times by fits to every second size. */
  static Map<GenerationRow, Double> sizesLeftOut(String name) {
    return leftOut(name, row -> Long.numberOfTrailingZeros(row.bytes()) % 2, row -> true);
  }

  /** The times of four GPUs by fits to two and eight; of two where there are no others. */
  static Map<GenerationRow, Double> fourGpusLeftOut(String name) {
    return leftOut(name, GenerationRow::gpus, row -> row.gpus() == 4);
  }

  static Map<GenerationRow, Double> operationsLeftOut(String name) {
    return leftOut(name, GenerationRow::operation, row -> true);
  }

  private static Errors errors(Map<GenerationRow, Double> times, Predicate<GenerationRow> of) {
    return Errors.of(
        times.entrySet().stream()
            .filter(entry -> of.test(entry.getKey()))
            .mapToDouble(entry -> entry.getValue() / entry.getKey().timeUs() - 1)
            .toArray());
  }

  private static boolean isFrom256KiB(GenerationRow row) {
    return row.band() != Band.SMALL;
  }

  @ParameterizedTest
  @CsvSource({
    "h100-nvswitch, 0.03, 0.09",
    "a100-nvswitch, 0.04, 0.11",
    "b200-nvswitch, 0.04, 0.11",
    "gb200-nvswitch, 0.04, 0.11"
  })
  void sizesThatNoFitHasSeen(String name, double median, double percentile90) {
    Map<GenerationRow, Double> times = sizesLeftOut(name);
    Errors large = errors(times, GenerationTest::isFrom256KiB);
    Errors all = errors(times, row -> true);
    print(name + ", sizes left out", large, all);
    assertTrue(large.median() <= median && large.percentile90() <= percentile90, large.toString());
    assertTrue(all.median() <= 0.06 && all.percentile90() <= 0.15, all.toString());
  }

  /** Of GB200 two GPUs alone are left to tell of four. */
  @ParameterizedTest
  @CsvSource({"h100-nvswitch, 0.15", "b200-nvswitch, 0.15", "gb200-nvswitch, 0.15"})
  void fourGpusByFitsToTwoAndEight(String name, double percentile90) {
    Map<GenerationRow, Double> times = fourGpusLeftOut(name);
    Errors large = errors(times, GenerationTest::isFrom256KiB);
    print(name + ", four GPUs left out", large, errors(times, row -> true));
    assertTrue(large.median() <= 0.06 && large.percentile90() <= percentile90, large.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"h100-nvswitch", "a100-nvswitch", "b200-nvswitch", "gb200-nvswitch"})
  void operationsThatNoFitHasSeen(String name) {
    Map<GenerationRow, Double> times = operationsLeftOut(name);
    Errors large = errors(times, GenerationTest::isFrom256KiB);
    print(name + ", operations left out", large, errors(times, row -> true));
    assertTrue(large.median() <= 0.08, large.toString());
  }

  /** The file of all predictions, and those of their errors. */
  @Test
  void filesAreUpToDate() throws IOException {
    GenerationDocument document = new GenerationDocument();
    DocumentTables.checkFile("docs/accuracy/generations.csv", document.csv());
    document.errors().check("generations-errors.csv");
    document.releases().check("releases.csv");
  }

  private static void print(String what, Errors large, Errors all) {
    Thorough.print(
        String.format(
            Locale.ROOT,
            "%s: from 256 KiB %d, %.1f / %.1f %%; all %d, %.1f / %.1f %%",
            what,
            large.count(),
            100 * large.median(),
            100 * large.percentile90(),
            all.count(),
            100 * all.median(),
            100 * all.percentile90()));
  }
}
