package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Algorithm;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Collects the basis of the predictions in an answer and writes a line for each source. */
public final class BasisLines {
  private static final String PREFIX = "rests on: ";
  private static final int MAX_LINES = 3;

  /** Errors of at least this many percent are written as a factor. */
  private static final int LARGE_PERCENT = 50;

  /**
   * The kind of constants that a prediction is based on.
   *
   * @param isBorrowed whether the constants were fitted to another GPU generation
   */
  private record Basis(Source source, boolean isBorrowed) {}

  /** The algorithms predicted on each basis. */
  private final Map<Basis, TreeSet<String>> algorithms = byBasis();

  /**
   * The errors in percent, on each basis, that 90 of 100 predictions do not exceed; a basis without
   * known errors is absent.
   */
  private final Map<Basis, TreeSet<Long>> errors = byBasis();

  private boolean hasMoreRanks;

  private static <T> Map<Basis, T> byBasis() {
    return new TreeMap<>(Comparator.comparing(Basis::source).thenComparing(Basis::isBorrowed));
  }

  /** Adds the basis of a prediction. */
  public void add(Prediction prediction) {
    Basis basis =
        new Basis(prediction.source(), prediction.isBorrowed() && prediction.source().judges());
    hasMoreRanks |= prediction.source() == Source.CALIBRATION && prediction.hasMoreRanks();
    algorithms
        .computeIfAbsent(basis, key -> new TreeSet<>())
        .add(
            prediction
                .tunedAlgorithm()
                .map(Algorithm::label)
                .orElseGet(() -> prediction.operation().label()));
    prediction
        .spread()
        .ifPresent(
            error ->
                errors.computeIfAbsent(basis, key -> new TreeSet<>()).add(Math.round(100 * error)));
  }

  /**
   * Writes the basis and then the limitations after a blank line.
   *
   * @param limits the limitations of the predictions
   * @param isVerbose whether to write all lines instead of at most three
   */
  public void write(TextWriter out, List<String> limits, boolean isVerbose) {
    List<String> lines = new ArrayList<>(lines());
    limits.stream().map("note: "::concat).forEach(lines::add);
    int shown = isVerbose ? lines.size() : Math.min(lines.size(), MAX_LINES);
    if (shown > 0) {
      out.line("");
    }
    lines.subList(0, shown).forEach(line -> out.paragraph(line, "  "));
    if (lines.size() > shown) {
      out.line("and %s more (-v)", QuantityFormat.count(lines.size() - shown, "note"));
    }
  }

  /** Returns the lines. Times from different models are not directly comparable. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    algorithms.forEach(
        (basis, names) -> lines.add(PREFIX + text(basis, String.join(", ", names)) + error(basis)));
    return lines;
  }

  private String error(Basis basis) {
    Source source = basis.source;
    TreeSet<Long> known = errors.getOrDefault(basis, new TreeSet<>());
    if (source == Source.UNMEASURED || source == Source.NCCL_MODEL && known.isEmpty()) {
      return "";
    }
    if (known.isEmpty()) {
      return "; no range is known for them";
    }
    String range =
        known.size() == 1
            ? within(known.first())
            : known.last() < LARGE_PERCENT
                ? "%s to %s %%, by size".formatted(known.first(), known.last())
                : "%s to %s, by size".formatted(within(known.first()), within(known.last()));
    if (basis.isBorrowed) {
      return "; the range is twice theirs, " + range;
    }
    return "; nine in ten "
        + switch (source) {
          case NETWORK -> "runs of unseen clusters";
          case OWN_TIMES -> "times of sizes that were not measured";
          case NCCL_MODEL -> "times of measured machines, not of this one,";
          default -> "predictions";
        }
        + " are within "
        + range
        + (hasMoreRanks && source == Source.CALIBRATION
            ? "; on more GPUs than were measured small calls may take up to 1.9 times as long"
            : "");
  }

  private static String within(long percent) {
    return percent < LARGE_PERCENT
        ? percent + " %"
        : TextWriter.format("a factor of %.1f", 1 + percent / 100.0);
  }

  private static String text(Basis basis, String algorithms) {
    return switch (basis.source) {
      case CALIBRATION ->
          "constants fitted to times of %s for %s"
              .formatted(
                  basis.isBorrowed ? "another generation of GPUs" : "such machines", algorithms);
      case PUBLISHED ->
          "published measurements of "
              + algorithms
              + (basis.isBorrowed ? " on another generation" : "");
      case NETWORK -> "a model of the network fitted to published runs, for " + algorithms;
      case OWN_TIMES -> "times that were measured on this machine, for " + algorithms;
      case UNMEASURED ->
          "rates of ports and latencies for %s, of which no run between nodes is known: no range"
              .formatted(algorithms);
      case NCCL_MODEL ->
          "NCCL's own model for %s, which ranks algorithms and does not predict times"
              .formatted(algorithms);
    };
  }
}
