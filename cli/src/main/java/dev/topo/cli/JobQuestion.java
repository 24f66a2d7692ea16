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
import dev.topo.visualizer.view.SplitAnswer.Part;
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

/**
 * The options of a question about a job. A job is one communicator or, with {@code --split},
 * several.
 */
final class JobQuestion extends MachineQuestion {
  @Mixin private JobOptions job = new JobOptions();
  private final BooleanSupplier hasTimes;
  private final UnaryOperator<NcclSettings> unmodelled;
  private final Set<String> modelledSettings;

  /**
   * Creates the options for a command.
   *
   * @param hasTimes whether its answers depend on what else runs on the hosts at the same time
   * @param unmodelled reduces NCCL's settings to those whose effects the answers may lack
   */
  JobQuestion(
      Subcommand command, BooleanSupplier hasTimes, UnaryOperator<NcclSettings> unmodelled) {
    this(command, hasTimes, unmodelled, Set.of());
  }

  private JobQuestion(
      Subcommand command,
      BooleanSupplier hasTimes,
      UnaryOperator<NcclSettings> unmodelled,
      Set<String> modelledSettings) {
    super(command);
    this.hasTimes = hasTimes;
    this.unmodelled = unmodelled;
    this.modelledSettings = modelledSettings;
  }

  /** Creates a question whose answers contain no times. */
  static JobQuestion withoutTimes(Subcommand command) {
    return following(command, Set.of());
  }

  /**
   * Creates a question whose answers contain no times but follow some settings that most commands
   * ignore.
   */
  static JobQuestion following(Subcommand command, Set<String> modelledSettings) {
    return new JobQuestion(
        command, () -> false, settings -> settings.without(modelledSettings), modelledSettings);
  }

  /**
   * Creates a question whose answers contain times. Times of groups that run at the same time
   * already account for what the groups share.
   */
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
  Set<String> modelledSettings() {
    return modelledSettings;
  }

  @Override
  CaveatCollector caveats(Supplier<ReleaseRules> rules) {
    CaveatCollector caveats = super.caveats(rules);
    job.state(caveats);
    return caveats;
  }

  /** Creates the input that builds the machines of a job by the rules of a release. */
  JobInput input(NcclSettings settings, NcclProfile profile) {
    return new JobInput(machines(), settings, profile);
  }

  /** The communicators of the job of these files, built by the rules of a release. */
  List<JobPart> parts(List<Path> files, NcclSettings settings, NcclProfile profile) {
    return job.parts(files, input(settings, profile));
  }

  /**
   * The question about a job of these files, which follows the release that the user names or else
   * the default.
   */
  AskedJob asked(List<Path> files, NcclSettings settings) {
    return new AskedJob(this, files, settings, rules());
  }

  /** Adds the caveats of a job, and those of its calls, to the caveats of the answer. */
  void addCaveats(
      CaveatCollector caveats, ResolvedJob resolved, NcclSettings settings, NcclProfile profile) {
    caveats.addJob(
        resolved.topologies(),
        resolved.nodes(),
        hasTimes.getAsBoolean() && resolved.sharesHosts(),
        unmodelled.apply(settings));
    caveats.add(
        CaveatFinder.ofCalls(
            profile,
            named("--collective").flatMap(name -> Operation.ofName(name).stream()).toList(),
            named("--buffers").anyMatch(Buffers.SYMMETRIC.label()::equals)));
  }

  /** The values of an option as strings; empty if the command does not have the option. */
  private Stream<String> named(String option) {
    OptionSpec known = command().spec().findOption(option);
    Object value = known == null ? null : known.getValue();
    return value instanceof Collection<?> several
        ? several.stream().map(String::valueOf)
        : Stream.ofNullable(value).map(String::valueOf);
  }

  /**
   * The communicators with at least two ranks. Communicators of one rank send nothing; they are
   * only noted on stderr.
   *
   * @param otherwise text for the message on what may be asked about one rank; may be empty
   * @throws NothingFoundException if all communicators have one rank
   */
  List<JobPart> communicating(List<JobPart> parts, String otherwise) {
    if (parts.stream().allMatch(JobQuestion::isAlone)) {
      throw new NothingFoundException(
          "%s is one rank, which sends nothing: expected a job of two or more (--nodes)%s"
              .formatted(parts.get(0).title(), otherwise));
    }
    return sending(parts, "answer");
  }

  /**
   * The communicators with at least two ranks; notes the others on stderr.
   *
   * @param noun what is missing for one rank, as in "prediction"
   */
  List<JobPart> sending(List<JobPart> parts, String noun) {
    parts.stream()
        .filter(JobQuestion::isAlone)
        .forEach(
            part ->
                command()
                    .message(
                        "note: no %s for %s: one rank has nothing to send"
                            .formatted(noun, part.title())));
    return parts.stream().filter(part -> !isAlone(part)).toList();
  }

  private static boolean isAlone(JobPart part) {
    return part.job().nRanks() < 2;
  }

  /** Joins the answers about these communicators, in the same order, into one. */
  Answer joined(List<JobPart> parts, List<Answer> answers, String format) {
    return SplitAnswer.of(
        IntStream.range(0, parts.size())
            .mapToObj(i -> new Part(parts.get(i).label(), answers.get(i), parts.get(i).job()))
            .toList(),
        format,
        isVerbose());
  }

  /** The only communicator, or the first of a split; a note on stderr says that there are more. */
  JobPart first(List<JobPart> parts) {
    if (parts.size() > 1) {
      command()
          .message(
              "note: the split has " + parts.size() + " kinds of communicators; this is the first");
    }
    return parts.get(0);
  }
}
