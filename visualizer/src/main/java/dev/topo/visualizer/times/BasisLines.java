package dev.topo.visualizer.times;

import dev.topo.model.operation.Algorithm;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What numbers that are compared rest on, a line for each source. */
public final class BasisLines {
  private static final String RESTS = "rests on: ";

  /** The algorithms of each source. */
  private final Map<Source, TreeSet<String>> algorithms = new EnumMap<>(Source.class);

  /** What 90 of 100 predictions of a source are off by at most, where that is known. */
  private final Map<Source, TreeSet<Long>> errors = new EnumMap<>(Source.class);

  private boolean hasMoreRanks;

  /** Counts a prediction in. */
  public void add(Prediction prediction) {
    Source source = prediction.source();
    hasMoreRanks |= source == Source.CALIBRATION && prediction.hasMoreRanks();
    algorithms
        .computeIfAbsent(source, key -> new TreeSet<>())
        .add(
            prediction
                .tunedAlgorithm()
                .map(Algorithm::label)
                .orElseGet(() -> prediction.call().operation().label()));
    prediction
        .spread()
        .ifPresent(
            part ->
                errors.computeIfAbsent(source, key -> new TreeSet<>()).add(Math.round(100 * part)));
  }

  /** The lines; those of different models are to be compared with care. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    algorithms.forEach(
        (source, names) ->
            lines.add(RESTS + words(source, String.join(", ", names)) + error(source)));
    return lines;
  }

  private String error(Source source) {
    TreeSet<Long> known = errors.getOrDefault(source, new TreeSet<>());
    if (source == Source.NCCL_MODEL || source == Source.UNMEASURED) {
      return "";
    }
    if (known.isEmpty()) {
      return "; no range is known for them";
    }
    String part =
        known.size() == 1
            ? known.first() + " %"
            : "%d to %d %%, by size".formatted(known.first(), known.last());
    return "; nine in ten "
        + (source == Source.NETWORK ? "runs of unseen clusters" : "predictions")
        + " are within "
        + part
        + (hasMoreRanks && source == Source.CALIBRATION
            ? "; on more GPUs than were measured small calls may take up to 1.9 times as long"
            : "");
  }

  private static String words(Source source, String algorithms) {
    return switch (source) {
      case CALIBRATION -> "constants fitted to times of such machines for " + algorithms;
      case PUBLISHED -> "published measurements of " + algorithms;
      case NETWORK -> "a model of the network fitted to published runs, for " + algorithms;
      case UNMEASURED ->
          "rates of ports and latencies for %s, of which no run between nodes is known: no range"
              .formatted(algorithms);
      case NCCL_MODEL ->
          "NCCL's own model for %s, which ranks algorithms and does not predict times"
              .formatted(algorithms);
    };
  }
}
