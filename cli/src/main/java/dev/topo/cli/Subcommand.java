package dev.topo.cli;

import dev.topo.cli.help.HelpPage;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.cli.terminal.CommandContext;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.difference.Fleet;
import dev.topo.inspect.difference.FleetReader;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.TraceFiles;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A subcommand of {@code topo}, with access to the streams and environment of its process. */
@Command
abstract class Subcommand implements Callable<Integer> {
  @Mixin private HelpOptions help = new HelpOptions();
  @Spec private @Nullable CommandSpec spec;

  CommandSpec spec() {
    return Objects.requireNonNull(spec);
  }

  /** The command {@code topo}, with the subcommands that were created for this command line. */
  CommandLine topo() {
    return spec().root().commandLine();
  }

  /** The objects that all commands share; available to nested subcommands as well. */
  CommandContext context() {
    return ((TopoCommand) spec().root().userObject()).context();
  }

  Streams streams() {
    return context().streams();
  }

  /** The environment variables of the process. */
  Map<String, String> environment() {
    return context().environment();
  }

  /**
   * The endings of the output file if the command has a single output format; empty if {@code
   * --format} decides.
   */
  List<String> fileEndings() {
    return List.of();
  }

  /** Prints a message on stderr. */
  void message(@Nullable String text) {
    streams().message(text);
  }

  /** Records the files that the command reads. */
  Inputs inputs() {
    return context().inputs();
  }

  /** The envelope of an answer: rules, caveats and command line. */
  Envelope envelope(ReleaseRules rules, List<Caveat> caveats) {
    return new Envelope(rules, caveats, context().invocation());
  }

  /** The envelope of an answer that follows the default rules and has no caveats. */
  Envelope envelope() {
    return envelope(ReleaseRules.DEFAULT, List.of());
  }

  /** Puts an answer into an envelope. Caveats go to stderr if the format has no place for them. */
  Answer rendered(Answer answer, Envelope envelope, String format) {
    Answer enveloped = answer.under(envelope);
    Answer brief = brief().map(option -> option.applyTo(enveloped, format)).orElse(enveloped);
    Answer rendered =
        brief == enveloped ? enveloped.render(envelope, format, streams()::message) : brief;
    return format.equals("text") ? rendered.asText() : rendered;
  }

  /** Puts an answer into an envelope, in a format of the command. */
  Answer rendered(Answer answer, Envelope envelope, Format format) {
    return rendered(answer, envelope, format.name());
  }

  /** Prints an answer as text on stdout. */
  void print(Answer text) throws IOException {
    rendered(text, envelope(), "text").writeBytesTo(streams().out());
  }

  /** The option {@code --quiet}, if the command has it. */
  private Optional<BriefOption> brief() {
    return spec().mixins().values().stream()
        .map(CommandSpec::userObject)
        .filter(BriefOption.class::isInstance)
        .map(BriefOption.class::cast)
        .findFirst();
  }

  /** Reports why one of several files has no answer; returns the exit status for it. */
  int failed(Path file, RuntimeException e) {
    message(
        e instanceof UnusableTopologyException unusable
            ? file + ": " + unusable.sentence()
            : OptionWords.messageOf(e));
    return e instanceof NothingFoundException ? ExitStatus.NO : ExitStatus.BAD_INPUT;
  }

  /** Creates the exception for a file that cannot be used. */
  static TopologyFormatException unusable(Path file, String why) {
    return new TopologyFormatException(SourceLocation.of(file.toString()), why);
  }

  /**
   * Begins a task whose progress is shown.
   *
   * @param step name of one step
   * @param total number of equal steps; 0 if unknown
   */
  Task begin(String step, long total) {
    return streams().progress().begin(step, total);
  }

  /** Reads the traces of a job and shows the progress. */
  List<RankTrace> traces(List<Path> files) {
    try (Task task = begin("trace", files.size())) {
      return TraceFiles.read(files, inputs(), task::next);
    }
  }

  /** Reads the nodes of a fleet and shows the progress. */
  Fleet fleetOf(List<Path> files) {
    try (Task task = begin("file", files.size())) {
      return FleetReader.read(files, inputs(), path -> task.next());
    }
  }

  /** Plans the output to a file, or to stdout if {@code file} is null. */
  OutputPlan plan(@Nullable Path file) {
    return OutputPlan.to(file, context());
  }

  /** The evaluator of jobs, which shows the progress of searches. */
  JobEvaluator evaluator() {
    return context().evaluator();
  }

  /** The options for help and version. */
  static final class HelpOptions {
    /**
     * One option for both kinds of help, because picocli supports only one help option. The name
     * that the user typed decides how much is shown.
     */
    @Option(
        names = {"-h", "--help", HelpPage.ALL},
        usageHelp = true,
        description = "Show the help with the main options, or with all of them.")
    private boolean help;

    @Option(
        names = {"-V", "--version"},
        versionHelp = true,
        description = "Show the version of topo and the NCCL release that it follows.")
    private boolean version;

    /** The version of topo and of the NCCL release that it follows. */
    static String[] version() {
      return new String[] {
        "topo %s%s, rules of NCCL %s"
            .formatted(Json.TOPO_VERSION, commit(), NcclProfile.DEFAULT.version())
      };
    }

    /**
     * The commit that topo was built from, in parentheses; empty if unknown. Packaging adds it as a
     * resource, and the launcher of a checkout passes it as a property. A Maven build contains
     * neither, so that its bytes depend only on the sources.
     */
    private static String commit() {
      String stated = System.getProperty("topo.commit", "");
      try (InputStream file = HelpOptions.class.getResourceAsStream("commit.txt")) {
        String commit =
            file == null
                ? stated
                : new String(file.readAllBytes(), StandardCharsets.US_ASCII).strip();
        return commit.isEmpty() ? "" : " (" + commit + ")";
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
