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
   * The same where the launch of one GPU is known: a call waits for the slowest launch of its
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
}
