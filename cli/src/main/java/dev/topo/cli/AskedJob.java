package dev.topo.cli;

import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.JobOptions.JobInput;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResolver.ResolvedJob;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.network.ConcurrentGroups;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A job that a command answers a question about: its files, the settings and the release that the
 * answer follows, and the caveats of the answer, which evaluation adds.
 */
final class AskedJob extends AskedMachine {
  private final JobQuestion question;

  AskedJob(JobQuestion question, List<Path> files, NcclSettings settings, ReleaseRules rules) {
    super(question, files, settings, rules);
    this.question = question;
  }

  /**
   * A job and its measurements.
   *
   * @param job the job, with the settings and the release of the measurements
   * @param parts the communicators of the job
   * @param run the measurements, if there are any
   */
  record MeasuredJob(AskedJob job, List<JobPart> parts, Optional<MeasuredRun> run) {
    /**
     * The measurements of a communicator: all if the job is one communicator, else those with the
     * same number of ranks; empty if there are none.
     */
    Optional<MeasuredRun> runOf(JobPart part) {
      return parts.size() == 1
          ? run
          : run.map(run -> run.ofRanks(part.job().nRanks())).filter(ofPart -> !ofPart.isEmpty());
    }
  }

  /** The same job; its answer follows the release of a run unless the user names one. */
  AskedJob following(RunOrigin origin) {
    return new AskedJob(question, files(), settings(), question.version().rules(origin));
  }

  /**
   * The same job; its answer follows the release of a run unless the user names one, and its
   * settings except those that the user states.
   */
  AskedJob following(MeasuredRun run) {
    return new AskedJob(
        question, files(), run.settings().with(settings()), question.version().rules(run.origin()));
  }

  /** The communicators of the job, equal ones listed once; records the caveats of the job. */
  List<JobPart> parts() {
    return withRecordedCaveats(resolved(layout()));
  }

  /** The ranks of the job and the machines that they are on. */
  RankLayout layout() {
    return question.job().layout(files());
  }

  /** Resolves a layout into machines and communicators. */
  ResolvedJob resolved(RankLayout layout) {
    JobInput input = input();
    return question.job().resolver(input).resolve(input.spec(layout));
  }

  private JobInput input() {
    return question.input(settings(), profile());
  }

  /** The communicators of one of several jobs that are compared; records their caveats. */
  List<JobPart> parts(RankLayout layout) {
    return withRecordedCaveats(input().resolve(layout));
  }

  /** Records the caveats of a job and returns its communicators. */
  List<JobPart> withRecordedCaveats(ResolvedJob resolved) {
    question.addCaveats(caveats(), resolved, settings(), profile());
    return resolved.parts();
  }

  /** The same communicator, with topologies built by the rules of another release. */
  JobPart samePart(JobPart part, NcclProfile other) {
    return question.parts(files(), settings(), other).stream()
        .filter(candidate -> candidate.label().equals(part.label()))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Reads measurements of the job. Their settings and release apply where the user states none.
   *
   * @param measurements reads the measurements of a job, if there are any
   */
  MeasuredJob measured(Function<Job, Optional<MeasuredRun>> measurements) {
    List<JobPart> parts = parts();
    Optional<MeasuredRun> run = measurements.apply(parts.get(0).job());
    AskedJob followed =
        run.map(this::following)
            .filter(other -> !other.settings().equals(settings()) || !other.rules().equals(rules()))
            .orElse(this);
    return new MeasuredJob(followed, followed == this ? parts : followed.parts(), run);
  }

  /**
   * Reads the actual machine of a job of one machine and records its caveats; empty without a file.
   *
   * @param file topology of the actual machine
   */
  Optional<Machine> actual(@Nullable Path file, JobPart part) {
    if (file == null) {
      return Optional.empty();
    }
    Machine machine = question.machines().actual(file, part, profile());
    caveats().addJob(Map.of(file, machine.topology()), 1, false, machine.settings());
    return Optional.of(machine);
  }

  /** Answers a question about each of these communicators and joins the answers in one envelope. */
  Answer answered(List<JobPart> parts, Format format, Function<JobPart, Answer> answer) {
    return answered(
        question.joined(parts, parts.stream().map(answer).toList(), format.name()), format);
  }

  /**
   * The request to evaluate a communicator by itself, with the calibration that fits its machines.
   */
  JobRequest request(JobPart part) {
    return request(part, profile());
  }

  /**
   * The request to evaluate a communicator by the rules of another release, with which its
   * topologies were built.
   */
  JobRequest request(JobPart part, NcclProfile other) {
    return new TimeResolver(TimeSpec.USUAL, question.command().inputs(), note -> {})
        .request(other, part);
  }

  /** Sets up a communicator as NCCL does. */
  Communicator communicator(JobPart part) {
    return question.command().evaluator().evaluate(part.job(), profile()).communicator();
  }

  /**
   * Evaluates a communicator by itself.
   *
   * @param run measurements of it, which may state the GPUs per process
   */
  JobResult evaluated(EvaluationOptions evaluation, JobPart part, Optional<MeasuredRun> run) {
    return evaluated(evaluation, part, Optional.empty(), run, Optional.empty());
  }

  /**
   * Evaluates a communicator that runs beside others, on the actual machine.
   *
   * @param concurrent the communicators whose calls run at the same time; empty if it is alone
   * @param actual the machine that the data flows over, if it differs from the declared one
   */
  JobResult evaluated(
      EvaluationOptions evaluation,
      JobPart part,
      Optional<ConcurrentGroups> concurrent,
      Optional<MeasuredRun> run,
      Optional<Machine> actual) {
    Subcommand command = question.command();
    JobRequest request =
        evaluation.request(
            profile(),
            InputMachines.declared(part, actual, profile(), caveats()),
            concurrent,
            run,
            actual,
            command.context());
    return command.evaluator().evaluate(request).requireKnownBuffers();
  }
}
