package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.accuracy.PublishedRow.Use;
import dev.topo.simulator.evaluate.Prediction;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * docs/accuracy/machines.csv: published times of shipped machines of which no time is in a fit or a
 * range. Two, by which a number of links was chosen, do not count. Those of another generation of
 * GPUs have twice the range of the constants that they borrow.
 */
@Tag("slow")
class BorrowedRangeTest {
  @Test
  void publishedTimesAreInTheRangeOfBorrowedConstants() throws IOException {
    AccuracyFile file =
        new AccuracyFile(
            "machine,gpus,nodes,nccl,operation,bytes,time_us,predicted_us,low_us,high_us,borrowed,fitted,source");
    int ranged = 0;
    int inside = 0;
    for (MachineRow row : MachineRow.all()) {
      Prediction prediction = row.predict();
      if (row.use() == Use.NONE && prediction.spread().isPresent()) {
        ranged++;
        double ratio = prediction.timeUs() / row.measuredUs();
        inside += Math.max(ratio, 1 / ratio) - 1 <= prediction.spread().getAsDouble() ? 1 : 0;
      }
      file.add(
          row.machine(),
          row.gpus().isEmpty() ? "all" : row.gpus(),
          row.nodes(),
          row.nccl(),
          row.operation().ncclTestsName(),
          row.bytes(),
          row.timeUs(),
          us(prediction.timeUs()),
          prediction.shortestUs().isPresent() ? us(prediction.shortestUs().getAsDouble()) : "",
          prediction.longestUs().isPresent() ? us(prediction.longestUs().getAsDouble()) : "",
          prediction.isBorrowed() ? "yes" : "no",
          row.use().label(),
          row.source());
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
