package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.KnownBias;
import dev.topo.simulator.evaluate.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The known bias of small calls on more GPUs than were measured is what published rows give. */
class BiasTest {
  private static final Path FILE =
      Path.of(System.getProperty("topo.root"))
          .resolve("simulator/src/main/resources/dev/topo/simulator/calibration/biases.txt");

  /** Below, rows of eight H100 are as predicted. */
  private static final long FROM_BYTES = 1 << 20;

  /** From here on no row of eight GPUs is by LL. */
  private static final long BELOW_BYTES = 4 << 20;

  /** One row says nothing of others. */
  private static final int LEAST_ROWS = 2;

  private record Kind(String calibration, Protocol protocol) {}

  /** How many times longer each row took than the timing model gives, by kind of call. */
  private static Map<Kind, List<Double>> factors() {
    Map<Kind, List<Double>> factors = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
    for (PublishedRow row : PublishedRow.all()) {
      if (!row.canBePredicted() || row.nodes() > 1) {
        continue;
      }
      CollectivePrediction prediction =
          row.predict(CalibrationFile.shipped(row.calibration()).orElseThrow()).orElseThrow();
      if (prediction.source() == Source.CALIBRATION
          && prediction.protocol() == Protocol.LL
          && prediction.algorithm() == Algorithm.RING
          && row.collective() == Collective.ALL_REDUCE
          && row.sizeBytes() >= FROM_BYTES
          && prediction.nRanks() > prediction.nRanksMeasured()) {
        factors
            .computeIfAbsent(
                new Kind(row.calibration(), prediction.protocol()), kind -> new ArrayList<>())
            .add(row.timeUs() / (prediction.timeUs() - prediction.estimate().biasUs()));
      }
    }
    return factors;
  }

  @Test
  void theTableIsWhatPublishedRowsGive() throws IOException {
    List<String> lines = new ArrayList<>();
    factors()
        .forEach(
            (kind, all) -> {
              if (all.size() >= LEAST_ROWS) {
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "%s %s %d %d %.2f %d",
                        kind.calibration,
                        kind.protocol.label(),
                        FROM_BYTES,
                        BELOW_BYTES,
                        errors(all).median(),
                        all.size()));
              }
            });
    if (Boolean.getBoolean("golden.update")) {
      List<String> heading =
          Files.readAllLines(FILE).stream().filter(line -> line.startsWith("#")).toList();
      Files.writeString(FILE, String.join("\n", heading) + "\n" + String.join("\n", lines) + "\n");
    }
    assertEquals(lines.size(), KnownBias.all().size(), lines.toString());
    for (int i = 0; i < lines.size(); i++) {
      String[] computed = lines.get(i).split(" ");
      KnownBias shipped = KnownBias.all().get(i);
      assertEquals(computed[0], shipped.calibration());
      assertEquals(computed[1], shipped.protocol().label());
      assertEquals(FROM_BYTES, shipped.fromBytes());
      assertEquals(BELOW_BYTES, shipped.belowBytes());
      // A fit may end elsewhere on another JVM's mathematics.
      assertEquals(Double.parseDouble(computed[4]), shipped.factor(), 0.0101, computed[0]);
      assertEquals(Integer.parseInt(computed[5]), shipped.rows());
    }
  }

  /** Each row predicted with the bias of the others of its calibration. */
  @Test
  void rowsThatTheBiasHasNotSeenArePredictedBetterWithIt() {
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    factors()
        .values()
        .forEach(
            all -> {
              for (int i = 0; all.size() >= LEAST_ROWS && i < all.size(); i++) {
                List<Double> others = new ArrayList<>(all);
                double factor = others.remove(i);
                without.add(1 / factor - 1);
                with.add(errors(others).median() / factor - 1);
              }
            });
    Errors before = errors(without);
    Errors after = errors(with);
    System.out.printf(
        Locale.ROOT,
        "small calls on more GPUs than measured: %d rows, median error %.0f %% without the bias,"
            + " %.0f %% with that of the other rows%n",
        without.size(),
        100 * before.median(),
        100 * after.median());
    assertTrue(after.median() < before.median(), after + " against " + before);
  }

  private static Errors errors(List<Double> values) {
    return Errors.of(values.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
