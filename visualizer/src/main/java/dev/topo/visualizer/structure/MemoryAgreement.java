package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.memory.MemoryComparison;
import dev.topo.simulator.memory.MemoryComparison.Pair;
import dev.topo.simulator.memory.MemoryComparison.Row;
import dev.topo.visualizer.chart.ChartSheet;
import dev.topo.visualizer.chart.StepChart;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.BasisFooter;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Compares predicted with measured memory.
 *
 * @param predicted the prediction; its savings are empty
 */
public record MemoryAgreement(MemoryReport predicted, MemoryComparison comparison) {
  private static final String GPU = "on the GPU";
  private static final String HOST = "in shared memory of the host";

  private static final Columns<Row> STEPS =
      Columns.of(Row.class)
          .column("step", "step", Row::step)
          .field("rank", Row::rank)
          .column("GPU MiB", "gpuBytes", row -> row.gpu().predicted(), bytes -> bytes >> 20)
          .column("measured", "measuredGpuBytes", row -> row.gpu().measured(), bytes -> bytes >> 20)
          .column("difference", row -> difference(row.gpu().difference() >> 20))
          .column(
              "host shared KiB",
              "hostSharedBytes",
              row -> row.hostShared().map(Pair::predicted),
              MemoryAgreement::kib)
          .column(
              "measured",
              "measuredHostSharedBytes",
              row -> row.hostShared().map(Pair::measured),
              MemoryAgreement::kib)
          .column(
              "difference",
              row -> row.hostShared().map(pair -> difference(pair.difference() >> 10)).orElse("-"))
          .header(
              "step,rank,gpu_bytes,measured_gpu_bytes,host_shared_bytes,measured_host_shared_bytes");

  private static final Fields<MemoryAgreement> FIELDS =
      Fields.of(MemoryAgreement.class)
          .including(MemoryAgreement::predicted, MemoryReport.FIELDS)
          .object(
              "against",
              MemoryAgreement::comparison,
              Fields.of(MemoryComparison.class)
                  .field("equal", MemoryComparison::isEqual)
                  .list("steps", MemoryComparison::rows, STEPS.fields()));

  /**
   * Returns the comparison in a format.
   *
   * @param format {@code text}, {@code json}, {@code csv}, {@code svg} or {@code png}
   * @param isVerbose whether the text shows all ranks instead of the one with the largest
   *     difference
   */
  public Answer in(String format, boolean isVerbose) {
    List<String> gaps = predicted.answer().gaps();
    return switch (format) {
      case "text" -> text(isVerbose).saying(sentence());
      case "json" -> Json.document("memory", gaps, FIELDS, this).saying(sentence());
      case "csv" -> STEPS.csv(gaps, comparison.rows().stream());
      default -> ChartSheet.of(StepChart.of(sentence(), predicted.title(), comparison)).in(format);
    };
  }

  /** Agreement of the prediction with the measurements; else where it differs most. */
  private String sentence() {
    boolean hasHost = comparison.rows().stream().anyMatch(row -> row.hostShared().isPresent());
    String steps = steps();
    if (comparison.isEqual()) {
      return "The prediction equals the measured memory of %s, %s%s."
          .formatted(steps, GPU, hasHost ? " and " + HOST : "");
    }
    String gpu =
        place(
            GPU,
            row -> row.gpu().difference() != 0,
            comparison.worstOnGpu().map(row -> worst(row, row.gpu())));
    String host =
        place(
            HOST,
            row -> row.hostShared().stream().anyMatch(pair -> pair.difference() != 0),
            comparison.worstOnHost().map(row -> worst(row, row.hostShared().orElseThrow())));
    return "The prediction differs from the measured memory of %s: %s%s."
        .formatted(steps, gpu, hasHost ? "; " + host : "");
  }

  private String steps() {
    return QuantityFormat.count(comparison.rows().size() / comparison.nRanks(), "step")
        + (comparison.nRanks() == 1
            ? ""
            : " of each of " + QuantityFormat.count(comparison.nRanks(), "rank"));
  }

  private String place(String where, Predicate<Row> differs, Optional<String> worst) {
    long steps = comparison.rows().stream().filter(differs).map(Row::step).distinct().count();
    return worst
        .map(largest -> "%s in %s, most in %s".formatted(where, steps, largest))
        .orElse(where + " in none");
  }

  private String worst(Row row, Pair pair) {
    return "%s%s (%s predicted, %s measured)"
        .formatted(
            row.step(),
            comparison.nRanks() == 1 ? "" : " of rank " + row.rank(),
            QuantityFormat.size(pair.predicted()),
            QuantityFormat.size(pair.measured()));
  }

  private Answer text(boolean isVerbose) {
    TextWriter out = new TextWriter();
    List<Integer> ranks =
        isVerbose
            ? comparison.rows().stream().map(Row::rank).distinct().toList()
            : List.of(comparison.shownRank());
    for (int rank : ranks) {
      out.line(
          "%s%s: rank %d, what each step adds",
          rank == ranks.get(0) ? "" : "\n", predicted.title(), rank);
      out.line("").table(STEPS.shown(comparison.ofRank(rank)));
    }
    BasisFooter.write(out, predicted.answer().gaps(), isVerbose);
    return Answer.of(out);
  }

  private static String kib(Optional<Long> bytes) {
    return bytes.map(value -> String.valueOf(value >> 10)).orElse("-");
  }

  private static String difference(long difference) {
    return difference == 0 ? "0" : TextWriter.format("%+d", difference);
  }
}
