package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.LaunchOptions;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.hw.run.RunCollective;
import dev.topo.hw.run.RunRequest;
import dev.topo.visualizer.hardware.RunSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo run}: runs a real collective on real GPUs. */
@Command(
    name = "run",
    description = {
      "Runs a real collective on the GPUs of this machine, measures it and checks its results.",
      "Options and columns are those of nccl-tests. Under mpirun, srun or torchrun all processes"
          + " are one",
      "job; each has -g times -t ranks.",
      "NCCL runs in a process of its own and reads the NCCL_* variables of this one.",
      "With --workload it replays the calls of a traced job and compares their times with those of"
          + " the",
      "traces and with the predictions."
    },
    sortOptions = false)
final class RunCommand extends Subcommand {
  @Parameters(
      paramLabel = "COLLECTIVE",
      arity = "0..1",
      description =
          "all_reduce, all_gather, reduce_scatter, broadcast, reduce, sendrecv, alltoall,"
              + " alltoallv, gather, scatter or hypercube.")
  private String collective = "";

  @Mixin private NcclTestsOptions bench = new NcclTestsOptions();

  @Option(
      names = {"-J", "--output_file", "--output"},
      paramLabel = "FILE",
      description = {
        "Also write the JSON of nccl-tests to this file; with --workload the answer as JSON, CSV"
            + " or",
        "text by its ending."
      })
  private @Nullable Path jsonFile;

  @Option(
      names = "--split",
      paramLabel = "RULE",
      description = {
        "Split the processes into communicators, in NCCL_TESTS_SPLIT's syntax: 'MOD 2', '& 0x7'",
        "(default: NCCL_TESTS_SPLIT or NCCL_TESTS_SPLIT_MASK)."
      })
  private @Nullable String split;

  @Mixin private RefusedOptions refused = new RefusedOptions();

  @Mixin private ForcedOptions forced = new ForcedOptions();

  @Mixin private LaunchOptions launch = new LaunchOptions();

  @Option(
      names = "--memory-steps",
      paramLabel = "STEP",
      split = ",",
      description = {
        "Measure the memory that NCCL takes by step instead of COLLECTIVE, as topo memory --steps",
        "names them: \"init,all_reduce 256 MiB\". A process for each of the -g GPUs; shows rank 0."
      })
  private List<String> memory = new ArrayList<>();

  @Option(
      names = "--launch-time",
      description = {
        "Measure the time that this host takes to launch a kernel, for topo predict --launch-us,",
        "instead of COLLECTIVE: a process for each of the -g GPUs, or a thread for each of -t."
      })
  private boolean launchTime;

  @Mixin private ReplayOptions replay = new ReplayOptions();
  @Mixin private BriefOption brief = new BriefOption();

  @Override
  List<String> fileEndings() {
    return replay.isWanted() ? List.of() : List.of(".json");
  }

  @Override
  public Integer call() throws IOException {
    boolean isCollectiveOrReplay = memory.isEmpty() && !launchTime;
    refuseIf(
        !isCollectiveOrReplay && (!collective.isEmpty() || replay.isWanted() || jsonFile != null),
        (launchTime ? "--launch-time" : "--memory-steps")
            + ": expected no COLLECTIVE, --workload or --output");
    brief.check(
        !isCollectiveOrReplay || replay.isWanted(), "--launch-time, --memory-steps or --workload");
    brief.check(replay.format() == TextJsonOrCsv.text, "--format text");
    refuseIf(launchTime && !memory.isEmpty(), "--launch-time: expected no --memory-steps");
    replay.check(
        spec().commandLine().getParseResult(),
        isCollectiveOrReplay ? collective : RunCollective.ALL_REDUCE.label());
    RunRequest request =
        bench.request(
            replay.isWanted() || !isCollectiveOrReplay
                ? RunCollective.ALL_REDUCE.label()
                : collective);
    refused.check();
    NcclTestsVariables nccl = new NcclTestsVariables(environment());
    nccl.check();
    Map<String, String> variables = new HashMap<>(environment());
    variables.putAll(bench.variables());
    variables.putAll(forced.variables());
    LaunchOptions.addFiles(variables, inputs());
    Optional<OutputPlan> file = // fails before the run if the file cannot be written
        Optional.ofNullable(jsonFile).map(this::plan);
    if (launchTime) {
      new LaunchMeasurement(this, launch).run(request, variables);
      return ExitStatus.DONE;
    }
    if (!isCollectiveOrReplay) {
      new MemoryMeasurement(this, memory, launch).run(request, variables);
      return ExitStatus.DONE;
    }
    if (replay.isWanted()) {
      new ReplayRun(this, replay, launch).run(request, variables, file);
      return ExitStatus.DONE;
    }
    RunSummary summary =
        new CollectiveRun(this, collective, launch, nccl)
            .run(request, variables, split, bench.hasTimestamps(), file);
    return ExitStatus.of(summary.isGood());
  }
}
