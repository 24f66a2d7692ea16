package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.EvaluationOptions.CalibrationOptions.ConstantsOptions;
import dev.topo.cli.option.OptionValue;
import dev.topo.inspect.measured.FabricReader;
import dev.topo.model.io.InputText;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.job.SettingException;
import dev.topo.model.nic.HostList;
import dev.topo.model.nic.SwitchMap;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.diagnosis.RunText;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec.FabricSpec;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.pair.PairPlan;
import dev.topo.simulator.pair.PairRuns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that describe what was measured, and on which machines. */
final class DiagnoseOptions {
  private static final String EXPECTED = "output of nccl-tests or a log of NCCL";

  @Option(
      names = "--machine",
      paramLabel = "FILE",
      description = "The topology of a node, for the expected times.")
  private @Nullable Path machine;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "A log of the run with NCCL_DEBUG=INFO (repeatable).")
  private List<Path> logs = new ArrayList<>();

  @Option(
      names = "--collective",
      paramLabel = "NAME",
      description = "The operation of rows without nccl-tests' heading, as in all_reduce.")
  private @Nullable String collective;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Number of nodes (default: that of the files, or as many as the ranks need).")
  private @Nullable Integer nodes;

  @Option(
      names = "--ranks-per-process",
      paramLabel = "N",
      description =
          "GPUs for which one thread launches kernels, as nccl-tests' -g (default: that of the files, else 1 or all, whichever"
              + " fits).")
  private @Nullable Integer ranksPerProcess;

  @Option(
      names = "--pairs",
      description =
          "MEASURED is a matrix of pairs of hosts: folders or files of nccl-tests, or CSV (default: detected).")
  private boolean pairs;

  @Option(
      names = "--plan",
      description = "Print the runs of pairs of --hosts that find slow ones, as command lines.")
  private boolean isPlan;

  @Option(
      names = "--hosts",
      paramLabel = "LIST",
      description = "For --plan, the hosts as Slurm lists them: n[1-16].")
  private @Nullable String hosts;

  @Option(
      names = "--fabric",
      paramLabel = "FILE",
      description =
          "For a matrix of pairs, the network switches: Slurm's topology.conf, or a table node,nic,switch.")
  private @Nullable Path fabric;

  @Mixin private ConstantsOptions constants = new ConstantsOptions();

  /** The calibrations that the user states. */
  TimeResolver times(Inputs inputs, Consumer<SpecText> notes) {
    return new TimeResolver(
        constants.times(TimeSpec.Processes.USUAL, FabricSpec.NONE), inputs, notes);
  }

  /**
   * The runs of many pairs of hosts, if the files contain such a matrix. Files are taken for one
   * job if an option describes the job.
   */
  Optional<PairRuns> pairs(List<Path> files, Inputs inputs) {
    if (pairs) {
      return Optional.of(PairRuns.read(files, inputs));
    }
    boolean isJob = machine != null || nodes != null || !logs.isEmpty();
    return files.isEmpty() || isJob ? Optional.empty() : PairRuns.find(files, inputs);
  }

  /** The runs to make, if the user asks for a plan. */
  Optional<PairPlan> plan() {
    refuseIf(isPlan != (hosts != null), "--plan and --hosts LIST need each other");
    return Optional.ofNullable(hosts)
        .map(
            list -> {
              List<String> names = hosts(list);
              refuseIf(names.size() < 3, "--hosts " + list + ": expected 3 hosts or more");
              return PairPlan.of(names);
            });
  }

  private static List<String> hosts(String list) {
    try {
      return HostList.expand(list);
    } catch (IllegalArgumentException e) {
      throw new SettingException("--hosts " + e.getMessage());
    }
  }

  /** The map of the network switches, if the user names its file. */
  Optional<SwitchMap> fabric(Inputs inputs) {
    return Optional.ofNullable(fabric).map(map -> FabricReader.read(map, inputs));
  }

  /**
   * Reads the measurements and logs of a job.
   *
   * @throws SettingException if there are none, or an option has a wrong value
   */
  List<RunText> texts(List<Path> files, Inputs inputs) {
    refuseIf(
        files.isEmpty() && logs.isEmpty(),
        "expected MEASURED or --log FILE (--help shows an example)");
    nodes(); // reports a wrong value before files are read
    ranksPerProcess();
    return Stream.concat(files.stream(), logs.stream())
        .map(file -> new RunText(file.toString(), InputText.printed(inputs.bytes(file, EXPECTED))))
        .toList();
  }

  /** The operation of rows without a heading, if the user names it. */
  Optional<Operation> operation() {
    return Optional.ofNullable(collective).map(DiagnoseOptions::operation);
  }

  /** The topology file of a node, if the user names it. */
  Optional<Path> machine() {
    return Optional.ofNullable(machine);
  }

  /** The number of nodes, if the user states it. */
  OptionalInt nodes() {
    return OptionValue.positive("--nodes", nodes);
  }

  /** The number of GPUs per process, if the user states it. */
  OptionalInt ranksPerProcess() {
    return OptionValue.positive("--ranks-per-process", ranksPerProcess);
  }

  private static Operation operation(String name) {
    return Operation.ofName(name)
        .orElseThrow(
            () ->
                new SettingException(
                    "--collective %s: expected all_reduce, all_gather, reduce_scatter, broadcast, reduce, alltoall, sendrecv, gather, scatter or hypercube"
                        .formatted(name)));
  }
}
