package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Quantiles;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.calibration.OwnTimes;
import dev.topo.simulator.calibration.TimedCall.MeasuredCall;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.Prediction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What three times of each operation (the smallest, the middle and the largest size) tell of the
 * other sizes, for all published runs that were collected afterwards, sick machines included. The
 * widths of the prior are rounded ones of these runs: the figures describe, they are no evidence.
 */
@Tag("slow")
class OwnTimesAccuracyTest {
  /** Where 10 of 100 times may lie outside a range, what one outside costs. */
  private static final double OUTSIDE = 2 / 0.1;

  private record Run(OutsideRow.Cluster cluster, int nodes) {}

  /**
   * A time that was not measured.
   *
   * @param kind of its job
   * @param before what is predicted without own times
   * @param after what is predicted with them
   */
  private record Left(String kind, OutsideRow row, Prediction before, Prediction after) {
    double off(Prediction prediction) {
      double ratio = prediction.timeUs() / row.timeUs();
      return Math.max(ratio, 1 / ratio) - 1;
    }

    /** The interval score of logarithms, smaller for better ranges (Gneiting and Raftery, 2007). */
    double score(Prediction prediction) {
      double low = Math.log(prediction.shortestUs().orElseThrow());
      double high = Math.log(prediction.longestUs().orElseThrow());
      double time = Math.log(row.timeUs());
      return high - low + OUTSIDE * (Math.max(0, low - time) + Math.max(0, time - high));
    }

    boolean isInside() {
      return row.timeUs() >= after.shortestUs().orElseThrow()
          && row.timeUs() <= after.longestUs().orElseThrow();
    }
  }

  @Test
  void threeSizesTellTheOthers() {
    List<Left> all = left();
    Map<String, List<Left>> kinds =
        all.stream()
            .collect(Collectors.groupingBy(Left::kind, LinkedHashMap::new, Collectors.toList()));
    kinds.forEach(OwnTimesAccuracyTest::check);
    assertTrue(kinds.keySet().containsAll(List.of("between nodes", "in a node")), kinds.toString());
  }

  private static void check(String kind, List<Left> left) {
    List<Left> ranged = left.stream().filter(one -> one.before.spread().isPresent()).toList();
    double inside = (double) ranged.stream().filter(Left::isInside).count() / ranged.size();
    String figures =
        String.format(
            Locale.ROOT,
            "%s: %d times, median / 90th %.1f / %.0f %% -> %.1f / %.0f %%; inside %.0f %% of %d; score %.2f -> %.2f",
            kind,
            left.size(),
            quantile(left, one -> one.off(one.before), 0.5),
            quantile(left, one -> one.off(one.before), 0.9),
            quantile(left, one -> one.off(one.after), 0.5),
            quantile(left, one -> one.off(one.after), 0.9),
            100 * inside,
            ranged.size(),
            mean(ranged, one -> one.score(one.before)),
            mean(ranged, one -> one.score(one.after)));
    Thorough.print(figures);
    assertFalse(
        left.stream().anyMatch(one -> one.after.spread().isEmpty()), "no range: " + figures);
    assertTrue(
        quantile(left, one -> one.off(one.after), 0.5)
            < 0.6 * quantile(left, one -> one.off(one.before), 0.5),
        figures);
    assertTrue(inside >= 0.85, figures);
    assertTrue(
        mean(ranged, one -> one.score(one.after)) < mean(ranged, one -> one.score(one.before)),
        figures);
  }

  private static double quantile(List<Left> left, ToDoubleFunction<Left> error, double part) {
    return 100 * Quantiles.of(left.stream().mapToDouble(error).toArray(), part);
  }

  private static double mean(List<Left> left, ToDoubleFunction<Left> score) {
    return left.stream().mapToDouble(score).average().orElseThrow();
  }

  private static List<Left> left() {
    Map<Run, List<OutsideRow>> runs = new LinkedHashMap<>();
    Stream.concat(
            OutsideRow.all().stream().filter(row -> !row.cluster().name().endsWith("forced")),
            OutsideRow.blind().stream())
        .forEach(
            row ->
                runs.computeIfAbsent(new Run(row.cluster(), row.nodes()), key -> new ArrayList<>())
                    .add(row));
    List<Left> left = new ArrayList<>();
    runs.forEach((run, rows) -> left.addAll(left(run, rows)));
    return left;
  }

  private static List<Left> left(Run run, List<OutsideRow> rows) {
    CallPredictor plain = run.cluster.predictor(run.nodes, "", Optional.empty());
    List<MeasuredCall> known = new ArrayList<>();
    List<OutsideRow> unknown = new ArrayList<>();
    rows.stream()
        .collect(
            Collectors.groupingBy(OutsideRow::operation, LinkedHashMap::new, Collectors.toList()))
        .values()
        .forEach(
            series -> {
              List<OutsideRow> sizes =
                  series.stream().sorted(Comparator.comparing(OutsideRow::bytes)).toList();
              int last = sizes.size() - 1;
              for (int i = 0; i <= last; i++) {
                if (last < 3 || i == 0 || i == sizes.size() / 2 || i == last) {
                  time(plain, sizes.get(i))
                      .map(time -> new MeasuredCall(plain.timed(time), time(series, time)))
                      .ifPresent(known::add);
                } else {
                  unknown.add(sizes.get(i));
                }
              }
            });
    if (known.isEmpty() || unknown.isEmpty()) {
      return List.of();
    }
    String machine = CalibrationChoice.of(plain.communicator().job().first().topology()).machine();
    CallPredictor own =
        run.cluster.predictor(run.nodes, "", Optional.of(new OwnTimes(machine, known)));
    String kind =
        run.nodes > 1
            ? "between nodes"
            : machine.endsWith("PCI") ? "in a node on PCIe" : "in a node";
    List<Left> left = new ArrayList<>();
    for (OutsideRow row : unknown) {
      time(plain, row)
          .ifPresent(before -> left.add(new Left(kind, row, before, time(own, row).orElseThrow())));
    }
    return left;
  }

  private static double time(List<OutsideRow> series, Prediction prediction) {
    return series.stream()
        .filter(row -> row.bytes() == prediction.call().sizeBytes())
        .findFirst()
        .orElseThrow()
        .timeUs();
  }

  private static Optional<Prediction> time(CallPredictor predictor, OutsideRow row) {
    Operation operation = row.operation();
    return predictor.predict(Call.of(operation.ncclTestsName(), String.valueOf(row.bytes())));
  }
}
