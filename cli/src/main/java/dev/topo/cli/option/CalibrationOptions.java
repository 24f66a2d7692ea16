package dev.topo.cli.option;

import dev.topo.cli.option.OptionValue.OfferedValues;
import dev.topo.cli.terminal.Streams;
import dev.topo.model.Topology;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.SelectedCalibration;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec.FabricSpec;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.evaluate.TimeResolver.FabricResolver;
import dev.topo.simulator.network.NetworkCalibration;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The option for the calibration. */
public final class CalibrationOptions {
  private static final String NONE = "none";

  @Option(
      names = "--calibration",
      paramLabel = "NAME|FILE",
      description =
          "h200-nvswitch, h100-nvswitch, a100-nvswitch, b200-nvswitch, gb200-nvswitch, pcie, a file written by topo calibrate, or none for NCCL's own model"
              + " (default: chosen by GPUs and links).")
  private @Nullable String calibration;

  @Option(
      names = "--network",
      paramLabel = "NAME|FILE",
      completionCandidates = OfferedValues.Networks.class,
      description =
          "Calibration of the network between nodes: rdma (InfiniBand and RoCE), slingshot, efa, sockets (TCP), or a file;"
              + " list shows what each is for and rests on (default: chosen by the names of the ports).")
  private @Nullable String network;

  @Option(
      names = "--adaptive-routing",
      description =
          "The switches of --fabric spread traffic evenly over the links to the next switch (default: each flow stays on one of them).")
  private boolean adaptive;

  @Mixin private FabricOptions fabric = new FabricOptions();

  private @Nullable TimeResolver resolver;

  /** What determines times by these options, and how processes make calls. */
  TimeSpec times(TimeSpec.Processes processes) {
    return new TimeSpec(
        processes,
        constants(),
        Optional.ofNullable(network).map(CalibrationOptions::file),
        fabric.spec(adaptive));
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

  /** Settings without those that times follow by these options. */
  public NcclSettings withoutModelled(NcclSettings settings) {
    return times(TimeSpec.Processes.USUAL).withoutModelled(settings);
  }

  /**
   * The calibration that the user names, or else the one that fits a machine.
   *
   * @param inputs reads the files that the options name
   */
  public SelectedCalibration use(Topology topology, Inputs inputs) {
    return resolver(inputs).calibration(topology);
  }

  /** The calibration of machines that the user names; empty where none is. */
  public Optional<Calibration> stated(Inputs inputs) {
    return resolver(inputs).stated();
  }

  /** The calibration of a network that the user names; empty where none is. */
  public Optional<NetworkCalibration> statedNetwork(Inputs inputs) {
    return resolver(inputs).network();
  }

  /** A request with the calibration that the user names, or else the one that fits its machine. */
  public JobRequest applyTo(JobRequest request, Inputs inputs) {
    return resolver(inputs).applyTo(request);
  }

  /**
   * The same for a part of a job.
   *
   * @param whole the job, whose machines have the hosts in order
   * @param machines the machines of the part, by their places in the whole job
   */
  public JobRequest applyTo(JobRequest request, Job whole, List<Integer> machines, Inputs inputs) {
    return resolver(inputs).applyTo(request, whole, machines);
  }

  private TimeResolver resolver(Inputs inputs) {
    if (resolver == null) {
      resolver = new TimeResolver(times(TimeSpec.Processes.USUAL), inputs, note -> {});
    }
    return resolver;
  }

  /** The options for the switches of the network and the order of the nodes. */
  public static final class FabricOptions {
    @Option(
        names = "--fabric",
        paramLabel = "FILE",
        description =
            "Switches between the nodes: Slurm's topology.conf, or a table node,nic,switch (a switch may name the one above it:"
                + " leaf3/core). The bandwidth to the switch above, in Gb/s: UplinkGbps=3200, or leaf3@3200/core; 8x400 is eight links, of"
                + " which each flow takes one.")
    private @Nullable Path file;

    @Option(
        names = "--hosts",
        paramLabel = "LIST",
        description =
            "Names of the nodes in rank order, as in n[0-15,20] or @FILE (default: the order of --fabric).")
    private @Nullable String hosts;

    /** Whether the user has given a map of switches. */
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
          adaptive);
    }

    private static FabricSpec.HostNames names(String text) {
      return text.startsWith("@")
          ? new FabricSpec.HostsInFile(Streams.file(text.substring(1)))
          : new FabricSpec.ListedHosts(text);
    }
  }
}
