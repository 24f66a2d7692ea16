package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.Expected;
import dev.topo.simulator.workload.JobAdvice;
import dev.topo.simulator.workload.JobOption;
import dev.topo.simulator.workload.SiteComparison;
import dev.topo.simulator.workload.Workload.LateRank;
import dev.topo.simulator.workload.Workload.Step;
import dev.topo.simulator.workload.WorkloadChange;
import dev.topo.simulator.workload.WorkloadChange.ChangedCall;
import dev.topo.simulator.workload.WorkloadChange.StepTime;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.visualizer.report.WorkloadWords;
import dev.topo.visualizer.view.Answer.Sentence;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Summarises the communication of a job in one sentence: where its time goes, how much of it is
 * exposed, and the call to look at first. For a change it states the effect on a step, for advice
 * the best option.
 */
public final class WorkloadSentence {

  /** Waiting dominates from this fraction of the communication time on. */
  private static final double DOMINANT_FRACTION = 0.5;

  private final WorkloadComparison comparison;

  private WorkloadSentence(WorkloadComparison comparison) {
    this.comparison = comparison;
  }

  /**
   * Returns the sentence: about the advice if there is any, else about the change, else about the
   * job as it is.
   */
  public static String of(WorkloadComparison comparison, WorkloadChanges changes) {
    WorkloadSentence sentence = new WorkloadSentence(comparison.ofGroupKinds());
    return changes
        .advice()
        .map(JobAdvice::ofGroupKinds)
        .map(sentence::advice)
        .or(() -> changes.change().map(WorkloadChange::ofGroupKinds).map(sentence::change))
        .orElseGet(sentence::asItIs);
  }

  private String asItIs() {
    Optional<Step> step = comparison.workload().step();
    return step.map(this::time)
        .map(time -> Sentence.of(time + "; " + first() + ".", time + "; " + brief() + "."))
        .orElseGet(this::untimed);
  }

  /** States where the time of a step goes. */
  private String time(Step step) {
    String span = step.isMarked() ? "a step" : "the trace";
    String communication =
        "Communication takes %s%s"
            .formatted(
                QuantityFormat.time(step.communicationUs()),
                step.timeUs() > 0
                    ? " of the %s of %s".formatted(QuantityFormat.time(step.timeUs()), span)
                    : " of " + span);
    String exposed =
        step.exposedUs().isPresent()
            ? "; %s exposed".formatted(QuantityFormat.time(step.exposedUs()))
            : "; how much is exposed is not known";
    return communication + waiting(step) + exposed;
  }

  private String waiting(Step step) {
    if (step.waitedUs().isEmpty()) {
      return ", how much of it is waiting for late ranks is not known";
    }
    double fraction = step.waitedUs().getAsDouble() / step.communicationUs();
    String what =
        TextWriter.format(
            "%s%.0f %% of it",
            comparison.workload().hasUnmatched() ? "at least " : "", 100 * fraction);
    List<LateRank> late = comparison.workload().late();
    return waitsMostly(step) && !late.isEmpty()
        ? ", %s waiting for late ranks, most often rank %s".formatted(what, late.get(0).rank())
        : ", %s waiting for late ranks".formatted(what);
  }

  private static boolean waitsMostly(Step step) {
    return step.waitedUs().orElse(0) >= DOMINANT_FRACTION * step.communicationUs();
  }

  /**
   * The call that loses most time beyond the range of its expected time; if none does, the one with
   * the largest total.
   */
  private String first() {
    return worst()
        .map(site -> title(site.site()) + " loses most: " + measuredAndExpected(site))
        .orElseGet(() -> comparison.sites().stream().findFirst().map(this::largest).orElse(""));
  }

  private Optional<SiteComparison> worst() {
    return comparison.sites().stream()
        .filter(site -> lostUs(site) > 0)
        .max(Comparator.comparingDouble(WorkloadSentence::lostUs));
  }

  /** The same without times, which the table has. */
  private String brief() {
    return worst()
        .map(site -> title(site.site()) + " loses most")
        .orElseGet(
            () ->
                comparison.sites().stream().anyMatch(site -> site.expected().isPresent())
                    ? "no call is slower than its predicted range"
                    : "nothing is expected of these calls");
  }

  private String largest(SiteComparison site) {
    return site.expected().isEmpty()
        ? "%s takes most, and nothing is expected of it (%s)"
            .formatted(title(site.site()), site.forecast().reason())
        : "no call is slower than its predicted range, and %s takes most time: %s"
            .formatted(title(site.site()), measuredAndExpected(site));
  }

  private static double lostUs(SiteComparison site) {
    OptionalDouble high = site.expected().map(Expected::highUs).orElse(OptionalDouble.empty());
    OptionalDouble measured = site.site().medianUs();
    return high.isEmpty() || measured.isEmpty()
        ? 0
        : site.site().count() * (measured.getAsDouble() - high.getAsDouble());
  }

