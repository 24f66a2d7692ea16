package dev.topo.simulator.calibration;

import dev.topo.model.job.SettingException;
import dev.topo.simulator.calibration.NamedValue.FittedConstant;
import dev.topo.simulator.calibration.NamedValue.MeasuredConstant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Constants of the hardware and of NCCL's kernels on it, with their units. Bytes are those of the
 * user's data, not of the wire; "channel" is one thread block.
 */
public enum Constant implements FittedConstant {
  /** Time of a process for a group of launches, independent of their number. */
  LAUNCH_BASE,
  /** Time to launch the kernel of one GPU. A process launches kernels one after the other. */
  LAUNCH_PER_GPU,
  /** Addition to the launch of a kernel for each channel. */
  LAUNCH_PER_CHANNEL,

  /** Time from the end of one kernel on a GPU to the first data of the next. */
  KERNEL,
  /** Addition to {@link #KERNEL} for each rank beyond the second, as all have to start. */
  KERNEL_PER_RANK,
  /** Addition to {@link #KERNEL} for each channel. */
  KERNEL_PER_CHANNEL,
  /**
   * Addition to {@link #KERNEL} for each thread of a channel with LL128. With LL none was
   * measurable.
   */
  KERNEL_PER_THREAD_LL128,
  /** Addition to {@link #KERNEL} for each thread of a channel with Simple. */
  KERNEL_PER_THREAD_SIMPLE,
  /**
   * Addition for kernels on a ring that are able to write to the user's buffers directly (AllReduce
   * and AllGather with Simple; none was measurable for Broadcast), whether they do so or not.
   */
  KERNEL_DIRECT,
  /** Addition for kernels on a ring that reduce, with LL128. */
  KERNEL_REDUCE_LL128,
  /**
   * Addition for kernels with Simple that write to the user's buffers directly: neighbours exchange
   * the addresses of the buffers.
   */
  KERNEL_REGISTERED,

  /** Time until a rank sees what its neighbour has sent, with LL. */
  STEP_LL,
  /** Time of a step with LL128 on a ring, where a rank also has to end the previous step. */
  STEP_LL128,
  /** Time of a step with LL128 on a tree, where a rank makes one step up and one down. */
  STEP_TREE_LL128,
  /** Time of a step with Simple. */
  STEP_SIMPLE,
  /** Time of barriers, fence and flag of one slice of Simple. */
  SLICE_SIMPLE,

  /**
   * Fraction of the NVLink bandwidth assumed by NCCL that data reaches. NCCL assumes 20.6 GB/s per
   * link on Hopper, which carries 25 before overhead. Above 1 if NCCL assumes less than data
   * reaches, as on Blackwell.
   */
  NVLINK_EFFICIENCY,
  /**
   * Fraction of their bandwidth that PCI links and links between CPUs reach. From published rings
   * over P2P, as runs with NVLink do not show it.
   */
  PCI_EFFICIENCY,

  /** Time of a channel to load data from one source with LL: its receive buffer or the user's. */
  LOAD_LL,
  /** Extra time of a second source, with its reduction, with LL. */
  SOURCE_LL,
  /** Time to store to the user's buffer, with LL. */
  STORE_LL,
  /** Time to store to another GPU, with LL. */
  REMOTE_LL,
  /** Time of a channel to load data from one source, with LL128. */
  LOAD_LL128,
  /** Extra time of a second source, with its reduction, with LL128. */
  SOURCE_LL128,
  /** Time to store to the user's buffer, with LL128. */
  STORE_LL128,
  /** Time to store to another GPU, with LL128. */
  REMOTE_LL128,
  /** Extra time to store data from another GPU to two destinations, with LL128. */
  BOTH_LL128,
  /** Time of a channel to copy from one source to one destination, with Simple. */
  COPY_SIMPLE,
  /** Extra time of a second destination, with Simple. */
  EXTRA_SIMPLE,
  /** Extra time of a second source, with its reduction, with Simple. */
  SOURCE_SIMPLE,
  /**
   * Extra time to reduce elements of 2 bytes instead of 4, with Simple: a byte holds more of them.
   */
  REDUCE_HALF,
  /** Extra time to reduce elements of 1 byte; with LL, compared to those of 2 bytes. */
  REDUCE_INT8,
  /**
   * Factor by which LL128 is slower at the leaves and in the middle of a tree, where the two halves
   * of a channel's warps delay each other.
   */
  TREE_LL128,

