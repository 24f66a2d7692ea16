package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.accuracy.OutsideRow.Cluster;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Predictor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * docs/accuracy/machines.csv: published times of shipped machines of which no time is in a fit or a
 * range. Those of another generation of GPUs have twice the range of the constants that they
 * borrow.
 */
@Tag("slow")
class BorrowedRangeTest {
  private static final Path ROWS =
      Path.of(System.getProperty("topo.root"), "src/test/resources/published/machines.csv");

  @Test
  void publishedTimesAreInTheRangeOfBorrowedConstants() throws IOException {
    AccuracyFile file =
        new AccuracyFile(
            "machine,gpus,nodes,nccl,operation,bytes,time_us,predicted_us,low_us,high_us,borrowed,source");
    Map<String, Predictor> predictors = new HashMap<>();
    int ranged = 0;
    int inside = 0;
    List<String> lines = Files.readAllLines(ROWS);
    for (String line : lines.subList(1, lines.size())) {
      String[] c = line.split(",", -1);
      int nodes = Integer.parseInt(c[3]);
      Predictor predictor =
          predictors.computeIfAbsent(
              String.join(",", c[1], c[2], c[4], c[5]),
              key ->
                  new Cluster(c[0], c[1], "", c[2], 1, 1, c[4], c[5], "", "", c[9])
                      .predictor(nodes, ""));
      Operation operation = Operation.ofName(c[6]).orElseThrow();
      Prediction prediction =
          predictor.predict(Call.of(operation.ncclTestsName(), c[7])).orElseThrow();
      double timeUs = Double.parseDouble(c[8]);
      if (prediction.spread().isPresent()) {
        ranged++;
        double off = Math.max(prediction.timeUs() / timeUs, timeUs / prediction.timeUs()) - 1;
        inside += off <= prediction.spread().getAsDouble() ? 1 : 0;
      }
      file.add(
          c[0],
          c[2].isEmpty() ? "all" : c[2],
          nodes,
          c[4],
          c[6],
          c[7],
          c[8],
          us(prediction.timeUs()),
          prediction.shortestUs().isPresent() ? us(prediction.shortestUs().getAsDouble()) : "",
          prediction.longestUs().isPresent() ? us(prediction.longestUs().getAsDouble()) : "",
          prediction.isBorrowed() ? "yes" : "no",
          c[9]);
    }
    String figures = inside + " of " + ranged + " in the range";
    System.err.println(figures);
    assertTrue(10 * inside >= 9 * ranged, figures);
    file.check("machines.csv");
  }

  private static String us(double time) {
    return String.format(Locale.ROOT, "%.4g", time);
  }
}
