package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.memory.MemoryComparison;
import dev.topo.simulator.memory.MemoryComparison.Pair;
import dev.topo.simulator.memory.MemoryComparison.Row;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Basis;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Predicted beside measured memory, as a sentence and as text. */
public final class MemoryAgreement {
  private static final String GPU = "on the GPU";
  private static final String HOST = "in shared memory of the host";

  private MemoryAgreement() {}

  /** Agreement of the prediction with the measurements; else where it differs most. */
  public static String headline(MemoryComparison comparison) {
    boolean hasHost = comparison.rows().stream().anyMatch(row -> row.hostShared().isPresent());
    String steps = steps(comparison);
    if (comparison.isEqual()) {
      return "The prediction equals the measured memory of %s, %s%s."
          .formatted(steps, GPU, hasHost ? " and " + HOST : "");
    }
    String gpu =
        place(
            comparison,
            GPU,
            row -> row.gpu().difference() != 0,
            comparison.worstOnGpu().map(row -> worst(comparison, row, row.gpu())));
    String host =
        place(
            comparison,
            HOST,
            row -> row.hostShared().stream().anyMatch(pair -> pair.difference() != 0),
            comparison
                .worstOnHost()
                .map(row -> worst(comparison, row, row.hostShared().orElseThrow())));
    return "The prediction differs from the measured memory of %s: %s%s."
        .formatted(steps, gpu, hasHost ? "; " + host : "");
  }

  private static String steps(MemoryComparison comparison) {
    return QuantityFormat.count(comparison.rows().size() / comparison.nRanks(), "step")
        + (comparison.nRanks() == 1
            ? ""
            : " of each of " + QuantityFormat.count(comparison.nRanks(), "rank"));
  }

  private static String place(
      MemoryComparison comparison, String where, Predicate<Row> differs, Optional<String> worst) {
    long steps = comparison.rows().stream().filter(differs).map(Row::step).distinct().count();
    return worst
        .map(most -> "%s in %d, most in %s".formatted(where, steps, most))
        .orElse(where + " in none");
  }

  private static String worst(MemoryComparison comparison, Row row, Pair pair) {
    return "%s%s (%s predicted, %s measured)"
        .formatted(
            row.step(),
            comparison.nRanks() == 1 ? "" : " of rank " + row.rank(),
            QuantityFormat.size(pair.predicted()),
            QuantityFormat.size(pair.measured()));
  }

  /**
   * The text: the steps of the rank with the largest difference.
   *
   * @param title the machines in words
   * @param restsOn what the prediction rests on
   * @param isVerbose whether all ranks are listed
   */
  public static Answer text(
      String title, MemoryComparison comparison, List<String> restsOn, boolean isVerbose) {
    TextWriter out = new TextWriter();
    List<Integer> ranks =
        isVerbose
            ? comparison.rows().stream().map(Row::rank).distinct().toList()
            : List.of(comparison.shownRank());
    for (int rank : ranks) {
      out.line("%s%s: rank %d, what each step adds", rank == ranks.get(0) ? "" : "\n", title, rank);
      out.line("");
      out.table(table(comparison.ofRank(rank)));
    }
    Basis.write(out, restsOn, isVerbose);
    return Answer.of(out.toString());
  }

  private static TextTable table(List<Row> rows) {
    TextTable table =
        TextTable.indented()
            .header("step,GPU MiB,measured,difference,host shared KiB,measured,difference");
    for (Row row : rows) {
      table.row(
          row.step(),
          row.gpu().predicted() >> 20,
          row.gpu().measured() >> 20,
          difference(row.gpu().difference() >> 20),
          row.hostShared().map(pair -> String.valueOf(pair.predicted() >> 10)).orElse("-"),
          row.hostShared().map(pair -> String.valueOf(pair.measured() >> 10)).orElse("-"),
          row.hostShared().map(pair -> difference(pair.difference() >> 10)).orElse("-"));
    }
    return table;
  }

  private static String difference(long difference) {
    return difference == 0 ? "0" : "%+d".formatted(difference);
  }
}
