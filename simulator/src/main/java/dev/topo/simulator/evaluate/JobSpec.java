package dev.topo.simulator.evaluate;

import dev.topo.model.io.SpecField;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog.SettingScope;
import dev.topo.model.job.SpecException;
import dev.topo.model.nic.SwitchMap;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.rules.ReleaseRules;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * A job as stated by the user: no file is read and nothing is checked against the machines. {@link
 * JobResolver} creates its communicators, {@link TimeResolver} a {@link JobRequest} for each.
 *
 * @param layout the machines, and the order and split of ranks
 * @param gpus the GPUs of each machine that take part
 * @param settings NCCL's settings, the same for all processes
 * @param rules the rules of a release of NCCL
 * @param times other determinants of times
 */
public record JobSpec(
    RankLayout layout,
    GpuSelection gpus,
    NcclSettings settings,
    ReleaseRules rules,
    TimeSpec times) {
  /** All GPUs of equal hosts, under the default settings and rules. */
  public static JobSpec of(Path file, int nodes) {
    return new JobSpec(
        RankLayout.ofEqual(file, nodes),
        GpuSelection.ALL,
        NcclSettings.DEFAULTS,
        ReleaseRules.DEFAULT,
        TimeSpec.USUAL);
  }

  /** This specification on other machines, or with ranks in another order or split. */
  public JobSpec withLayout(RankLayout other) {
    return new JobSpec(other, gpus, settings, rules, times);
  }

  /** This specification with other settings. */
  public JobSpec withSettings(NcclSettings others) {
    return new JobSpec(layout, gpus, others, rules, times);
  }

  /** This specification under other rules. */
  public JobSpec withRules(ReleaseRules others) {
    return new JobSpec(layout, gpus, settings, others, times);
  }

  /** This specification with other determinants of times. */
  public JobSpec withTimes(TimeSpec others) {
    return new JobSpec(layout, gpus, settings, rules, others);
  }

  /**
   * Determinants of the times of a job besides its machines, as stated; no file is read.
   *
   * @param processes how calls are made
   * @param constants the calibration inside nodes
   * @param network the calibration between nodes; empty for the one that matches the ports
   * @param fabric the switches between nodes
   */
  public record TimeSpec(
      Processes processes, Constants constants, Optional<NamedFile> network, FabricSpec fabric) {
    /** One process per GPU, calibrations by machine, switches that do not limit. */
    public static final TimeSpec USUAL =
        new TimeSpec(Processes.USUAL, new ByMachine(), Optional.empty(), FabricSpec.NONE);

    /** Settings whose effects on the kernels of a CUDA graph are modelled. */
    private static final String GRAPH_REGISTER = "NCCL_GRAPH_REGISTER";

    /** Divides the data of a hop among flows that take separate paths through switches. */
    private static final String QUEUE_PAIRS = "NCCL_IB_QPS_PER_CONNECTION";

    /** Settings that also have effects besides those on buffers. */
    private static final Set<String> ALSO_OF_BUFFERS =
        Set.of("NCCL_CUMEM_ENABLE", "NCCL_P2P_USE_CUDA_MEMCPY", "NCCL_WORK_ARGS_BYTES");

    /**
     * How the processes of a job launch calls.
     *
     * @param gpusPerProcess GPUs per process; empty for the number in the measurements, or else 1
     * @param cudaGraph whether calls are replayed from a CUDA graph
     * @param buffers how the buffers of the calls are registered with NCCL
     * @param groups groups of the same GPUs that make equal calls at the same time
     * @param launchUs time of the host to launch the kernel of one GPU; empty if unknown
     */
    public record Processes(
        Optional<Integer> gpusPerProcess,
        boolean cudaGraph,
        Buffers buffers,
        GroupsAtOnce groups,
        Optional<Double> launchUs) {
      /** One process per GPU, plain buffers, one communicator. */
      public static final Processes USUAL =
          new Processes(Optional.empty(), false, Buffers.PLAIN, GroupsAtOnce.ONE, Optional.empty());
    }

    /** The choice of a calibration. */
    public sealed interface Constants {}

    /** The shipped calibration that matches the machine. */
    public record ByMachine() implements Constants {}

    /** NCCL's own model. */
    public record NcclModel() implements Constants {}

    /** A shipped calibration, or one in a file. */
    public record Named(NamedFile file) implements Constants {}

    /**
     * The name of a shipped calibration or of a file.
     *
     * @param name the name as stated
     * @param file the file that the name denotes unless it is that of a shipped calibration
     */
    public record NamedFile(String name, Path file) {}

    /** This specification with a calibration of the network between nodes. */
    public TimeSpec withNetwork(NamedFile calibration) {
      return new TimeSpec(processes, constants, Optional.of(calibration), fabric);
    }

    /** Settings without those whose effects on times are modelled. */
    public NcclSettings withoutModelled(NcclSettings settings) {
      NcclSettings others = fabric.isStated() ? settings.without(Set.of(QUEUE_PAIRS)) : settings;
      if (processes.cudaGraph()) {
        others = others.without(Set.of(GRAPH_REGISTER));
      }
      return processes.buffers() == Buffers.PLAIN ? others : withoutBuffers(others);
    }

    /** Settings without those that the paths of calls model. */
    public static NcclSettings withoutBuffers(NcclSettings settings) {
      return settings
          .without(settings.names(Set.of(SettingScope.BUFFERS)))
          .without(ALSO_OF_BUFFERS);
    }

    /**
     * The switches between the nodes of a job, as stated.
     *
     * @param map the file with the switch map; empty if switches are assumed not to limit
     * @param hosts the names of the nodes in rank order; empty for the order of the map
     * @param adaptive whether switches spread traffic evenly over the links to the next switch
     *     (adaptive routing)
     * @param uplinks the links from a switch to the one above it where the map does not state them
     */
    public record FabricSpec(
        Optional<Path> map,
        Optional<HostNames> hosts,
        boolean adaptive,
        Optional<SwitchMap.Uplink> uplinks) {
      /** Switches that do not limit. */
      public static final FabricSpec NONE =
          new FabricSpec(Optional.empty(), Optional.empty(), false, Optional.empty());

      /** The names of hosts. */
      public sealed interface HostNames {}

      /** A list such as {@code n[0-15,20]}. */
      public record ListedHosts(String list) implements HostNames {}

      /** A file with such a list, or a hostfile of MPI. */
      public record HostsInFile(Path file) implements HostNames {}

      /**
       * True if there is a map of switches.
       *
       * @throws SpecException if hosts are named without one
       */
      public boolean isStated() {
        if (map.isEmpty() && hosts.isPresent()) {
          throw new SpecException(
              SpecField.HOSTS,
              " names the nodes of %s: expected %s FILE",
              SpecField.FABRIC,
              SpecField.FABRIC);
        }
        return map.isPresent();
      }

      /**
       * Checks that there is a map of switches if something about them is stated.
       *
       * @throws SpecException if hosts, adaptive routing or uplinks are stated without one
       */
      void requireMap() {
        if (!isStated() && (adaptive || uplinks.isPresent())) {
          throw new SpecException(
              adaptive ? SpecField.ADAPTIVE_ROUTING : SpecField.UPLINK_GBPS,
              " is how the switches of %s work: expected %s FILE",
              SpecField.FABRIC,
              SpecField.FABRIC);
        }
      }
    }

    /**
     * Concurrent groups that make equal calls, as stated.
     *
     * @param label the number of groups of the same GPUs, or {@code split} for the communicators of
     *     a split
     */
    public record GroupsAtOnce(String label) {
      /** One group by itself. */
      public static final GroupsAtOnce ONE = new GroupsAtOnce("1");

      /** With more groups, channels would wait for multiprocessors, which is not modelled. */
      private static final int MOST = 4;

      private static final String OF_SPLIT = "split";

      /** True if they are the communicators of a split. */
      public boolean isOfSplit() {
        return label.equals(OF_SPLIT);
      }

      /**
       * The groups of the same GPUs.
       *
       * @throws SpecException if it is not a number from 1 to 4
       */
      int count() {
        if (isOfSplit()) {
          return 1;
        }
        if (!label.matches("[1-" + MOST + "]")) {
          throw new SpecException(
              SpecField.GROUPS_AT_ONCE, " %s: expected 1 to %d, or %s", label, MOST, OF_SPLIT);
        }
        return Integer.parseInt(label);
      }
    }
  }
}
