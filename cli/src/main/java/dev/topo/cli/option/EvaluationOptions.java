package dev.topo.cli.option;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.EvaluationOptions.CalibrationOptions.FabricOptions;
import dev.topo.cli.option.OptionValue.OfferedValues;
import dev.topo.cli.terminal.CommandContext;
import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.nic.SwitchMapReader;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.ConcurrentParts;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec.FabricSpec;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec.GroupsAtOnce;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.evaluate.TimeResolver.FabricResolver;
import dev.topo.simulator.network.ConcurrentGroups;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.OptionWords;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options that, besides the machines, determine the times of a job: processes, buffers,
 * concurrency and calibration.
 */
public final class EvaluationOptions {
  @Option(
      names = "--ranks-per-process",
      paramLabel = "N",
      description =
          "GPUs that one thread drives, as nccl-tests' -g (default: 1; with measurements the number"
              + " in their file, or all GPUs if it has none).")
  private @Nullable Integer ranksPerProcess;

  @Option(
      names = "--cuda-graph",
      description =
          "Calls are replayed from a CUDA graph, as with nccl-tests' -G; kernels are not launched"
              + " one by one.")
  private boolean cudaGraph;

  @Option(
      names = "--launch-us",
      paramLabel = "US",
      description =
          "Microseconds that the host takes to launch the kernel of one GPU, as"
              + " src/test/gpu/launch-time.c measures it (default: as on the host of the"
              + " calibration, with a range up to twice as much).")
  private @Nullable Double launchUs;

  @Option(
      names = "--buffers",
      paramLabel = "KIND",
      description =
          "Buffers of the calls: plain (default), registered (ncclCommRegister) or symmetric"
              + " (windows).")
  private String buffers = "plain";

  @Option(
      names = "--groups-at-once",
      paramLabel = "N|split",
      description =
          "Number of groups of the same GPUs that make equal calls at the same time, each on a"
              + " stream, as in PyTorch (default: 1); or split: the groups of --split run at the"
              + " same time and share ports, links and uplinks.")
  private String groups = "1";

  @Mixin private CalibrationOptions calibration = new CalibrationOptions();

  private @Nullable TimeResolver resolver;

  /** GPUs that one thread drives, if the user states it. */
  public OptionalInt ranksPerProcess() {
    return OptionValue.optional(ranksPerProcess);
  }

  /** True if the calls are replayed from a CUDA graph or have buffers of another kind. */
  public boolean isOfOtherCalls() {
    return cudaGraph || !buffers.equals("plain");
  }

  /** The switches between the nodes and the hosts that the user gives. */
  public FabricOptions fabric() {
    return calibration.fabric;
  }

  /** Reads the switches and hosts that the user gives. */
  public FabricResolver fabric(Inputs inputs) {
    return new FabricResolver(calibration.fabric.spec(calibration.adaptive), inputs);
  }

  /** True if the user gives an option that describes processes. */
  public boolean hasProcesses() {
    return cudaGraph || ranksPerProcess != null || launchUs != null;
  }

  /** Removes the settings whose effects on times are modelled with these options. */
  public NcclSettings withoutModelled(NcclSettings settings) {
    NcclSettings others = calibration.withoutModelled(settings);
    return times().withoutModelled(others);
  }

  /** True if the groups of a split run at the same time. */
  public boolean runsGroupsOfSplit() {
    return new GroupsAtOnce(groups).isOfSplit();
  }

  /**
   * The communicators of a split if their calls run at the same time; otherwise empty.
   *
   * @param job states whether the job is split
   */
  public Optional<ConcurrentGroups> concurrent(
      JobOptions job, List<JobPart> parts, JobEvaluator evaluator, NcclProfile profile) {
    if (!runsGroupsOfSplit()) {
      return Optional.empty();
    }
    refuseIf(
        !job.hasSplit(),
        "--groups-at-once split: the groups are those of --split, expected --split");
    return Optional.of(ConcurrentParts.of(parts, evaluator, profile));
  }

  /**
   * The request to evaluate a communicator and the times of its calls.
   *
   * @param concurrent the communicators of the job, if their calls run at the same time
   * @param run measurements of the communicator, which may state the GPUs per process
   * @param actual the actual machine, if it differs from the declared one of the job
   */
  public JobRequest request(
      NcclProfile profile,
      JobPart part,
      Optional<ConcurrentGroups> concurrent,
      Optional<MeasuredRun> run,
      Optional<Machine> actual,
      CommandContext context) {
    requireConcurrent(concurrent);
    run.ifPresent(
        measured ->
            RunMismatches.ofNetwork(measured.file(), measured.origin(), part.job().machines())
                .forEach(caveat -> Envelope.report(caveat, context.streams()::message)));
    return resolver(context).request(profile, part, concurrent, run, actual);
  }

  private void requireConcurrent(Optional<ConcurrentGroups> concurrent) {
    refuseIf(
        runsGroupsOfSplit() && concurrent.isEmpty(),
        "--groups-at-once split: for topo predict, expected a number here");
  }

  /** The resolver of the calibrations that the user names, or else those that fit the machines. */
  public TimeResolver resolver(CommandContext context) {
    if (resolver == null) {
      resolver =
          new TimeResolver(
              times(), context.inputs(), note -> context.streams().message(OptionWords.of(note)));
    }
    return resolver;
  }

