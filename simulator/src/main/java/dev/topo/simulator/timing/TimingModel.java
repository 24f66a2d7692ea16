package dev.topo.simulator.timing;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Calibration.BetweenNodes;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.calibration.NodeCosts;
import dev.topo.simulator.calibration.NodeCosts.NodeCost;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import dev.topo.simulator.timing.TimeEstimate.KernelTime;
import dev.topo.simulator.timing.TimeEstimate.LaunchHost;
import dev.topo.simulator.timing.TimeEstimate.NodeTime;
import dev.topo.simulator.timing.TimeEstimate.Overlap;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Time of a call that is repeated on the same buffers of calibrated hardware. A process launches
 * the kernels of its GPUs one after the other while the kernels of the previous call run, so that
 * the longer of the two times counts. Covers rings, and AllReduce with trees and NVLS, on one node.
 * A pure function of its arguments; run time and memory do not depend on the size of the call.
 */
public final class TimingModel {
  /**
   * Channels of NVLS on one node beyond which more do not help: on GB200 the 32 of NCCL 2.26.6 take
   * as long as the 24 of 2.27.3 and newer (oci-gb200-trays of docs/accuracy/outside.csv).
   */
  public static final int MOST_NVLS_CHANNELS = 24;

  private static final double US_PER_NS = 1e-3;

  private final Calibration calibration;
  private final Map<Protocol, StepCosts> costs = new EnumMap<>(Protocol.class);
  private final Optional<NodeCosts> ofProcesses;
  private final OptionalDouble statedLaunchUs;
  private @Nullable TimingModel ofNodes;
  private final int groups;
  private final double launchBaseUs;
  private final double launchPerGpuUs;
  private final double launchPerChannelUs;
  private final double kernelUs;
  private final double perRankUs;
  private final double perChannelUs;
  private final double perThreadLl128Us;
  private final double perThreadSimpleUs;
  private final double directUs;
  private final double reduceLl128Us;
  private final double registeredUs;
  private final double treeLl128;
  private final NvlsTime nvls;

  /**
   * A model with the constants of a calibration and its launch times, which are those of threads.
   */
  public TimingModel(Calibration calibration) {
    this(calibration, Optional.empty(), 1, OptionalDouble.empty());
  }

  /**
   * A model with the launch times of processes, one per GPU unless a process drives several.
   *
   * @param costs costs of a launch by a process
   * @param groups number of calls that run at the same time; a framework launches several
   */
  public TimingModel(Calibration calibration, NodeCosts costs, int groups) {
    this(calibration, Optional.of(costs), groups, OptionalDouble.empty());
  }

  private TimingModel(
      Calibration calibration,
      Optional<NodeCosts> ofProcesses,
      int groups,
      OptionalDouble statedLaunchUs) {
    this.statedLaunchUs = statedLaunchUs;
    this.calibration = calibration;
    this.groups = groups;
    this.ofProcesses = ofProcesses;
    for (Protocol protocol : Protocol.values()) {
      costs.put(protocol, StepCosts.of(calibration, protocol));
    }
    this.launchBaseUs = calibration.value(Constant.LAUNCH_BASE);
    this.launchPerGpuUs = calibration.value(Constant.LAUNCH_PER_GPU);
    this.launchPerChannelUs = calibration.value(Constant.LAUNCH_PER_CHANNEL);
    this.kernelUs = calibration.value(Constant.KERNEL);
    this.perRankUs = calibration.value(Constant.KERNEL_PER_RANK);
    this.perChannelUs = calibration.value(Constant.KERNEL_PER_CHANNEL);
    this.perThreadLl128Us = calibration.value(Constant.KERNEL_PER_THREAD_LL128) * US_PER_NS;
    this.perThreadSimpleUs = calibration.value(Constant.KERNEL_PER_THREAD_SIMPLE) * US_PER_NS;
    this.directUs = calibration.value(Constant.KERNEL_DIRECT);
    this.reduceLl128Us = calibration.value(Constant.KERNEL_REDUCE_LL128);
    this.registeredUs = calibration.value(Constant.KERNEL_REGISTERED);
    this.treeLl128 = calibration.value(Constant.TREE_LL128);
    this.nvls = NvlsTime.of(calibration);
  }

  /**
   * This model on a host whose launch time is known.
   *
   * @param us time to launch the kernel of one GPU, in microseconds; 0 where launches never show
   */
  public TimingModel withLaunchUs(double us) {
    return new TimingModel(calibration, ofProcesses, groups, OptionalDouble.of(us));
  }

  /** Constants of this model. */
  public Calibration calibration() {
    return calibration;
  }

  /**
   * Time of a process to launch the kernels of a call, in microseconds, while earlier kernels run.
   *
   * @param gpusPerProcess GPUs that one process drives; 0 if a CUDA graph holds the kernels
   */
  public double launchUs(int gpusPerProcess, int channels) {
    if (gpusPerProcess == 0) {
      return 0;
    }
    if (statedLaunchUs.isPresent()) {
      return groups * gpusPerProcess * statedLaunchUs.getAsDouble();
    }
    if (groups > 1 && ofProcesses.isPresent()) {
      return groups * gpusPerProcess * ofProcesses.get().value(NodeCost.LAUNCH_FRAMEWORK);
    }
    if (gpusPerProcess == 1 && ofProcesses.isPresent()) {
      return ofProcesses.get().value(NodeCost.LAUNCH_PROCESS);
    }
    return launchBaseUs + gpusPerProcess * (launchPerGpuUs + channels * launchPerChannelUs);
  }

