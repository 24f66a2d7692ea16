package dev.topo.simulator.calibration;

import dev.topo.model.job.SettingException;
import dev.topo.simulator.calibration.NamedValue.MeasuredConstant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A constant of the hardware and of NCCL's kernels on it, with its unit. Bytes are those of the
 * user's data, not what a protocol sends for them; "channel" is one thread block.
 */
public enum Constant implements MeasuredConstant {
  /** Time of a process for a group of launches, whatever it launches. */
  LAUNCH_BASE("launch.base", "us", 4.3),
  /** Launching the kernel of one GPU; a process launches those of its GPUs one after the other. */
  LAUNCH_PER_GPU("launch.per-gpu", "us", 3.45),
  /** Addition of each channel to the launch of a kernel. */
  LAUNCH_PER_CHANNEL("launch.per-channel", "us", 0.03),

  /** From the end of one kernel on a GPU to the first data of the next. */
  KERNEL("kernel", "us", 6),
  /** Addition of each rank beyond the second to that, as all have to have begun. */
  KERNEL_PER_RANK("kernel.per-rank", "us", 0.4),
  /** Addition of each channel to that. */
  KERNEL_PER_CHANNEL("kernel.per-channel", "us", 0.03),
  /** Addition of each thread of a channel to that, by LL128; by LL nothing that shows. */
  KERNEL_PER_THREAD_LL128("kernel.per-thread.ll128", "ns", 5),
  /** Addition of each thread of a channel to that, by Simple. */
  KERNEL_PER_THREAD_SIMPLE("kernel.per-thread.simple", "ns", 5),
  /**
   * Addition of kernels on a ring that could write to the user's buffers directly (AllReduce and
   * AllGather by Simple; Broadcast shows nothing of it), though they do not.
   */
  KERNEL_DIRECT("kernel.direct", "us", 2),
  /** Addition of kernels on a ring that reduce, by LL128. */
  KERNEL_REDUCE_LL128("kernel.reduce.ll128", "us", 1),
  /**
   * Addition of kernels by Simple that do write to them: neighbours tell each other where the
   * buffers are.
   */
  KERNEL_REGISTERED("kernel.registered", "us", 2),

  /** Until a rank sees what its neighbour has sent, by LL. */
  STEP_LL("step.ll", "us", 1),
  /** A step by LL128 on a ring, where a rank also has to end the step before. */
  STEP_LL128("step.ll128", "us", 2),
  /** A step by LL128 on a tree, where a rank makes one step up and one down. */
  STEP_TREE_LL128("step.tree.ll128", "us", 1),
  /** A step by Simple. */
  STEP_SIMPLE("step.simple", "us", 1.1),
  /** Barriers, fence and flag of one slice of Simple. */
  SLICE_SIMPLE("slice.simple", "us", 1.4),

  /**
   * The part for data of the bandwidth that NCCL plans with for NVLink (20.6 GB/s a link on Hopper,
   * which carries 25 before overhead); above 1 where NCCL plans with little, as on Blackwell.
   */
  NVLINK_EFFICIENCY("nvlink.efficiency", "1", 0.98),
  /**
   * The part of their bandwidth that PCI and links between CPUs reach; of published rings by P2P,
   * as no run with NVLink shows it.
   */
  PCI_EFFICIENCY("pci.efficiency", "1", 0.988),

  /** A channel takes data from one source, by LL: from its receive buffer or the user's. */
  LOAD_LL("load.ll", "ps/B", 50),
  /** Additional time of a second source, with its reduction, by LL. */
  SOURCE_LL("source.ll", "ps/B", 30),
  /** Storing to the user's buffer, by LL. */
  STORE_LL("store.ll", "ps/B", 50),
  /** Storing to another GPU, by LL. */
  REMOTE_LL("remote.ll", "ps/B", 40),
  /** A channel takes data from one source, by LL128. */
  LOAD_LL128("load.ll128", "ps/B", 15),
  /** Additional time of a second source, with its reduction, by LL128. */
  SOURCE_LL128("source.ll128", "ps/B", 10),
  /** Storing to the user's buffer, by LL128. */
  STORE_LL128("store.ll128", "ps/B", 16),
  /** Storing to another GPU, by LL128. */
  REMOTE_LL128("remote.ll128", "ps/B", 15),
  /** Additional time, by LL128, of storing to both what has come from another GPU. */
  BOTH_LL128("both.ll128", "ps/B", 4),
  /** A channel copies from one source to one destination, by Simple. */
  COPY_SIMPLE("copy.simple", "ps/B", 29),
  /** Additional time of a second destination, by Simple. */
  EXTRA_SIMPLE("extra.simple", "ps/B", 4),
  /** Additional time of a second source, with its reduction, by Simple. */
  SOURCE_SIMPLE("source.simple", "ps/B", 3),
  /**
   * Additional time of reducing numbers of 2 bytes instead of 4, by Simple: a byte holds more of
   * them.
   */
  REDUCE_HALF("reduce.half", "ps/B", 3),
  /** Cost of reducing numbers of 1 byte; by LL what is beyond that of 2 bytes. */
  REDUCE_INT8("reduce.int8", "ps/B", 10),
  /**
   * The factor by which LL128 is slower at the end and in the middle of a tree, where the two
   * halves of a channel's warps hold each other up.
   */
  TREE_LL128("tree.ll128", "1", 1.2),