  private TimeSpec times() {
    return calibration.times(
        new TimeSpec.Processes(
            Optional.ofNullable(ranksPerProcess),
            cudaGraph,
            OptionValue.ofLabel("--buffers", buffers, Buffers.values(), Buffers::label, ""),
            new GroupsAtOnce(groups),
            Optional.ofNullable(launchUs)));
  }

  /** The options for the calibrations of nodes and of the network. */
  public static final class CalibrationOptions {
    @Mixin private ConstantsOptions constants = new ConstantsOptions();

    @Option(
        names = "--adaptive-routing",
        description =
            "The switches of --fabric spread traffic evenly over the links to the next switch"
                + " (default: each flow stays on one of them).")
    private boolean adaptive;

    @Mixin private FabricOptions fabric = new FabricOptions();

    private @Nullable TimeResolver resolver;

    /**
     * The specification of times by these options, for processes that make calls in a given way.
     */
    TimeSpec times(TimeSpec.Processes processes) {
      return constants.times(processes, fabric.spec(adaptive));
    }

    /** Removes the settings whose effects on times are modelled with these options. */
    public NcclSettings withoutModelled(NcclSettings settings) {
      return times(TimeSpec.Processes.USUAL).withoutModelled(settings);
    }

    /**
     * The resolver of the calibrations and switches that the user names, or else those that fit the
     * machines.
     *
     * @param inputs reads the files that the options name
     */
    public TimeResolver resolver(Inputs inputs) {
      if (resolver == null) {
        resolver = new TimeResolver(times(TimeSpec.Processes.USUAL), inputs, note -> {});
      }
      return resolver;
    }

    /** The options that choose the calibrations. */
    public static final class ConstantsOptions {
      private static final String NONE = "none";

      @Option(
          names = "--calibration",
          paramLabel = "NAME|FILE",
          description =
              "h200-nvswitch, h100-nvswitch, a100-nvswitch, b200-nvswitch, gb200-nvswitch, pcie, a"
                  + " file written by topo calibrate, or none for NCCL's own model (default: chosen"
                  + " by GPUs and links).")
      private @Nullable String calibration;

      @Option(
          names = "--network",
          paramLabel = "NAME|FILE",
          completionCandidates = OfferedValues.Networks.class,
          description =
              "Calibration of the network between nodes: rdma (InfiniBand and RoCE), slingshot, efa,"
                  + " sockets (TCP), or a file; list shows what each is for and rests on (default:"
                  + " chosen by the names of the ports).")
      private @Nullable String network;

      /**
       * The specification of times by these options, for processes that make calls in a given way.
       */
      public TimeSpec times(TimeSpec.Processes processes, FabricSpec fabric) {
        return new TimeSpec(
            processes,
            constants(),
            Optional.ofNullable(network).map(ConstantsOptions::file),
            fabric);
      }

      private TimeSpec.Constants constants() {
        if (calibration == null) {
          return new TimeSpec.ByMachine();
        }
        return calibration.equals(NONE)
            ? new TimeSpec.NcclModel()
            : new TimeSpec.Named(file(calibration));
      }

      private static TimeSpec.NamedFile file(String name) {
        return new TimeSpec.NamedFile(name, Streams.file(name));
      }
    }

    /** Options for the switches of the network and the order of the nodes. */
    public static final class FabricOptions {
      @Option(
          names = "--fabric",
          paramLabel = "FILE",
          description =
              "Switches between the nodes: Slurm's topology.conf or topology.yaml, scontrol show"
                  + " topology, kubectl get nodes -o json, or a table"
                  + " node,nic,switch (a switch may name the one above it: leaf3/core). The bandwidth"
                  + " to the switch above, in Gb/s: UplinkGbps=3200, or leaf3@3200/core; 8x400 is"
                  + " eight links, of which each flow takes one.")
      private @Nullable Path file;

      @Option(
          names = "--uplink-gbps",
          paramLabel = "GBPS",
          description =
              "The bandwidth to the switch above, 3200 or 8x400, where --fabric does not state it.")
      private @Nullable String uplinks;

      @Option(
          names = "--hosts",
          paramLabel = "LIST",
          description =
              "Names of the nodes in rank order, as in n[0-15,20] or @FILE (default: the order of"
                  + " --fabric).")
      private @Nullable String hosts;

      /** True if the user gives a map of switches. */
      public boolean isGiven() {
        return spec(false).isStated();
      }

      /**
       * Reads the map of switches.
       *
       * @param inputs reads the files
       */
      public FabricResolver resolver(Inputs inputs) {
        return new FabricResolver(spec(false), inputs);
      }

      FabricSpec spec(boolean adaptive) {
        return new FabricSpec(
            Optional.ofNullable(file),
            Optional.ofNullable(hosts).map(FabricOptions::names),
            adaptive,
            Optional.ofNullable(uplinks)
                .map(text -> SwitchMapReader.uplink(text, SourceLocation.of("--uplink-gbps"))));
      }

      /** The names of hosts in an option: a list, or {@code @FILE}. */
      public static FabricSpec.HostNames names(String text) {
        return text.startsWith("@")
            ? new FabricSpec.HostsInFile(Streams.file(text.substring(1)))
            : new FabricSpec.ListedHosts(text);
      }
    }
  }
}