  /**
   * Time of a call whose kernel time is known; launches may take longer.
   *
   * @param gpusPerProcess GPUs that one process drives; 0 if a CUDA graph holds the kernels
   * @param channels channels that the call runs on
   * @param latencyUs part of the time that does not depend on the size
   * @param timeUs time of the kernels
   */
  public TimeEstimate estimate(int gpusPerProcess, int channels, double latencyUs, double timeUs) {
    double launch = launchUs(gpusPerProcess, channels);
    double steps = Math.min(latencyUs, timeUs);
    Bottleneck bottleneck = 2 * steps >= timeUs ? Bottleneck.LATENCY : Bottleneck.LINKS;
    return new TimeEstimate(
        Overlap.beside(launch, timeUs, Overlap.LAUNCHES),
        launch >= timeUs ? Bottleneck.LAUNCH : bottleneck,
        launch,
        0,
        steps,
        0,
        timeUs - steps,
        host(gpusPerProcess));
  }

  /** Time of a call. */
  public TimeEstimate estimate(CallShape shape) {
    double launch = launchUs(shape);
    double start = startUs(shape);
    KernelTime kernel = kernel(shape);
    return new TimeEstimate(
        timeUs(shape, kernel),
        bottleneck(launch, start, kernel),
        launch,
        start,
        kernel.stepsUs(),
        kernel.fillUs(),
        kernel.transferUs(),
        host(shape.gpusPerProcess()));
  }

  /** Time that the links alone need for a call, in microseconds. */
  public double linksUs(CallShape shape) {
    return kernel(shape).linksUs();
  }

  /**
   * Time of a call on one node, without waiting for other nodes.
   *
   * @param localRanks ranks of the node: more of them start later; those of other nodes do not
   *     count
   */
  public NodeTime inNode(CallShape shape, int localRanks) {
    return betweenNodes().ofNode(shape, localRanks);
  }

  /** This model with the constants that apply in jobs of several nodes. */
  private TimingModel betweenNodes() {
    if (ofNodes == null) {
      Calibration betweenNodes = BetweenNodes.of(calibration);
      ofNodes =
          betweenNodes.equals(calibration)
              ? this
              : new TimingModel(betweenNodes, ofProcesses, groups, statedLaunchUs);
    }
    return ofNodes;
  }

  private NodeTime ofNode(CallShape shape, int localRanks) {
    if (shape.algorithm() == Algorithm.NVLS) {
      return nvls.inTree(shape);
    }
    KernelTime kernel = kernel(shape);
    double othersUs = Math.max(0, shape.nRanks() - Math.max(2, localRanks)) * perRankUs;
    double start = startUs(shape) - othersUs;
    return new NodeTime(
        start,
        kernel.channelsUs(),
        kernel.linksUs(),
        treeHopUs(shape, kernel.channelsUs()),
        hopUsPerByte(shape));
  }

  /**
   * Time of a hop of the first bytes of a tree from rank to rank. For rings, the time of the
   * channels includes the waits of all steps.
   */
  private double treeHopUs(CallShape shape, double channelsUs) {
    if (shape.algorithm() != Algorithm.TREE) {
      return 0;
    }
    StepCosts costs = costs(shape.protocol());
    double usPerByte = channelsUs / Math.max(1.0, shape.shareBytes());
    double first = costs.firstInStep(shape.shareBytes(), shape.threads() / 2);
    return costs.treeHopUs(shape) + first * usPerByte;
  }

  /**
   * Time per byte of the slowest hop on links other than NVLink, where a chunk goes from rank to
   * rank. On a tree with LL or LL128 a rank forwards the part of a chunk that it has.
   */
  private double hopUsPerByte(CallShape shape) {
    StepCosts steps = costs(shape.protocol());
    boolean isStreamed = shape.algorithm() == Algorithm.TREE && !steps.isSliced();
    return isStreamed || shape.algorithm() == Algorithm.NVLS
        ? 0
        : shape.route().stages().stream()
            .mapToDouble(hops -> steps.linkUsPerByte(hops.withoutNvlink()))
            .max()
            .orElse(0);
  }

  /**
   * Time of a call whose parts are known.
   *
   * @param gpusPerProcess GPUs that one process drives; 0 if a CUDA graph holds the kernels
   * @param channels channels that the call runs on
   * @param kernel time of its kernels, without launches
   */
  public TimeEstimate estimate(int gpusPerProcess, int channels, TimeEstimate kernel) {
    double launch = launchUs(gpusPerProcess, channels);
    return new TimeEstimate(
        Overlap.beside(launch, kernel.kernelUs(), Overlap.LAUNCHES),
        launch >= kernel.kernelUs() ? Bottleneck.LAUNCH : kernel.bottleneck(),
        launch,
        kernel.startUs(),
        kernel.stepsUs(),
        kernel.fillUs(),
        kernel.transferUs(),
        host(gpusPerProcess));
  }

