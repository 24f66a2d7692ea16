package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.verdict.JudgedRun;
import dev.topo.simulator.verdict.MeasurementVerdict.Outcome;
import dev.topo.simulator.verdict.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Summarises verdicts on measurements in one sentence: how many calls are too slow, and the worst
 * of them.
 */
public final class VerdictSentence {
  private VerdictSentence() {}

  /** Returns the sentence: first whether the run failed, at last whether it is slow as a whole. */
  static String of(JudgedRun run) {
    String times = of(run.file(), run.forecast(), run.all());
    return (run.failures().isEmpty()
            ? ""
            : "The run failed (%s); ".formatted(run.failures().get(0).text()))
        + (run.isSlowOnlyAtSingleSizes()
            ? times.replaceFirst("\\.$", "; most sizes are as fast as predicted.")
            : times);
  }

  /**
   * Returns the sentence.
   *
   * @param file the name of the file with the measurements
   * @param verdicts the verdicts on collectives, then those on sends and receives; at least one
   */
  public static String of(
      String file, CommunicatorPredictions forecast, List<? extends Verdict> verdicts) {
    List<? extends Verdict> failed = with(verdicts, Outcome.FAIL);
    List<? extends Verdict> undecided = with(verdicts, Outcome.INCONCLUSIVE);
    int decided = verdicts.size() - undecided.size();
    String subject = "%s on %s: ".formatted(file, forecast.title());
    if (decided == 0) {
      return subject
          + "%s cannot be judged: %s."
              .formatted(QuantityFormat.count(verdicts.size(), "time"), undecided.get(0).reason());
    }
    return subject
        + (failed.isEmpty() ? passed(verdicts, decided) : failed(failed, decided))
        + (undecided.isEmpty()
            ? ""
            : "; %s more cannot be judged (%s)"
                .formatted(undecided.size(), undecided.get(0).reason()))
        + ".";
  }

  private static String passed(List<? extends Verdict> verdicts, int decided) {
    long inRange = verdicts.stream().filter(Verdict::isInRange).count();
    return "none of %s is slower than tolerated, %s in the predicted range%s"
        .formatted(
            QuantityFormat.count(decided, "time"),
            inRange == decided ? "all are" : "%s are".formatted(inRange),
            decided < verdicts.size() ? "" : nearest(with(verdicts, Outcome.PASS)));
  }

  private static String nearest(List<? extends Verdict> passed) {
    return worst(passed)
        .filter(verdict -> verdict.partOfTolerance() > 0)
        .map(
            verdict ->
                "; nearest its limit is %s, %s where %s is tolerated"
                    .formatted(
                        call(verdict),
                        QuantityFormat.change(
                            Math.max(verdict.excess(), verdict.excessInPlace()), 0),
                        QuantityFormat.percent(verdict.tolerance().orElseThrow(), 0)))
        .orElse("");
  }

  private static String failed(List<? extends Verdict> failed, int decided) {
    Verdict worst = worst(failed).orElseThrow();
    return "%s of %s %s, worst %s: %s GB/s busbw where %s is predicted (%s)"
        .formatted(
            failed.size(),
            QuantityFormat.count(decided, "time"),
            failed.size() == 1 ? "fails" : "fail",
            call(worst),
            QuantityFormat.bandwidth(worst.measurement().busbwGBps()),
            BusbwWords.range(worst.prediction()).text(),
            worst.reason());
  }

  private static Optional<? extends Verdict> worst(List<? extends Verdict> verdicts) {
    return verdicts.stream().max(Comparator.comparingDouble(Verdict::partOfTolerance));
  }

  private static List<? extends Verdict> with(List<? extends Verdict> verdicts, Outcome outcome) {
    return verdicts.stream().filter(verdict -> verdict.outcome() == outcome).toList();
  }

  private static String call(Verdict verdict) {
    Prediction prediction = verdict.prediction();
    return prediction.call().label() + " by " + prediction.launchName();
  }
}
