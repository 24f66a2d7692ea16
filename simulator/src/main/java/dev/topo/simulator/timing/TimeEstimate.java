package dev.topo.simulator.timing;

/**
 * The time of a call that is made again and again, as nccl-tests does, and its parts.
 *
 * @param timeUs time from call to call, in microseconds
 * @param bottleneck what it waits for most
 * @param launchUs what the process needs to launch the kernels; runs beside the kernels
 * @param startUs start and end of a kernel
 * @param stepsUs waiting for neighbours, fences and barriers
 * @param fillUs until the first data has reached the end of a pipeline
 * @param transferUs moving the data
 * @param host whether the time of launches is that of the host, so that no slower one counts
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
   * The factor by which other hosts launch kernels slower than that of a calibration: on four
   * virtual hosts of one kind (H200, 2026-11-20) four launches took 18, 25 or 37 us.
   */
  private static final double SLOW_HOST = 2;

  /**
   * That factor where the launch of one GPU is known: a call waits for the slowest launch of its
   * ranks. Of 1,716 calls below 1 MiB of two H200, a process or a thread for each, the longest
   * twentieth took 1.23 to 1.25 times the predicted time (nine operations, NCCL 2.28.9,
   * 2026-11-26).
   */
  private static final double SLOWEST_RANK = 1.13;

  /**
   * The part of a known launch that a thread takes after a fast start: of 192 ranks on a host with
   * two H200 a sixth took 6 to 7.5 us for each launch as long as they ran, the others 9 to 10.5 us
   * (NCCL 2.28.9, 2026-11-27). Of several threads the slowest counts, which is hardly ever fast.
   */
  private static final double FAST_START = 0.65;

  /**
   * The factor by which a call may take longer than the timing model gives on more GPUs than were
   * measured, where links are not what it waits for: AllReduce of 1 MiB on eight H100 and H200 took
   * 1.1 to 1.9 times as long, and at most 3 % longer from 4 GiB on (docs/accuracy.md).
   */
  private static final double MORE_RANKS = 1.9;

  /** Parts of the time that a call waits for. */
  public enum Bottleneck {
    /** The process is still launching kernels. */
    LAUNCH("launching the kernels of a process's GPUs", "launches"),
    /** Start of the kernel and waiting for neighbours; size hardly matters. */
    LATENCY("start of the kernels and steps between neighbours", "latency"),
    /** Each channel copies as fast as a thread block can: more channels would help. */
    CHANNELS("what the channels can copy", "channels"),
    LINKS("the busiest link", "links");

    private final String label;
    private final String word;

    Bottleneck(String label, String word) {
      this.label = label;
      this.word = word;
    }

    /** The name for people. */
    public String label() {
      return label;
    }

    /** The name in a word, for tables. */
    public String word() {
      return word;
    }
  }

  /** With a longer transfer if it is shorter than the links need. */
  public TimeEstimate atLeastOnLinks(double leastUs) {
    return timeUs >= leastUs
        ? this
        : new TimeEstimate(
            leastUs,
            Bottleneck.LINKS,
            launchUs,
            startUs,
            stepsUs,
            fillUs,
            transferUs + leastUs - timeUs,
            host);
  }

  /** Time of a kernel. */
  public double kernelUs() {
    return startUs + stepsUs + fillUs + transferUs;
  }

  /**
   * Time that a call exceeds; where one thread launches all kernels, also after a fast start.
   *
   * @param part what predictions are off by at most
   */
  public double shortestUs(double part) {
    double fastUs =
        host == LaunchHost.ONE_THREAD ? Math.max(kernelUs(), FAST_START * launchUs) : timeUs;
    return Math.min(timeUs, fastUs) / (1 + part);
  }

  /**
   * Time that a call may take on a slow host, if predictions are off by a part at most.
   *
   * @param moreRanks whether it may also take longer because it has more ranks than were measured;
   *     the time on links does not grow with them
   */
  public double longestUs(double part, boolean moreRanks) {
    double onLinksUs = bottleneck == Bottleneck.LINKS ? transferUs : 0;
    double untriedUs = moreRanks ? kernelUs() - onLinksUs : 0;
    double longerUs = (MORE_RANKS - 1) * untriedUs;
    double slowestUs = (host == LaunchHost.UNKNOWN ? SLOW_HOST : SLOWEST_RANK) * launchUs;
    return Math.max(timeUs + longerUs, slowestUs) * (1 + part);
  }

  /**
   * The time of a kernel once it has started, part by part, in microseconds.
   *
   * @param stepsUs waiting for neighbours, fences and barriers
   * @param fillUs filling the pipeline
   * @param transferUs moving the data
   * @param channelsUs what the channels would need for the data by themselves
   * @param linksUs what the links would need for it
   */
  record KernelTime(
      double stepsUs, double fillUs, double transferUs, double channelsUs, double linksUs) {
    /**
     * The time of the kernel.
     *
     * @param startUs its start and end
     */
    double totalUs(double startUs) {
      return startUs + stepsUs + fillUs + transferUs;
    }
  }

  /** Known launches of kernels on a host. */
  public enum LaunchHost {
    /** Nothing: the launch is that of the calibrated host. */
    UNKNOWN,
    /** The launch is stated, and each GPU has a process or thread of its own. */
    KNOWN,
    /** The launch is stated, and one thread launches the kernels of several GPUs. */
    ONE_THREAD
  }

  /**
   * The time of a call on a node by itself, in microseconds; all of it runs beside the network.
   *
   * @param startUs start and end of the kernel
   * @param channelsUs what the channels need for the data and the steps
   * @param linksUs what the busiest link inside the node needs for the data
   * @param hopUs what the first bytes take from rank to rank of a tree on the node; 0 of rings
   * @param hopUsPerByte what a hop takes for a byte of each channel where it does not use NVLink; 0
   *     where all hops do
   */
  public record NodeTime(
      double startUs, double channelsUs, double linksUs, double hopUs, double hopUsPerByte) {
    /** Of a node whose GPUs all send over NVLink. */
    public NodeTime(double startUs, double channelsUs, double linksUs) {
      this(startUs, channelsUs, linksUs, 0, 0);
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

  /** Sums of times that overlap: a form of the model, the same on all hardware. */
  public static final class Overlap {
    /** Sharpness of the maximum of launches and kernels. */
    public static final double LAUNCHES = 16;

    /** Sharpness of the maximum of links and channels once channels have drifted apart. */
    public static final double DRIFTED = 5;

    /** Sharpness of the maximum of links and channels of NVLS, which all meet at the switch. */
    public static final double NVLS = 16;

    /** Sharpness for a single step that all channels make at once. */
    public static final double IN_STEP = 2.5;

    private Overlap() {}

    /** The larger of two times that overlap, and more than that where they are similar. */
    public static double beside(double a, double b, double sharpness) {
      double larger = Math.max(a, b);
      if (!(larger > 0)) {
        return 0;
      }
      double sum = 1 + Math.pow(Math.min(a, b) / larger, sharpness);
      return sum > 1 ? larger * Math.pow(sum, 1 / sharpness) : larger;
    }

    /**
     * The number of {@code rounds} rounds, the first after {@code before} others, with channels in
     * step: each step of a round lets them drift apart a little more.
     *
     * @param lasting rounds after which they have drifted apart
     */
    public static double inStep(double before, double rounds, double lasting) {
      double inStep =
          lasting * (Math.exp(-before / lasting) - Math.exp(-(before + rounds) / lasting));
      return Math.min(inStep, rounds);
    }
  }
}