  /** Time from call to call of a repeated call on one node, in microseconds. */
  public double timeUs(NodeCall call) {
    return call instanceof CallShape collective
        ? timeUs(collective, kernel(collective))
        : new PeerTime(this, costs()).estimate((PeerShape) call).timeUs();
  }

  /** Time from call to call, in microseconds. */
  double timeUs(CallShape shape, KernelTime kernel) {
    return Overlap.beside(launchUs(shape), kernel.totalUs(startUs(shape)), Overlap.LAUNCHES);
  }

  /** Time of the kernel of a call after its start. */
  KernelTime kernel(CallShape shape) {
    StepCosts step = costs(shape.protocol());
    return switch (shape.algorithm()) {
      case NVLS -> nvls.kernel(shape);
      case TREE -> TreeTime.of(shape, step, shape.protocol() == Protocol.LL128 ? treeLl128 : 1);
      default ->
          Chunking.goesRound(shape.collective())
              ? RingTime.of(shape, step)
              : PipelineTime.of(shape, step);
    };
  }

  private NodeCosts costs() {
    return ofProcesses.orElseGet(NodeCosts::shipped);
  }

  /**
   * What is known of the launches of a call.
   *
   * @param gpusPerProcess GPUs that one process drives; 0 if a CUDA graph holds the kernels
   */
  public LaunchHost host(int gpusPerProcess) {
    if (statedLaunchUs.isEmpty()) {
      return LaunchHost.UNKNOWN;
    }
    return gpusPerProcess > 1 ? LaunchHost.ONE_THREAD : LaunchHost.KNOWN;
  }

  private StepCosts costs(Protocol protocol) {
    return Objects.requireNonNull(costs.get(protocol));
  }

  /** The protocols whose step costs equal those of another model. */
  Set<Protocol> protocolsOf(TimingModel other) {
    Set<Protocol> sameProtocols = EnumSet.allOf(Protocol.class);
    sameProtocols.removeIf(protocol -> !costs(protocol).equals(other.costs(protocol)));
    return sameProtocols;
  }

  /**
   * True if {@link #kernel} of a call is the same as in another model.
   *
   * @param sameProtocols {@link #protocolsOf} the other model
   */
  boolean hasKernelOf(TimingModel other, CallShape shape, Set<Protocol> sameProtocols) {
    return switch (shape.algorithm()) {
      case NVLS -> nvls.equals(other.nvls);
      case TREE -> treeLl128 == other.treeLl128 && sameProtocols.contains(shape.protocol());
      default -> sameProtocols.contains(shape.protocol());
    };
  }

  /** True if the launch and the start of a call take as long as in another model. */
  boolean hasStartOf(TimingModel other, CallShape shape) {
    return launchUs(shape) == other.launchUs(shape) && startUs(shape) == other.startUs(shape);
  }

  private double launchUs(CallShape shape) {
    return launchUs(shape.gpusPerProcess(), shape.channels());
  }

  /** Time from the end of one kernel on a GPU to the first data of the next, in microseconds. */
  double kernelUs(int gpusPerProcess, Protocol protocol) {
    boolean isAlone =
        gpusPerProcess == 1 && (ofProcesses.isPresent() || statedLaunchUs.isPresent());
    return protocol == Protocol.LL && isAlone
        ? kernelUs * costs().value(NodeCost.KERNEL_LL)
        : kernelUs;
  }

  private double startUs(CallShape shape) {
    if (shape.algorithm() == Algorithm.NVLS) {
      return nvls.fillUs(shape);
    }
    double perThreadUs =
        switch (shape.protocol()) {
          case LL -> 0;
          case LL128 -> perThreadLl128Us;
          case SIMPLE -> perThreadSimpleUs;
        };
    double start =
        kernelUs(shape.gpusPerProcess(), shape.protocol())
            + (shape.nRanks() - 2) * perRankUs
            + shape.channels() * perChannelUs
            + shape.threads() * perThreadUs;
    if (shape.algorithm() == Algorithm.RING && Chunking.goesRound(shape.collective())) {
      start += shape.hasDirectKernel() ? directUs : 0;
      start += reducesByLl128(shape) ? reduceLl128Us : 0;
    }
    return shape.writesDirectly() ? start + registeredUs : start;
  }

  private static boolean reducesByLl128(CallShape shape) {
    return shape.protocol() == Protocol.LL128 && shape.collective() != Collective.ALL_GATHER;
  }

  private static Bottleneck bottleneck(double launchUs, double startUs, KernelTime kernel) {
    if (launchUs >= kernel.totalUs(startUs)) {
      return Bottleneck.LAUNCH;
    }
    if (startUs + kernel.stepsUs() >= kernel.transferUs() + kernel.fillUs()) {
      return Bottleneck.LATENCY;
    }
    return kernel.linksUs() >= kernel.channelsUs() ? Bottleneck.LINKS : Bottleneck.CHANNELS;
  }
}
