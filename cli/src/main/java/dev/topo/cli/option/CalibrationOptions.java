package dev.topo.cli.option;

import dev.topo.cli.terminal.Streams;
import dev.topo.model.Topology;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.SelectedCalibration;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.network.Fabric;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The option for the calibration. */
public final class CalibrationOptions {
  private static final String NONE = "none";

  /** Divides the data of a hop among flows, which take paths of their own through switches. */
  private static final String FLOWS = "NCCL_IB_QPS_PER_CONNECTION";

  @Option(
      names = "--calibration",
      paramLabel = "NAME|FILE",
      description =
          "h200-nvswitch, a100-nvswitch, b200-nvswitch, pcie, a file written by topo calibrate, or none for NCCL's own model"
              + " (default: chosen by GPUs and links).")
  private @Nullable String calibration;

  @Option(
      names = "--network",
      paramLabel = "NAME|FILE",
      description =
          "Calibration of the network between nodes: rdma (InfiniBand and RoCE), slingshot, efa, sockets (TCP), or a file"
              + " (default: chosen by the names of the ports).")
  private @Nullable String network;

  @Option(
      names = "--adaptive-routing",
      description =
          "The switches of --fabric spread traffic evenly over the links to the next switch (default: each flow stays on one of them).")
  private boolean adaptive;

  @Mixin private FabricOptions fabric = new FabricOptions();

  private @Nullable Calibration named;

  /**
   * The calibration that the user names, or else the one that fits a machine.
   *
   * @param inputs reads the files that the options name
   */
  public SelectedCalibration use(Topology topology, Inputs inputs) {
    String name = calibration;
    if (name == null) {
      return SelectedCalibration.byMachine(topology);
    }
    if (name.equals(NONE)) {
      return SelectedCalibration.none();
    }
    if (named == null) {
      named = CalibrationFile.shipped(name).orElseGet(() -> read(name, inputs));
    }
    return SelectedCalibration.requested(named, topology);
  }

  /** Settings without those that times follow by these options. */
  public NcclSettings withoutModelled(NcclSettings settings) {
    return fabric.isGiven() ? settings.without(Set.of(FLOWS)) : settings;
  }

  /** A request with the calibration that the user names, or else the one that fits its machine. */
  public JobRequest applyTo(JobRequest request, Inputs inputs) {
    return applyTo(
        request,
        request.job(),
        IntStream.range(0, request.job().machines().size()).boxed().toList(),
        inputs);
  }

  /**
   * The same for a part of a job.
   *
   * @param whole the job, whose machines have the hosts in order
   * @param machines the machines of the part, by their places in the whole job
   */
  public JobRequest applyTo(JobRequest request, Job whole, List<Integer> machines, Inputs inputs) {
    JobRequest calibrated =
        onFabric(
            request.withCalibration(use(request.actualTopology(), inputs)),
            whole,
            machines,
            inputs);
    String name = network;
    return name == null ? calibrated : calibrated.withNetwork(readNetwork(name, inputs));
  }

  private JobRequest onFabric(
      JobRequest request, Job whole, List<Integer> machines, Inputs inputs) {
    if (!fabric.isGiven()) {
      if (adaptive) {
        throw new SettingException(
            "--adaptive-routing is how the switches of --fabric work: expected --fabric FILE");
      }
      return request;
    }
    return request.withFabric(
        new Fabric(fabric.switches(inputs), fabric.hosts(whole, inputs), adaptive).of(machines));
  }

  private static NetworkCalibration readNetwork(String name, Inputs inputs) {
    return OptionValue.accepted(
        "--network ", () -> NetworkFile.named(name, Streams.file(name), inputs));
  }

  private static Calibration read(String name, Inputs inputs) {
    Path file = Streams.file(name);
    if (!Files.exists(file)) {
      throw new SettingException(
          "--calibration %s: expected a file, none, or one of %s"
              .formatted(name, String.join(", ", CalibrationFile.SHIPPED)));
    }
    return CalibrationFile.read(inputs.text(file, "a calibration"), name);
  }
}
