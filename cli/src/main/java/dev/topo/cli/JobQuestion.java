package dev.topo.cli;

import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.JobOptions;
import dev.topo.cli.option.JobOptions.JobInput;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Operation;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResolver.ResolvedJob;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.SplitAnswer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;

/** The options of a question about a job, which is one communicator or, with a split, several. */
final class JobQuestion extends MachineQuestion {
  @Mixin private JobOptions job = new JobOptions();
  private final BooleanSupplier hasTimes;
  private final UnaryOperator<NcclSettings> marked;
  private final Set<String> followed;

  /**
   * A question of a command.
   *
   * @param hasTimes whether its answers depend on what else runs on the hosts at the same time
   * @param marked of NCCL's settings those whose effects its answers may lack
   */
  JobQuestion(Subcommand command, BooleanSupplier hasTimes, UnaryOperator<NcclSettings> marked) {
    this(command, hasTimes, marked, Set.of());
  }

  private JobQuestion(
      Subcommand command,
      BooleanSupplier hasTimes,
      UnaryOperator<NcclSettings> marked,
      Set<String> followed) {
    super(command);
    this.hasTimes = hasTimes;
    this.marked = marked;
    this.followed = followed;
  }

  /** A question whose answers have no times. */
  static JobQuestion withoutTimes(Subcommand command) {
    return following(command, Set.of());
  }

  /** A question without times that follows settings which answers of other commands do not. */
  static JobQuestion following(Subcommand command, Set<String> followed) {
    return new JobQuestion(command, () -> false, settings -> settings.without(followed), followed);
  }

  /** A question for times; those of groups that run at the same time hold what they share. */
  static JobQuestion ofTimes(Subcommand command, EvaluationOptions evaluation) {
    return new JobQuestion(
        command, () -> !evaluation.runsGroupsOfSplit(), evaluation::withoutModelled);
  }

  JobOptions job() {
    return job;
  }

  @Override
  NcclSettings settings() {
    return settings(rules());
  }

  @Override
  Set<String> followed() {
    return followed;
  }

  @Override
  CaveatCollector caveats(Supplier<ReleaseRules> rules) {
    CaveatCollector caveats = super.caveats(rules);
    job.state(caveats);
    return caveats;
  }

  /** Input that makes the machines of a job by some rules. */
  JobInput input(NcclSettings settings, NcclProfile profile) {
    return new JobInput(machines(), settings, profile, command().streams());
  }

  /** The communicators of the job of some files by the rules of a release. */
  List<JobPart> parts(List<Path> files, NcclSettings settings, NcclProfile profile) {
    return job.parts(files, input(settings, profile));
  }

  /** A job of some files, with an answer that follows the release that the user names, if any. */
  AskedJob asked(List<Path> files, NcclSettings settings) {
    return new AskedJob(this, files, settings, rules());
  }

  /** Adds the caveats of a job to those of its answer. */
  void mark(
      CaveatCollector caveats, ResolvedJob resolved, NcclSettings settings, NcclProfile profile) {
    caveats.addJob(
        resolved.topologies(),
        resolved.nodes(),
        hasTimes.getAsBoolean() && resolved.sharesHosts(),
        marked.apply(settings));
    caveats.add(
        CaveatFinder.ofCalls(
            profile,
            named("--collective").flatMap(name -> Operation.ofName(name).stream()).toList(),
            named("--buffers").anyMatch(Buffers.SYMMETRIC.label()::equals)));
  }

  /** The values of an option that the command may have, of one or several values. */
  private Stream<String> named(String option) {
    OptionSpec known = command().spec().findOption(option);
    Object value = known == null ? null : known.getValue();
    return value instanceof Collection<?> several
        ? several.stream().map(String::valueOf)
        : Stream.ofNullable(value).map(String::valueOf);
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
                command()
                    .message(
                        "note: no answer for " + part.title() + ": one rank has nothing to send"));
    return several;
  }

  /** The answers about each of some communicators, in their order, as one. */
  Answer joined(List<JobPart> parts, List<Answer> answers, String format) {
    return SplitAnswer.of(
        IntStream.range(0, parts.size())
            .mapToObj(
                i -> new SplitAnswer.Part(parts.get(i).label(), answers.get(i), parts.get(i).job()))
            .toList(),
        format,
        isVerbose());
  }

  /** The only communicator, or the first of a split, with a note. */
  JobPart first(List<JobPart> parts) {
    if (parts.size() > 1) {
      command()
          .message(
              "note: the split has " + parts.size() + " kinds of communicators; this is the first");
    }
    return parts.get(0);
  }
}
