package dev.topo.cli;

import dev.topo.cli.option.JobOptions;
import dev.topo.cli.option.JobOptions.JobInput;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResolver.ResolvedJob;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.SplitAnswer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import picocli.CommandLine.Mixin;

/** A command about a job, which is one communicator or, with a split, several. */
abstract class JobCommand extends MachineCommand {
  @Mixin private JobOptions job = new JobOptions();

  /**
   * A job with measurements of it.
   *
   * @param parts its communicators, with the settings of the measurements
   * @param run the measurements, if there are any
   */
  record MeasuredJob(List<JobPart> parts, Optional<MeasuredRun> run) {
    /** Measurements of a communicator; of a whole job all, else nothing if there is none. */
    Optional<MeasuredRun> runOf(JobPart part) {
      return parts.size() == 1
          ? run
          : run.map(run -> run.ofRanks(part.job().nRanks())).filter(ofPart -> !ofPart.isEmpty());
    }
  }

  @Override
  boolean needsNoFile() {
    return job.hasNodeList();
  }

  @Override
  boolean isAboutJob() {
    return true;
  }

  /** True if its answers have times, which depend on what else runs at the same time. */
  boolean hasTimes() {
    return true;
  }

  JobOptions job() {
    return job;
  }

  /** The settings whose effects its answers may lack. */
  NcclSettings marking(NcclSettings settings) {
    return settings;
  }

  /** The communicators of the job, equal ones once. */
  List<JobPart> parts(List<Path> topologyFiles, NcclSettings settings) {
    caveats().clear();
    RankLayout layout = job.layout(topologyFiles);
    JobInput input = input(settings);
    return marked(job.resolver(input).resolve(input.spec(layout)), settings);
  }

  /** The communicators of one of several jobs that are compared; adds their caveats. */
  List<JobPart> parts(RankLayout layout, NcclSettings settings) {
    return marked(input(settings).resolve(layout), settings);
  }

  /** The part of a job with topologies by the rules of another release. */
  JobPart samePart(JobPart part, List<Path> files, NcclSettings settings, NcclProfile profile) {
    return job.parts(files, new JobInput(machines(), settings, profile, streams())).stream()
        .filter(other -> other.label().equals(part.label()))
        .findFirst()
        .orElseThrow();
  }

  private JobInput input(NcclSettings settings) {
    return new JobInput(machines(), settings, version().profile(), streams());
  }

  private List<JobPart> marked(ResolvedJob resolved, NcclSettings settings) {
    job.addTo(caveats(), resolved, hasTimes(), marking(settings));
    return resolved.parts();
  }

  /**
   * The communicators of several ranks, which have something to send; notes the others.
   *
   * @param otherwise what may be asked of one rank; may be empty
   * @throws NothingFoundException if there is none
   */
  List<JobPart> communicating(List<JobPart> parts, String otherwise) {
    List<JobPart> several = parts.stream().filter(part -> part.job().nRanks() > 1).toList();
    if (several.isEmpty()) {
      throw NothingFoundException.ofOneRank(parts.get(0).title(), otherwise);
    }
    parts.stream()
        .filter(part -> !several.contains(part))
        .forEach(
            part ->
                message("note: no answer for " + part.title() + ": one rank has nothing to send"));
    return several;
  }

  /** The answers about each of some communicators, in their order, as one. */
  Answer joined(List<JobPart> parts, List<Answer> answers) {
    return SplitAnswer.of(
        IntStream.range(0, parts.size())
            .mapToObj(
                i -> new SplitAnswer.Part(parts.get(i).label(), answers.get(i), parts.get(i).job()))
            .toList(),
        format().name(),
        input().isVerbose());
  }

  /**
   * The job with measurements of it, whose settings and release apply where the user names none.
   */
  MeasuredJob measured(
      List<Path> topologyFiles,
      NcclSettings settings,
      Function<Job, Optional<MeasuredRun>> measurements) {
    List<JobPart> parts = parts(topologyFiles, settings);
    ReleaseRules rules = version().rules();
    Optional<MeasuredRun> run = measurements.apply(parts.get(0).job());
    NcclSettings ncclSettings =
        run.map(measured -> measured.settings().with(settings)).orElse(settings);
    boolean isSame = ncclSettings.equals(settings) && rules.equals(version().rules());
    return new MeasuredJob(isSame ? parts : parts(topologyFiles, ncclSettings), run);
  }

  /** The only communicator, or the first of a split, with a note. */
  JobPart first(List<JobPart> parts) {
    if (parts.size() > 1) {
      message("note: the split has " + parts.size() + " kinds of communicators; this is the first");
    }
    return parts.get(0);
  }
}
