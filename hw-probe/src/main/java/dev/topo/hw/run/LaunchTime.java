package dev.topo.hw.run;

import dev.topo.model.Quantiles;
import java.util.List;
import java.util.Optional;

/**
 * Time that a host needs to launch the kernel of a call. The slowest rank counts, because the
 * others wait for it.
 *
 * <p>A job has one of two launch times, which it keeps from its start: on a host with two H200, one
 * sixth of 192 ranks took 6 to 7.5 us per launch, the others 9 to 10.5 us (NCCL 2.28.9,
 * 2026-11-27). A single start is therefore not representative; the median of several is stable.
 *
 * @param startsUs median, shortest and longest repeat of each start of the job, in microseconds
 */
public record LaunchTime(List<Start> startsUs) {
  /** Number of starts of the job. */
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
   * Launch times of one start of the job, in microseconds per launch.
   *
   * @param medianUs median of the repeats
   */
  public record Start(double medianUs, double shortestUs, double longestUs) {
    /** Launch times from the rows that {@link LaunchTime#request} measures. */
    public static Start of(List<Row> rows) {
      double[] launches =
          rows.stream().mapToDouble(row -> row.outOfPlace().cpuTimeUs()).sorted().toArray();
      return new Start(Quantiles.median(launches), launches[0], launches[launches.length - 1]);
    }
  }

  /**
   * Request for calls of 8 bytes, queued without waiting for the previous one, twenty times.
   *
   * @param use the threads and GPUs of a process
   * @param timeLimitSeconds limit for a call without progress; 0 for none
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

  /** Median over all starts: the number for {@code topo predict}. */
  public double medianUs() {
    return Quantiles.median(startsUs.stream().map(Start::medianUs).toList());
  }

  /** Median of the start with the shortest launches. */
  public double leastUs() {
    return startsUs.stream().mapToDouble(Start::medianUs).min().orElseThrow();
  }

  /** Median of the start with the longest launches. */
  public double mostUs() {
    return startsUs.stream().mapToDouble(Start::medianUs).max().orElseThrow();
  }
}