  private static String measuredAndExpected(SiteComparison site) {
    Expected expected = site.expected().orElseThrow();
    return "%s a call, %s expected"
        .formatted(QuantityFormat.time(site.site().medianUs()), WorkloadWords.expected(expected));
  }

  private static String title(CallSite site) {
    return "%s of %s".formatted(site.title(), QuantityFormat.size(site.kind().bytes()));
  }

  /** The sentence for traces without times: only expected times are known. */
  private String untimed() {
    Optional<SiteComparison> largest =
        comparison.sites().stream()
            .filter(site -> site.expected().isPresent())
            .max(Comparator.comparingDouble(WorkloadSentence::expectedUs));
    return largest
        .map(
            site ->
                "The traces have no times; of %s of calls %s takes most by the model: %s of %s%s."
                    .formatted(
                        QuantityFormat.count(comparison.sites().size(), "kind"),
                        title(site.site()),
                        QuantityFormat.count(site.site().count(), "call"),
                        WorkloadWords.expected(site.expected().orElseThrow()),
                        site.expected().orElseThrow().lowUs().isEmpty() ? ", no range known" : ""))
        .orElse("The traces have no times, and the model expects none of these calls.");
  }

  private static double expectedUs(SiteComparison site) {
    return site.site().count() * site.expected().map(Expected::timeUs).orElse(0.0);
  }

  private String change(WorkloadChange change) {
    if (!change.refusals().isEmpty()) {
      return "With %s the job fails: %s."
          .formatted(change.title(), change.refusals().keySet().iterator().next());
    }
    StepTime before = change.stepBefore();
    StepTime after = change.stepAfter();
    Optional<ChangedCall> mostChangedCall =
        change.changedKinds().stream()
            .max(Comparator.comparingDouble(call -> Math.abs(Math.log(call.factor()))));
    if (mostChangedCall.isEmpty()) {
      return "With %s no expected time of these calls changes.".formatted(change.title());
    }
    ChangedCall call = mostChangedCall.get();
    String communication =
        "With %s, communication of %s: %s → %s (%s)"
            .formatted(
                change.title(),
                WorkloadWords.whole(comparison.workload()),
                QuantityFormat.time(before.communicationUs()),
                new StepRange(after).time(),
                new StepRange(after).range());
    String exposed =
        new StepRange(after)
            .exposed((was, now) -> ", exposed %s → %s".formatted(was, now), before.exposedUs());
    String mostChanged =
        TextWriter.format("; %s takes %.1f times as long", title(call.site()), call.factor());
    return Sentence.of(
        communication + exposed + mostChanged + reason(call) + ".",
        communication + exposed + mostChanged + ".",
        communication + mostChanged + ".");
  }

  private static String reason(ChangedCall call) {
    String was = call.before().launchName();
    String is = call.after().launchName();
    if (!was.equals(is)) {
      return ", by %s instead of %s".formatted(is, was);
    }
    int before = call.before().shape().channels();
    int after = call.after().shape().channels();
    return before == after ? "" : ", on %s channels instead of %s".formatted(after, before);
  }

  private String advice(JobAdvice advice) {
    if (advice.options().isEmpty() && !advice.notes().isEmpty()) {
      return Sentence.capitalised(advice.notes().get(0)) + ".";
    }
    if (advice.best().isEmpty()) {
      return advice.options().isEmpty()
          ? "Nothing is advised: no change that is known does anything to these calls."
          : "Nothing is advised: no change gains more than its range; %s is worth a measurement first."
              .formatted(JobAdviceOutput.title(advice.options().get(0)));
    }
    JobOption best = advice.best().get();
    StepTime step = best.step();
    String gain =
        "With %s %s"
            .formatted(
                JobAdviceOutput.title(best).replace(", ", " and "),
                JobAdviceOutput.less(best.gain()));
    String communication =
        ": communication of %s %s%s"
            .formatted(
                WorkloadWords.whole(best.workload()),
                best.workload()
                    .step()
                    .map(one -> QuantityFormat.time(one.communicationUs()) + " → ")
                    .orElse(""),
                new StepRange(step).time());
    String cost =
        best.moreCtas() > 0
            ? ", at a cost of up to %s more multiprocessors".formatted(best.moreCtas())
            : "";
    String waiting =
        best.workload().step().map(WorkloadSentence::waitsMostly).orElse(false)
            ? "; most of it is waiting for late ranks, which stays"
            : "";
    return Sentence.of(
        gain + communication + cost + waiting + ".",
        gain + communication + cost + ".",
        gain + cost + ".");
  }
}
