package dev.topo.simulator.verdict;

import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.LintRule;
import dev.topo.inspect.lint.SourceText;
import dev.topo.inspect.lint.TunerRow;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.TimeChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The time changes that the rows of a tuner file cause on nodes like a given machine. For each row
 * it is the largest change over the powers of two among its sizes, with the row's algorithm and
 * protocol on as many channels as NCCL takes for them. Rows for any number of nodes are priced on
 * one node.
 */
record TunerFileCost(Topology machine, NcclProfile profile, JobEvaluator evaluator) {
  private static final long LARGEST_BYTES = 1L << 34;

  /** Rows for more nodes are not priced, as a prediction would take seconds. */
  private static final int MOST_NODES = 10_000;

  /** A call as NCCL runs it by its own choice, and by a row. */
  private record Change(CollectivePrediction own, CollectivePrediction row) {
    double ratio() {
      return row.timeUs() / own.timeUs();
    }

    boolean isKnown() {
      return !TimeChange.isNone(ratio() - 1) && TimeChange.areComparable(own, row);
    }

    LintFinding finding(LintFinding.Place place) {
      return LintFinding.of(
          LintRule.TUNER_TIME,
          ratio() > 1 ? Severity.WARNING : Severity.NOTE,
          place,
          "%s of %s by %s is predicted to take %s, by NCCL's %s %s"
              .formatted(
                  own.call().collective().label(),
                  QuantityFormat.size(own.call().sizeBytes()),
                  row.pair(),
                  QuantityFormat.briefTime(row.timeUs()),
                  own.pair(),
                  QuantityFormat.briefTime(own.timeUs())));
    }
  }

  /**
   * Returns a finding for each row that changes times.
   *
   * @param dead the lines of rows that match no call
   */
  List<LintFinding> of(SourceText source, Set<Integer> dead) {
    Map<Integer, CallPredictor> byNodes = new HashMap<>();
    List<LintFinding> found = new ArrayList<>();
    source.forEachLine(
        (start, line) -> {
          LintFinding.Place place = source.place(start, line.length());
          TunerRow.of(line)
              .filter(row -> isOfMachine(row) && !dead.contains(place.line()))
              .flatMap(row -> change(row, byNodes.computeIfAbsent(nodes(row), this::predictor)))
              .map(change -> change.finding(place))
              .ifPresent(found::add);
        });
    return found;
  }

  private boolean isOfMachine(TunerRow row) {
    return row.nodes() != 0
        && row.nodes() <= MOST_NODES
        && (row.ranks() < 0 || row.ranks() == nodes(row) * machine.gpus().size());
  }

  private static int nodes(TunerRow row) {
    return (int) Math.max(1, row.nodes());
  }

  private CallPredictor predictor(int nodes) {
    Machine node = new Machine(machine, NcclSettings.DEFAULTS);
    return evaluator.evaluate(JobPart.ofEqual(node, nodes).job(), profile).predictor();
  }

  private static Optional<Change> change(TunerRow row, CallPredictor predictor) {
    return LongStream.iterate(1, bytes -> bytes <= LARGEST_BYTES, bytes -> 2 * bytes)
        .filter(bytes -> bytes >= row.min() && bytes <= row.max())
        .mapToObj(bytes -> CollectiveCall.of(row.collective(), bytes))
        .flatMap(call -> change(row, call, predictor).stream())
        .max(Comparator.comparingDouble(change -> Math.abs(Math.log(change.ratio()))));
  }

  private static Optional<Change> change(
      TunerRow row, CollectiveCall call, CallPredictor predictor) {
    return predictor
        .predict(call, false)
        .flatMap(
            own ->
                predictor
                    .predict(call, Optional.of(row.pair()), false)
                    .map(other -> new Change(own, other)))
        .filter(Change::isKnown);
  }
}