  /**
   * The time of a step of AllReduce by NVLS beyond copying: GPUs wait for each other at the switch.
   * Launches run beside it.
   */
  NVLS_STEP("nvls.step", "us", 6.5),
  /** A channel copies between the user's buffers and those of NVLS, all heads together. */
  NVLS_COPY("nvls.copy", "ps/B", 50),
  /**
   * The most that data gets, by NVLS, of the bandwidth that NCCL plans with for NVLink: 1 + 1/n of
   * the size goes each way over the links of each of n GPUs.
   */
  NVLS_EFFICIENCY("nvls.efficiency", "1", 0.86),
  /**
   * Time of NVLSTree on a node beyond moving its data: no run on one node has it, so that no fit to
   * such runs changes it.
   */
  NVLS_TREE_START("nvls.tree.start", "us", 14.60),
  /** As {@link #NVLS_EFFICIENCY}, on a node of NVLSTree. */
  NVLS_TREE_EFFICIENCY("nvls.tree.efficiency", "1", 0.8183),

  /**
   * The factor by which a rank takes longer to see and to load what comes through a third GPU,
   * whose memory it reads, than what is in its own.
   */
  INDIRECT("indirect", "1", 1.5),

  /** From the end of one kernel of sends and receives to the first data of the next, by Simple. */
  PEER_START("peer.start", "us", 8.6),
  /** Addition of each peer beyond the first to the start of sends and receives. */
  PEER_PER_PEER("peer.per-peer", "us", 0.4),
  /** Time of a byte in a channel that sends or receives by Simple, to that of a copy. */
  PEER_SIMPLE("peer.simple", "1", 1.06),
  /**
   * The part of what rings get of NVLink that sends and receives get where each rank has several
   * peers.
   */
  PEER_LINK("peer.link", "1", 0.95),

  /** A channel stores to another GPU through the host's memory, by Simple. */
  COPY_HOST("copy.host", "ps/B", 93),

  /**
   * Steps after which channels that started together have drifted apart, so that some use the links
   * while others copy.
   */
  DRIFT_STEPS("drift.steps", "steps", 7);

  /** Those that the time of NVLS rests on. */
  public static final Set<Constant> OF_NVLS =
      Collections.unmodifiableSet(EnumSet.of(NVLS_STEP, NVLS_COPY, NVLS_EFFICIENCY));

  /** Those of NVLSTree, which no run on one node tells. */
  public static final Set<Constant> OF_NVLS_TREE =
      Collections.unmodifiableSet(EnumSet.of(NVLS_TREE_START, NVLS_TREE_EFFICIENCY));

  /**
   * Those of sends and receives, and of the types of elements: no run of a collective of floats
   * tells them.
   */
  public static final Set<Constant> OF_OTHER_CALLS =
      Collections.unmodifiableSet(
          EnumSet.of(REDUCE_HALF, REDUCE_INT8, PEER_START, PEER_PER_PEER, PEER_SIMPLE, PEER_LINK));

  /**
   * Those that differ between generations of GPUs; all others hold for all of them, as they are
   * ratios, belong to the host, or are small.
   */
  public static final Set<Constant> OF_GENERATION =
      Collections.unmodifiableSet(
          EnumSet.of(
              KERNEL,
              KERNEL_PER_RANK,
              KERNEL_DIRECT,
              STEP_LL,
              STEP_LL128,
              STEP_SIMPLE,
              SLICE_SIMPLE,
              NVLINK_EFFICIENCY,
              PCI_EFFICIENCY,
              LOAD_LL,
              LOAD_LL128,
              COPY_SIMPLE,
              EXTRA_SIMPLE,
              SOURCE_SIMPLE,
              REDUCE_HALF,
              REDUCE_INT8,
              NVLS_STEP,
              NVLS_COPY,
              NVLS_EFFICIENCY,
              NVLS_TREE_START,
              NVLS_TREE_EFFICIENCY,
              PEER_START,
              PEER_PER_PEER,
              PEER_SIMPLE,
              PEER_LINK));

  private final String label;
  private final String unit;
  private final double typical;

  Constant(String label, String unit, double typical) {
    this.label = label;
    this.unit = unit;
    this.typical = typical;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public String unit() {
    return unit;
  }

  /**
   * The constant of a generation that this one of all generations goes with: loads and stores of a
   * protocol are as much slower on a generation as its loads from one source; empty for others.
   */
  public Optional<Constant> lead() {
    return switch (this) {
      case SOURCE_LL, STORE_LL, REMOTE_LL -> Optional.of(LOAD_LL);
      case SOURCE_LL128, STORE_LL128, REMOTE_LL128, BOTH_LL128 -> Optional.of(LOAD_LL128);
      default -> Optional.empty();
    };
  }

  /** Where a fit starts: of the order that GPUs of sm 90 show. */
  public double typical() {
    return typical;
  }

  /**
   * All constants of collectives but some.
   *
   * @param begin the beginning of messages, the name of the option
   * @throws SettingException if a label is that of none
   */
  public static Set<Constant> allBut(String begin, List<String> labels) {
    Set<Constant> others = EnumSet.complementOf(EnumSet.copyOf(OF_OTHER_CALLS));
    for (String label : labels) {
      others.remove(
          ofLabel(label)
              .orElseThrow(
                  () ->
                      new SettingException(
                          "%s%s: expected one of %s"
                              .formatted(
                                  begin,
                                  label,
                                  Arrays.stream(values())
                                      .map(Constant::label)
                                      .collect(Collectors.joining(", "))))));
    }
    return others;
  }

  /** The constant with this {@link #label}. */
  public static Optional<Constant> ofLabel(String label) {
    return Arrays.stream(values()).filter(constant -> constant.label.equals(label)).findFirst();
  }
}
