package dev.topo.simulator.evaluate;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingScope;
import dev.topo.search.kernel.Buffers;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * What determines the times of a job besides its machines, as it is stated. Nothing is read yet.
 *
 * @param processes how calls are made
 * @param constants the calibration inside nodes
 * @param network the calibration between nodes; empty for the one that fits the ports
 * @param fabric the switches between nodes
 */
public record TimeSpec(
    Processes processes, Constants constants, Optional<NamedFile> network, FabricSpec fabric) {
  /** A process for each GPU; calibrations by the machine; switches that are wide enough. */
  public static final TimeSpec USUAL =
      new TimeSpec(Processes.USUAL, new ByMachine(), Optional.empty(), FabricSpec.NONE);

  /** Settings whose effects on the kernels of a CUDA graph are modelled. */
  private static final String GRAPH_REGISTER = "NCCL_GRAPH_REGISTER";

  /** Divides the data of a hop among flows, which take paths of their own through switches. */
  private static final String FLOWS = "NCCL_IB_QPS_PER_CONNECTION";

  /** Settings that also have effects besides those on buffers. */
  private static final Set<String> ALSO_OF_BUFFERS =
      Set.of("NCCL_CUMEM_ENABLE", "NCCL_P2P_USE_CUDA_MEMCPY", "NCCL_WORK_ARGS_BYTES");

  /**
   * How the processes of a job make calls.
   *
   * @param gpusPerProcess GPUs that one process drives; empty for the number of the measurements,
   *     or else 1
   * @param cudaGraph whether calls are replayed from a CUDA graph
   * @param buffers how NCCL knows the buffers of the calls
   * @param groups groups of the same GPUs that make equal calls at the same time
   * @param launchUs what the host takes to launch the kernel of one GPU; empty where that is not
   *     known
   */
  public record Processes(
      Optional<Integer> gpusPerProcess,
      boolean cudaGraph,
      Buffers buffers,
      GroupsAtOnce groups,
      Optional<Double> launchUs) {
    /** A process for each GPU, plain buffers, one communicator. */
    public static final Processes USUAL =
        new Processes(Optional.empty(), false, Buffers.PLAIN, GroupsAtOnce.ONE, Optional.empty());
  }

  /** The choice of a calibration. */
  public sealed interface Constants {}

  /** The shipped calibration that fits the machine. */
  public record ByMachine() implements Constants {}

  /** NCCL's own model. */
  public record NcclModel() implements Constants {}

  /** A shipped calibration, or one in a file. */
  public record Named(NamedFile file) implements Constants {}

  /**
   * Something with a name, which may be that of a file.
   *
   * @param name the name as it was stated
   * @param file the file, where it is one
   */
  public record NamedFile(String name, Path file) {}

  /** The same with a calibration of the network between nodes. */
  public TimeSpec withNetwork(NamedFile calibration) {
    return new TimeSpec(processes, constants, Optional.of(calibration), fabric);
  }

  /** Settings without those whose effects on times are modelled. */
  public NcclSettings withoutModelled(NcclSettings settings) {
    NcclSettings others = fabric.isStated() ? settings.without(Set.of(FLOWS)) : settings;
    if (processes.cudaGraph()) {
      others = others.without(Set.of(GRAPH_REGISTER));
    }
    return processes.buffers() == Buffers.PLAIN ? others : withoutBuffers(others);
  }

  /** Settings without those that the paths of calls follow. */
  public static NcclSettings withoutBuffers(NcclSettings settings) {
    return settings.without(settings.names(Set.of(SettingScope.BUFFERS))).without(ALSO_OF_BUFFERS);
  }
}
