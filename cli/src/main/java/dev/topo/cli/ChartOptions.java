package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.CallOptions.CollectiveOptions;
import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.JobOptions;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.simulator.evaluate.RankLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the jobs and calls that a chart predicts. */
final class ChartOptions {
  /** Default sizes for several numbers of nodes, where each size has a chart of its own. */
  private static final String SCALING_SIZES = "1M,16M,1G";

  @Option(
      names = "--machine",
      paramLabel = "FILE",
      description =
          "The topology of the machine, for predictions: one for all DATA, or one for each in their order.")
  private List<Path> machines = new ArrayList<>();

  @Option(
      names = "--actual",
      paramLabel = "FILE",
      description = "The actual machine, if NCCL used another topology (--machine).")
  private @Nullable Path actual;

  @Option(
      names = "--sizes",
      paramLabel = "SIZES",
      description =
          "Bytes, as first:last:factor or as a list: of DATA those from the first to the last; without DATA those predicted"
              + " (default: "
              + CallSizes.USUAL
              + "; with several --nodes "
              + SCALING_SIZES
              + ").")
  private @Nullable String sizes;

  @Mixin private CollectiveOptions collectives = new CollectiveOptions();
  private final JobOptions job;
  private final EvaluationOptions evaluation;

  ChartOptions(JobOptions job, EvaluationOptions evaluation) {
    this.job = job;
    this.evaluation = evaluation;
  }

  CollectiveOptions collectives() {
    return collectives;
  }

  @Nullable Path actual() {
    return actual;
  }

  /** True if there is a machine to predict for. */
  boolean hasMachine() {
    return !machines.isEmpty() || job.hasNodeList();
  }

  /** True if the user states more about the job than its machine, such as nodes or a split. */
  boolean isJobStated() {
    return job.isGiven() || job.hasSplit();
  }

  /**
   * The file of each machine to predict for; a single empty entry if {@code --node} lists the
   * nodes.
   */
  List<Optional<Path>> machines() {
    return machines.isEmpty()
        ? List.of(Optional.empty())
        : machines.stream().map(Optional::of).toList();
  }

  /** The layout of the job on a machine, or on the nodes that {@code --node} lists. */
  RankLayout layout(Optional<Path> machine) {
    return job.layout(machine.stream().toList());
  }

  /**
   * The machine for the file of measurements at an index: the only one, or the one at the same
   * index.
   */
  Optional<Path> machine(int file) {
    return machines.isEmpty()
        ? Optional.empty()
        : Optional.of(machines.get(machines.size() == 1 ? 0 : file));
  }

  /**
   * Makes sure that the machines fit the number of measurement files, and that options for
   * predictions come with a machine.
   *
   * @param showsErrors whether prediction errors are drawn
   */
  void checkMachines(int files, boolean showsErrors) {
    refuseIf(
        machines.size() > 1 && machines.size() != files,
        "--machine: expected one FILE, or one for each of the " + files + " DATA");
    refuseIf(
        !hasMachine() && (showsErrors || actual != null || evaluation.hasProcesses()),
        "--show error, --actual, --ranks-per-process and --cuda-graph need predictions: expected --machine FILE");
    refuseIf(
        !hasMachine() && isJobStated(),
        "--nodes, --nvlink-domain, --ranks and --split are for predictions: expected --machine FILE");
  }

  /** Refuses options for a job, because {@code --scaling} draws predictions made earlier. */
  void rejectJob() {
    refuseIf(
        !machines.isEmpty() || actual != null || evaluation.hasProcesses(),
        "--scaling draws the predictions in DATA: --machine, --actual, --ranks-per-process and --cuda-graph cannot be combined with it");
    refuseIf(
        isJobStated() || sizes != null,
        "--scaling draws the predictions in DATA: for others leave it out, and give --machine FILE and --nodes 1,2,4");
  }

  /** True if measurements of a size lie in the range of {@code --sizes} and so are drawn. */
  boolean isDrawn(long size) {
    return CallSizes.areAround(sizes == null ? List.of() : CallSizes.parse(sizes), size);
  }

  /** The calls to predict if there are no measurements, sorted by operation, then by size. */
  List<Call> calls() {
    String defaultSizes = job.counts().size() > 1 ? SCALING_SIZES : CallSizes.USUAL;
    List<Long> sizesBytes = CallSizes.parse(sizes == null ? defaultSizes : sizes);
    List<Call> calls = new ArrayList<>(Call.ofEach(collectives.collectives(), sizesBytes));
    if (!collectives.isEmpty()) {
      calls.addAll(Call.ofEach(collectives.peers(), sizesBytes));
    }
    return calls;
  }
}