  /**
   * Time of a step of AllReduce with NVLS in addition to copying: GPUs wait for each other at the
   * switch. Overlaps with launches.
   */
  NVLS_STEP,
  /** Time of a channel to copy between the user's buffers and those of NVLS, all heads together. */
  NVLS_COPY,
  /**
   * Largest fraction of the NVLink bandwidth assumed by NCCL that data reaches with NVLS. With n
   * GPUs, 1 + 1/n times the size passes the links of each GPU in each direction.
   */
  NVLS_EFFICIENCY,
  /**
   * Time of NVLSTree on a node in addition to moving data. Runs on one node do not contain it, so
   * that fits to such runs leave it unchanged.
   */
  NVLS_TREE_START,
  /** The same as {@link #NVLS_EFFICIENCY} for a node in NVLSTree. */
  NVLS_TREE_EFFICIENCY,

  /**
   * Factor by which a rank is slower to see and load data in the memory of a third GPU than data in
   * its own memory.
   */
  INDIRECT,

  /**
   * Time from the end of one kernel of sends and receives to the first data of the next, with
   * Simple.
   */
  PEER_START,
  /** Addition to the start of sends and receives for each peer beyond the first. */
  PEER_PER_PEER,
  /** Time per byte of a channel that sends or receives with Simple, relative to that of a copy. */
  PEER_SIMPLE,
  /**
   * Fraction of the NVLink bandwidth of rings that sends and receives reach if each rank has
   * several peers.
   */
  PEER_LINK,

  /** Time of a channel to store to another GPU through host memory, with Simple. */
  COPY_HOST,

  /**
   * Number of steps after which channels that started together have drifted apart, so that some use
   * the links while others copy.
   */
  DRIFT_STEPS;

  /** Constants of NVLS. */
  public static final Set<Constant> OF_NVLS =
      Collections.unmodifiableSet(EnumSet.of(NVLS_STEP, NVLS_COPY, NVLS_EFFICIENCY));

  /** Constants of NVLSTree, which runs on one node do not determine. */
  public static final Set<Constant> OF_NVLS_TREE =
      Collections.unmodifiableSet(EnumSet.of(NVLS_TREE_START, NVLS_TREE_EFFICIENCY));

  /**
   * Constants of sends and receives and of element types: runs of collectives with elements of 4
   * bytes do not determine them.
   */
  public static final Set<Constant> OF_OTHER_CALLS =
      Collections.unmodifiableSet(
          EnumSet.of(REDUCE_HALF, REDUCE_INT8, PEER_START, PEER_PER_PEER, PEER_SIMPLE, PEER_LINK));

  /**
   * Constants that differ between generations of GPUs. All others are common to all generations:
   * they are ratios, belong to the host, or are small.
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

  /**
   * The constant of a generation with which this common constant scales: other loads and stores of
   * a protocol scale with its loads from one source. Empty for constants that do not scale.
   */
  public Optional<Constant> lead() {
    return switch (this) {
      case SOURCE_LL, STORE_LL, REMOTE_LL -> Optional.of(LOAD_LL);
      case SOURCE_LL128, STORE_LL128, REMOTE_LL128, BOTH_LL128 -> Optional.of(LOAD_LL128);
      default -> Optional.empty();
    };
  }

  /**
   * All constants of collectives except those with the given labels.
   *
   * @param begin prefix of error messages: the name of the option
   * @throws SettingException if no constant has one of the labels
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

  /** The constant with a {@link #label}; empty if there is none. */
  public static Optional<Constant> ofLabel(String label) {
    return MeasuredConstant.ofLabel(Constant.class, label);
  }
}
