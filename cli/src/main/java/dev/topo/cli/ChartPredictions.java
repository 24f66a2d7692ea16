package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.inspect.measured.PredictedTable;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.visualizer.chart.Chart;
import dev.topo.visualizer.chart.PredictedCharts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Builds charts of predictions without measurements.
 *
 * @param command provides the options
 * @param asked evaluates jobs
 */
record ChartPredictions(ChartCommand command, AskedJob asked) {
  private ChartOptions options() {
    return command.predictions();
  }

  /**
   * The charts of the predictions.
   *
   * @throws NothingFoundException if nothing is predicted
   */
  List<Chart> charts() {
    List<Call> calls = options().calls();
    List<Chart> charts =
        command.question().job().counts().size() > 1 ? byNodes(calls) : bySize(calls);
    if (charts.isEmpty()) {
      throw new NothingFoundException("nothing is predicted of these operations for this job");
    }
    return charts;
  }

  /** The charts of predictions that were written as CSV earlier. */
  static List<Chart> ofTables(ChartCommand command, List<Path> files) {
    ChartOptions options = command.predictions();
    options.rejectJob();
    Set<String> named =
        options.collectives().operations().stream()
            .map(Operation::ncclTestsName)
            .collect(Collectors.toSet());
    Map<String, List<PredictedTable.Prediction>> tables = new LinkedHashMap<>();
    for (Path file : files) {
      tables.put(
          new DistinctNames(files).of(file),
          PredictedTable.read(command.inputs().text(file, "CSV of topo predict"), file.toString())
              .stream()
              .filter(row -> named.contains(row.operation()))
              .toList());
    }
    List<Chart> charts = PredictedCharts.ofTables(tables);
    if (charts.isEmpty()) {
      throw Subcommand.unusable(
          files.get(0),
          "has no operation at several numbers of nodes: expected the CSV of topo predict --nodes"
              + " 1,2,4");
    }
    return charts;
  }

  private List<Chart> bySize(List<Call> calls) {
    List<Chart> charts = new ArrayList<>();
    for (Optional<Path> machine : options().machines()) {
      for (JobPart part : sending(options().layout(machine))) {
        PredictedCharts.bySize(
                part.title(), command.evaluated(asked, part, Optional.empty()), calls)
            .ifPresent(charts::add);
      }
    }
    return charts;
  }

  private List<Chart> byNodes(List<Call> calls) {
    refuseIf(
        command.question().job().hasSplit()
            || command.question().job().hasNodeList()
            || options().actual() != null,
        "several --nodes compare predictions for one FILE: --node, --split and --actual cannot be"
            + " combined with them");
    Map<String, Map<Integer, JobResult>> byMachine = new LinkedHashMap<>();
    for (Optional<Path> machine : options().machines()) {
      List<Path> files = machine.stream().toList();
      Map<Integer, JobResult> jobs = new TreeMap<>();
      for (int count : command.question().job().counts()) {
        sending(command.question().job().layout(files, count))
            .forEach(part -> jobs.put(count, command.evaluated(asked, part, Optional.empty())));
      }
      String name = MachineName.of(files);
      byMachine.put(byMachine.containsKey(name) ? files.get(0).toString() : name, jobs);
    }
    return PredictedCharts.byNodes(byMachine, calls);
  }

  private List<JobPart> sending(RankLayout layout) {
    return command
        .question()
        .sending(asked.withRecordedCaveats(asked.resolved(layout)), "prediction");
  }
}
