package dev.topo.simulator.verdict;

import dev.topo.simulator.verdict.MeasurementVerdict.Outcome;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The verdict on a whole run, for a gate.
 *
 * @param file name of the file of the run
 * @param grade the verdict
 * @param reason why the run has it, whatever its times are; empty if the bands say why
 * @param bands the verdicts by operation and band of sizes
 */
public record RunVerdict(String file, Grade grade, String reason, List<Verdict> bands) {
  /** Smallest size in bytes to which a stated floor applies: busbw of smaller calls is latency. */
  private static final long LEAST_OF_FLOOR = 1 << 20;

  private static final String NOTHING = "has no size that is judged";

  /** Verdicts on runs, the most urgent last. */
  public enum Grade {
    PASS,
    NOT_JUDGED,
    SLOW,
    /** Wrong results. */
    WRONG;

    /** The most urgent verdict on some runs. */
    public static Grade of(List<RunVerdict> runs) {
      return runs.stream().map(RunVerdict::grade).max(Comparator.naturalOrder()).orElseThrow();
    }
  }

  /** Copies the list. */
  public RunVerdict {
    bands = List.copyOf(bands);
  }

  /** A run that cannot be judged. */
  public static RunVerdict notJudged(String file, String reason) {
    return new RunVerdict(file, Grade.NOT_JUDGED, reason, List.of());
  }

  /**
   * Judges a run.
   *
   * @param run verdicts on its calls
   * @param hasFloor whether the user states a floor
   * @param leastGBps the busbw of that floor; empty if it is the tolerance of the calls
   * @param baseline earlier runs, whose times count more than predictions
   * @param doubts reasons why the run, if it is not slow, does not pass
   */
  public static RunVerdict of(
      String file,
      JudgedRun run,
      boolean hasFloor,
      OptionalDouble leastGBps,
      Baseline baseline,
      List<String> doubts) {
    List<MeasurementVerdict> wrong =
        run.collectives().stream().filter(MeasurementVerdict::isWrong).toList();
    List<Verdict> right =
        run.all().stream()
            .filter(
                call ->
                    !wrong.contains(call)
                        && (!hasFloor || call.measurement().sizeBytes() >= LEAST_OF_FLOOR))
            .map(baseline::judge)
            .toList();
    List<Verdict> bands = BandVerdict.of(right, leastGBps);
    if (!wrong.isEmpty()) {
      return new RunVerdict(
          file,
          Grade.WRONG,
          "%s of %s results are wrong (#wrong)".formatted(wrong.size(), run.all().size()),
          bands);
    }
    Optional<String> contradiction =
        right.stream().filter(RunVerdict::isContradictory).map(Verdict::reason).findFirst();
    if (contradiction.isEmpty() && BandVerdict.count(bands, Outcome.FAIL) > 0) {
      return new RunVerdict(file, Grade.SLOW, "", bands);
    }
    return Stream.of(
            contradiction.stream(),
            BandVerdict.count(bands, Outcome.PASS) > 0
                ? Stream.<String>of()
                : Stream.concat(bands.stream().map(Verdict::reason), Stream.of(NOTHING)),
            doubts.stream())
        .flatMap(why -> why)
        .findFirst()
        .map(why -> new RunVerdict(file, Grade.NOT_JUDGED, why, bands))
        .orElse(new RunVerdict(file, Grade.PASS, "", bands));
  }

  /** True if a call fails although it is faster than predicted: it ran on other links. */
  private static boolean isContradictory(Verdict call) {
    return call.outcome() == Outcome.FAIL && Math.max(call.excess(), call.excessInPlace()) < 0;
  }
}
