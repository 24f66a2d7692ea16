package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.accuracy.PublishedRow.Use;
import dev.topo.model.fixture.DocumentTables;
import dev.topo.model.operation.Algorithm;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Calibration.MeasuredOn;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.verdict.CalibrationFit;
import dev.topo.simulator.verdict.CalibrationFit.FitObservation;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Busbw that others have published, predicted row by row; and the calibrations that rest on such
 * rows: those of the H200 with a few constants changed.
 */
@Tag("slow")
class PublishedTest {
  private static final Path CALIBRATIONS =
      Path.of(System.getProperty("topo.root"))
          .resolve("simulator/src/main/resources/dev/topo/simulator/calibration");

  private static final Set<Constant> OF_NO_RUN =
      EnumSet.of(Constant.NVLS_EFFICIENCY, Constant.NVLS_TREE_START, Constant.NVLS_TREE_EFFICIENCY);

  /** NVLS is not chosen below. */
  private static final long LEAST_BYTES = 2 << 20;

  private static final Map<String, Set<Constant>> FREE = new LinkedHashMap<>();
  private static final Map<String, String> ORIGIN = new LinkedHashMap<>();
  private static final Map<String, String> MACHINE = Map.of("pcie", "sm 120, PCI");

  static {
    FREE.put("pcie", EnumSet.of(Constant.PCI_EFFICIENCY));
    ORIGIN.put(
        "pcie",
        "h200-nvswitch with the PCI links from 6 rows of published busbw on 8 RTX PRO 6000 by PCIe"
            + " 5 (local-inference-lab/rtx6kpro); low quality");
  }

  private static boolean isMulticast(FitObservation observation) {
    return observation.shape() instanceof CallShape call && call.algorithm() == Algorithm.NVLS;
  }

  private static Calibration shipped(String name) {
    return CalibrationFile.shipped(name).orElseThrow();
  }

  private static Calibration fit(String name) {
    return fit(name, row -> true);
  }

  /** A fit to some of the rows of a calibration. */
  static Calibration fit(String name, Predicate<PublishedRow> taken) {
    Map<Boolean, List<FitObservation>> byMulticast =
        PublishedRow.fittedTo(name, taken).stream()
            .collect(Collectors.partitioningBy(PublishedTest::isMulticast));
    Calibration fitted =
        new CalibrationFit(
                byMulticast.getOrDefault(false, List.of()),
                shipped("h200-nvswitch"),
                FREE.get(name))
            .run(name, ORIGIN.get(name), round -> {})
            .calibration();
    // What large calls are off by that no fit has seen.
    double spread =
        KnownSpread.of(name, Launch.EACH, KnownSpread.LARGE)
            .map(known -> Math.min(1, known.part()))
            .orElse(1.0);
    // No run on one node tells those of NVLSTree, nor what links would carry of more than channels
    // do.
    Calibration own = shipped(name);
    fitted =
        fitted.with(OF_NO_RUN.stream().collect(Collectors.toMap(constant -> constant, own::value)));
    List<FitObservation> multicast = byMulticast.getOrDefault(true, List.of());
    if (!multicast.isEmpty()) {
      fitted =
          new CalibrationFit(multicast, fitted, EnumSet.of(Constant.NVLS_STEP, Constant.NVLS_COPY))
              .run(name, ORIGIN.get(name), round -> {})
              .calibration();
    }
    Set<Constant> published = EnumSet.copyOf(Constant.OF_NVLS);
    published.addAll(FREE.get(name));
    // What small calls take is what was measured on fewer GPUs of another kind.
    MeasuredOn measuredOn =
        new MeasuredOn(
            Set.of(Objects.requireNonNull(MACHINE.get(name))),
            fitted.measuredOn().gpus(),
            fitted.measuredOn().largestBytes());
    return fitted
        .named(name, ORIGIN.get(name), spread)
        .withPublished(published)
        .withMeasuredOn(measuredOn);
  }

  @Test
  void calibrationsAreWhatTheRowsGive() throws IOException {
    for (String name : FREE.keySet()) {
      Calibration fitted = fit(name);
      Path file = CALIBRATIONS.resolve(name + ".properties");
      if (Boolean.getBoolean("golden.update")) {
        Files.writeString(file, GenerationFit.writeOfGeneration(fitted));
      }
      Calibration read = CalibrationFile.read(Files.readString(file), name);
      for (Constant constant : Constant.values()) {
        assertEquals(1, fitted.value(constant) / read.value(constant), 0.02, name + " " + constant);
      }
      assertEquals(fitted.spread(), read.spread(), 0.01, name);
      assertEquals(fitted.published(), read.published(), name);
      assertEquals(fitted.origin(), read.origin());
      assertEquals(fitted.measuredOn(), read.measuredOn());
    }
  }

