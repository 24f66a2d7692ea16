package dev.topo.hw.run;

import dev.topo.model.Quantiles;
import java.util.List;
import java.util.Optional;

/**
 * The time that a host takes to launch the kernel of a call: that of the slowest rank, for which
 * the others wait.
 *
 * <p>A job launches at one of two paces, and keeps the one that it has from its start: on a host
 * with two H200 a sixth of 192 ranks took 6 to 7.5 us for each launch, the others 9 to 10.5 us
 * (NCCL 2.28.9, 2026-11-27). A single start therefore says little; the median of several does not
 * change.
 *
 * @param startsUs for each start of the job the median, the shortest and the longest repeat, in
 *     microseconds
 */
public record LaunchTime(List<Start> startsUs) {
  /** Starts of the job. */
  public static final int STARTS = 7;

  private static final int CALLS = 100;
  private static final int WARM_UPS = 5000;
  private static final int REPEATS = 20;
  private static final long BYTES = 8;

  /** Copies the list. */
  public LaunchTime {
    startsUs = List.copyOf(startsUs);
    if (startsUs.isEmpty()) {
      throw new IllegalArgumentException("launch time: expected a start");
    }
  }

  /**
   * One start of the job, in microseconds for each launch.
   *
   * @param medianUs of the repeats
   */
  public record Start(double medianUs, double shortestUs, double longestUs) {
    /** Of the rows that the request of {@link LaunchTime#request} measures. */
    public static Start of(List<Row> rows) {
      double[] launches =
          rows.stream().mapToDouble(row -> row.outOfPlace().cpuTimeUs()).sorted().toArray();
      return new Start(Quantiles.median(launches), launches[0], launches[launches.length - 1]);
    }
  }

  /**
   * Calls of 8 bytes that are queued without waiting for the one before, twenty times.
   *
   * @param use the threads and GPUs of a process
   * @param timeLimitSeconds a call without progress is ended after this time; 0 is never
   */
  public static RunRequest request(ProcessLayout use, int timeLimitSeconds) {
    return RunRequest.of(
        RunCalls.ofFloatSums(List.of(RunCollective.ALL_REDUCE), new SizeSweep(BYTES, BYTES, 0, 2)),
        new Repetition(CALLS, 1, WARM_UPS, REPEATS, 0, Blocking.NONE, 0),
        new Reporting(Average.MAX, true, false, false, false, 0),
        use,
        timeLimitSeconds,
        Optional.empty());
  }

  /** The median of all starts: the number for {@code topo predict}. */
  public double medianUs() {
    return Quantiles.median(startsUs.stream().map(Start::medianUs).toList());
  }

  /** The median of the start with the shortest launches. */
  public double leastUs() {
    return startsUs.stream().mapToDouble(Start::medianUs).min().orElseThrow();
  }

  /** The median of the start with the longest launches. */
  public double mostUs() {
    return startsUs.stream().mapToDouble(Start::medianUs).max().orElseThrow();
  }
}
