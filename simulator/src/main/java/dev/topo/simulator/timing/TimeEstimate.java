package dev.topo.simulator.timing;

/**
 * Time of a call that is repeated as by nccl-tests, and the parts of this time.
 *
 * @param timeUs time from call to call, in microseconds
 * @param bottleneck what the call waits for most
 * @param launchUs time of the process to launch the kernels, while earlier kernels run
 * @param startUs start and end of a kernel
 * @param stepsUs time to wait for neighbours, fences and barriers
 * @param fillUs time until the first data reaches the end of a pipeline
 * @param transferUs time to move the data
 * @param host what is known of the launch times of the host; a known time needs no allowance for
 *     slower hosts
 */
public record TimeEstimate(
    double timeUs,
    Bottleneck bottleneck,
    double launchUs,
    double startUs,
    double stepsUs,
    double fillUs,
    double transferUs,
    LaunchHost host) {
  /**
   * Factor by which other hosts may launch kernels slower than the calibrated one: on four virtual
   * hosts of one kind (H200, 2026-11-20) four launches took 18, 25 or 37 us.
   */
  private static final double SLOW_HOST = 2;

  /**
   * The same factor if the launch time of one GPU is known: a call waits for the slowest launch of
   * its ranks. Of 1,716 calls below 1 MiB of two H200, a process or a thread for each, the longest
   * twentieth took 1.23 to 1.25 times the predicted time (nine operations, NCCL 2.28.9,
   * 2026-11-26).
   */
  private static final double SLOWEST_RANK = 1.13;

  /**
   * Fraction of a known launch time that a thread takes after a fast start: of 192 ranks on a host
   * with two H200 a sixth took 6 to 7.5 us for each launch as long as they ran, the others 9 to
   * 10.5 us (NCCL 2.28.9, 2026-11-27). Of several threads the slowest counts, which is hardly ever
   * fast.
   */
  private static final double FAST_START = 0.65;

  /**
   * Factor by which a call may exceed the timing model on more GPUs than were measured, unless it
   * waits for links: AllReduce of 1 MiB on eight H100 and H200 took 1.1 to 1.9 times as long, and
   * at most 3 % longer from 4 GiB on (docs/accuracy.md).
   */
  private static final double MORE_RANKS = 1.9;

  /** What a call waits for. */
  public enum Bottleneck {
    /** The process is still launching kernels. */
    LAUNCH("launching the kernels of a process's GPUs", "launches"),
    /** Start of the kernel and waiting for neighbours; size hardly matters. */
    LATENCY("start of the kernels and steps between neighbours", "latency"),
    /** Each channel copies as fast as a thread block can: more channels would help. */
    CHANNELS("what the channels can copy", "channels"),
    /** The busiest link. */
    LINKS("the busiest link", "links");

    private final String label;
    private final String word;

    Bottleneck(String label, String word) {
      this.label = label;
      this.word = word;
    }

    /** Label in text output. */
    public String label() {
      return label;
    }

    /** Label in one word, for tables. */
    public String word() {
      return word;
    }
  }

  /** This estimate with all parts longer by a factor, on a host whose launches were measured. */
  public TimeEstimate times(double factor) {
    return new TimeEstimate(
        factor * timeUs,
        bottleneck,
        factor * launchUs,
        factor * startUs,
        factor * stepsUs,
        factor * fillUs,
        factor * transferUs,
        LaunchHost.KNOWN);
  }

  /** Share of the launches in the time, from 0 to 1: kernels hide what they take less. */
  public double launchShare() {
    return kernelUs() > launchUs
        ? 1 - 1 / (1 + Math.pow(launchUs / kernelUs(), Overlap.LAUNCHES))
        : 1 / (1 + Math.pow(kernelUs() / launchUs, Overlap.LAUNCHES));
  }

  /** Time of the kernel without launches, in microseconds. */
  public double kernelUs() {
    return startUs + stepsUs + fillUs + transferUs;
  }

  /**
   * Lower end of the range of the time, in microseconds. It allows for a fast start if one thread
   * launches all kernels.
   *
   * @param part largest relative error of predictions
   */
  public double shortestUs(double part) {
    double fastUs =
        host == LaunchHost.ONE_THREAD ? Math.max(kernelUs(), FAST_START * launchUs) : timeUs;
    return Math.min(timeUs, fastUs) / (1 + part);
  }

  /**
   * Upper end of the range of the time, in microseconds. It allows for a slow host.
   *
   * @param part largest relative error of predictions
   * @param moreRanks whether the call has more ranks than were measured and may therefore take
   *     longer; the time of links does not grow with the ranks
   */
  public double longestUs(double part, boolean moreRanks) {
    double onLinksUs = bottleneck == Bottleneck.LINKS ? transferUs : 0;
    double untriedUs = moreRanks ? kernelUs() - onLinksUs : 0;
    double longerUs = (MORE_RANKS - 1) * untriedUs;
    double slowestUs = (host == LaunchHost.UNKNOWN ? SLOW_HOST : SLOWEST_RANK) * launchUs;
    return Math.max(timeUs + longerUs, slowestUs) * (1 + part);
  }

  /**
   * Parts of the time of a kernel after its start, in microseconds.
   *
   * @param stepsUs time to wait for neighbours, fences and barriers
   * @param fillUs time to fill the pipeline
   * @param transferUs time to move the data
   * @param channelsUs time that the channels alone would need
   * @param linksUs time that the links alone would need
   */
  record KernelTime(
      double stepsUs, double fillUs, double transferUs, double channelsUs, double linksUs) {
    /**
     * Time of the kernel.
     *
     * @param startUs time of its start and end
     */
    double totalUs(double startUs) {
      return startUs + stepsUs + fillUs + transferUs;
    }
  }

  /** What is known of kernel launches on a host. */
  public enum LaunchHost {
    /** Nothing: launch times are those of the calibrated host. */
    UNKNOWN,
    /** The launch time is given, and each GPU has a process or thread of its own. */
    KNOWN,
    /** The launch time is given, and one thread launches the kernels of several GPUs. */
    ONE_THREAD
  }

  /**
   * Time of a call on one node, in microseconds; overlaps with the network.
   *
   * @param startUs start and end of the kernel
   * @param channelsUs time of the channels for the data and the steps
   * @param linksUs time of the busiest link inside the node for the data
   * @param hopUs time of the first bytes from rank to rank of a tree on the node; 0 for rings
   * @param hopUsPerByte time of a hop without NVLink for a byte of each channel; 0 if all hops use
   *     NVLink
   */
  public record NodeTime(
      double startUs, double channelsUs, double linksUs, double hopUs, double hopUsPerByte) {
    /** Time of a node whose GPUs all send over NVLink. */
    public NodeTime(double startUs, double channelsUs, double linksUs) {
      this(startUs, channelsUs, linksUs, 0, 0);
    }

    /** A node whose channels and links need so many times as long. */
    public NodeTime times(double channels, double links) {
      return new NodeTime(startUs, channels * channelsUs, links * linksUs, hopUs, hopUsPerByte);
    }

    /** The slower of two nodes that wait for each other, part by part. */
    public NodeTime slower(NodeTime other) {
      return new NodeTime(
          Math.max(startUs, other.startUs),
          Math.max(channelsUs, other.channelsUs),
          Math.max(linksUs, other.linksUs),
          Math.max(hopUs, other.hopUs),
          Math.max(hopUsPerByte, other.hopUsPerByte));
    }
  }

  /** Combined time of overlapping parts of a call. Its exponents are the same on all hardware. */
  public static final class Overlap {
    /** Sharpness of the maximum of launches and kernels. */
    public static final double LAUNCHES = 16;

    /** Sharpness of the maximum of links and channels once channels have drifted apart. */
    public static final double DRIFTED = 5;

    /** Sharpness of the maximum of links and channels of NVLS, which all meet at the switch. */
    public static final double NVLS = 16;

    /** Sharpness of the maximum for a single step that all channels make at once. */
    public static final double IN_STEP = 2.5;

    private Overlap() {}

    /** Combined time of two overlapping activities: the larger, or more if they are similar. */
    public static double beside(double a, double b, double sharpness) {
      double larger = Math.max(a, b);
      if (!(larger > 0)) {
        return 0;
      }
      double sum = 1 + Math.pow(Math.min(a, b) / larger, sharpness);
      return sum > 1 ? larger * Math.pow(sum, 1 / sharpness) : larger;
    }

    /**
     * Number of rounds that channels make in step, out of {@code rounds} that follow {@code before}
     * earlier ones: with each step of a round they drift apart a little more.
     *
     * @param lasting number of rounds after which they have drifted apart
     */
    static double inStep(double before, double rounds, double lasting) {
      double inStep =
          lasting * (Math.exp(-before / lasting) - Math.exp(-(before + rounds) / lasting));
      return Math.min(inStep, rounds);
    }
  }
}