  @Test
  void everyRowIsPredictedOrSaysWhyNot() throws IOException {
    AccuracyFile file =
        new AccuracyFile(
            "machine,quality,collective,bytes,forced,busbw_gbps,predicted_busbw_gbps,signed_error_percent,by,calibration,fitted");
    Map<Source, List<Double>> errors = new EnumMap<>(Source.class);
    for (PublishedRow row : PublishedRow.all()) {
      List<Object> cells = new ArrayList<>();
      cells.add(row.machine());
      cells.add(row.quality());
      cells.add(row.collective().label());
      cells.add(row.sizeBytes());
      cells.add((row.algorithm() + " " + row.protocol()).strip());
      cells.add(String.format(Locale.ROOT, "%.1f", row.busbwGBps()));
      if (row.canBePredicted()) {
        CollectivePrediction prediction = row.predict(shipped(row.calibration())).orElseThrow();
        double error = row.busbwGBps() / prediction.busbwGBps() - 1;
        errors.computeIfAbsent(prediction.source(), source -> new ArrayList<>()).add(error);
        cells.add(String.format(Locale.ROOT, "%.1f", prediction.busbwGBps()));
        cells.add(AccuracyFile.percent(error));
        cells.add(prediction.algorithm().label() + " " + prediction.protocol().label());
        cells.add(row.calibration());
      } else {
        cells.addAll(List.of("", "", row.whyNot(), ""));
      }
      cells.add(row.use().label());
      file.add(cells.toArray());
    }
    file.check("published.csv");
    DocumentTables.check("docs/accuracy.md", Map.of("published", summary(errors)));
    assertEquals(206, PublishedRow.all().size());
    // The model of the network covers what NCCL's own model was needed for.
    assertEquals(
        EnumSet.complementOf(EnumSet.of(Source.NCCL_MODEL, Source.OWN_TIMES)), errors.keySet());
  }

  /** H100, H200 and B300 of others than those that NVLS is fitted to, from 2 MiB on. */
  @Test
  void multicastThatNoFitHasSeen() {
    assertEquals(4, multicastWithin("h200-nvswitch", 0.06, row -> true));
    assertEquals(5, multicastWithin("h100-nvswitch", 0.06, row -> !isReference(row)));
    assertEquals(14, multicastWithin("h100-nvswitch", 0.06, PublishedTest::isReference));
    assertEquals(6, multicastWithin("b200-nvswitch", 0.10, row -> !hasPlugin(row)));
  }

  /** A tuner plugin chose the algorithm, which is not stated. */
  private static boolean hasPlugin(PublishedRow row) {
    return row.machine().equals("8xB200");
  }

  private static boolean isReference(PublishedRow row) {
    return row.machine().equals("8xH100 (NVIDIA reference)");
  }

  /** Number of large rows by NVLS that no fit has seen; each has to be within a bound. */
  private static int multicastWithin(
      String calibration, double bound, Predicate<PublishedRow> taken) {
    int rows = 0;
    for (PublishedRow row : PublishedRow.all()) {
      if (row.use() != Use.NONE
          || !row.canBePredicted()
          || !row.calibration().equals(calibration)
          || row.sizeBytes() < LEAST_BYTES
          || !taken.test(row)) {
        continue;
      }
      CollectivePrediction prediction = row.predict(shipped(calibration)).orElseThrow();
      if (prediction.source() == Source.PUBLISHED) {
        rows++;
        double error = row.busbwGBps() / prediction.busbwGBps() - 1;
        assertTrue(Math.abs(error) <= bound, row + ": " + error);
      }
    }
    return rows;
  }

  private static String summary(Map<Source, List<Double>> errors) {
    return "| rows | number | median | 90th percentile |\n|---|---:|---:|---:|\n"
        + summary(
            "by a calibration, without NVLS", errors.getOrDefault(Source.CALIBRATION, List.of()))
        + summary("AllReduce by NVLS", errors.getOrDefault(Source.PUBLISHED, List.of()))
        + summary("between nodes", errors.getOrDefault(Source.NETWORK, List.of()));
  }

  private static String summary(String what, List<Double> errors) {
    Errors sum = Errors.of(errors.stream().mapToDouble(Double::doubleValue).toArray());
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.0f %% | %.0f %% |\n",
        what,
        sum.count(),
        100 * sum.median(),
        100 * sum.percentile90());
  }
}
