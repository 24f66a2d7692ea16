package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.tuning.Tuner;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.verdict.JudgedRun;
import dev.topo.simulator.verdict.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the causes of a bad measurement: first those that the log and the settings state, with
 * their predicted cost, then those whose predicted times fit the measurements better than those of
 * the healthy job. Caches parsed texts and evaluated jobs; not thread-safe.
 */
public final class Diagnoser {
  /** Cache key. */
  private record Key(DiagnosedJob job, boolean isReleaseKnown) {}

  private final JobEvaluator evaluator;
  private final Runnable progress;
  private final Map<List<RunText>, RunFacts> facts = new HashMap<>();
  private final Map<Key, JobFit> fits = new HashMap<>();

  /**
   * Creates a diagnoser.
   *
   * @param progress called for each line read
   */
  public Diagnoser(JobEvaluator evaluator, Runnable progress) {
    this.progress = progress;
    this.evaluator = evaluator.remembering();
  }

  /**
   * Diagnoses measurements, a log, or both.
   *
   * @throws dev.topo.model.io.TopologyFormatException if they cannot be read, or belong to several
   *     jobs
   * @throws dev.topo.model.job.UnusableTopologyException if NCCL would not start in the job
   */
  public Diagnosis diagnose(DiagnosisInput input) {
    RunFacts facts = facts(input);
    RunMeasurements measured = RunMeasurements.read(input, facts);
    return FailureCauses.with(measured.failures(), diagnosed(input, facts, measured));
  }

  private Diagnosis diagnosed(DiagnosisInput input, RunFacts facts, RunMeasurements measured) {
    KnownJob known = KnownJob.of(input, facts, measured);
    Optional<Topology> node = known.job().map(DiagnosedJob::topology);
    StatedCauses statedCauses =
        new StatedCauses(facts, node, input.machine().isPresent(), known.nodes().orElse(1) > 1);
    List<Stated> stated = statedCauses.find();
    if (known.job().isEmpty()) {
      return UnevenSizes.with(
          measured.sampled(), Optional.empty(), StatedDiagnosis.withoutJob(stated, known.basis()));
    }
    DiagnosedJob ideal = known.job().get().with(statedCauses.usualSettings());
    List<MeasuredOperation> sampled = measured.sampled();
    JobFit fit = fit(ideal, known);
    if (!known.isLayoutKnown() && ideal.nodes() == 1) {
      fit = likelier(fit, fit(ideal.ofOneProcess(), known), sampled);
    }
    Diagnosis diagnosis = new JobDiagnosis(fit, stated, sampled, known.basis()).diagnosis();
    return sampled.isEmpty() ? diagnosis : agreeing(diagnosis, fit.judged(measured.runs()));
  }

  /** A diagnosis that does not contradict the verdicts on the single calls. */
  private static Diagnosis agreeing(Diagnosis diagnosis, JudgedRun run) {
    boolean isStated =
        diagnosis.causes().stream().anyMatch(cause -> cause.certainty() == Certainty.STATED);
    if (run.passes() && !run.all().isEmpty() && diagnosis.verdict().isSlow() && !isStated) {
      return diagnosis.with(
          Health.UNDECIDED,
          "no time is slower than tolerated, but together they are %s"
              .formatted(diagnosis.summary()));
    }
    if (diagnosis.verdict() != Health.AS_EXPECTED || run.failed().isEmpty()) {
      return diagnosis;
    }
    Verdict worst = run.failed().get(0);
    String single =
        "%s of %s fail, worst %s (%s)"
            .formatted(
                run.failed().size(),
                QuantityFormat.count(run.all().size(), "time"),
                worst.prediction().call().label(),
                worst.reason());
    return run.isSlowOnlyAtSingleSizes()
        ? diagnosis.with(
            Health.AS_EXPECTED,
            diagnosis.reached().isEmpty()
                ? diagnosis.summary()
                : single + "; " + diagnosis.summary())
        : diagnosis.with(Health.UNDECIDED, "nothing speaks for a known fault, but " + single);
  }

  /**
   * Finds the sizes at which NCCL's choice measurably loses. The times come from the measurements
   * alone; which pair NCCL chooses is known from the model if the user names the machine.
   */
  public CliffReport cliffs(DiagnosisInput input) {
    RunFacts facts = facts(input);
    RunMeasurements measured = RunMeasurements.read(input, facts);
    KnownJob known = KnownJob.of(input, facts, measured);
    boolean isMachineNamed = input.machine().isPresent() && !measured.runs().isEmpty();
    Optional<Tuner> tuner = known.job().filter(job -> isMachineNamed).map(job -> tuner(job, known));
    return CliffFinder.find(
        measured.runs(),
        (collective, bytes) ->
            tuner
                .flatMap(
                    candidate -> candidate.decide(CollectiveCall.of(collective, bytes)).choice())
                .map(choice -> choice.pair()));
  }

  private RunFacts facts(DiagnosisInput input) {
    return facts.computeIfAbsent(input.texts(), texts -> RunFacts.of(texts, progress));
  }

  private Tuner tuner(DiagnosedJob job, KnownJob known) {
    return fit(job, known).healthy().communicator().tuner();
  }

  private JobFit fit(DiagnosedJob job, KnownJob known) {
    return fits.computeIfAbsent(
        new Key(job, known.isReleaseKnown()),
        key -> new JobFit(key.job(), key.isReleaseKnown(), evaluator));
  }

  /** Returns the fit under which the measured times are likelier. */
  private static JobFit likelier(JobFit fit, JobFit other, List<MeasuredOperation> measured) {
    return other.healthyLikelihood(measured) > fit.healthyLikelihood(measured) ? other : fit;
  }
}
