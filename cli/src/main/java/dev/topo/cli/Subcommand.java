package dev.topo.cli;

import dev.topo.cli.help.HelpPage;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.cli.terminal.Streams;
import dev.topo.cli.terminal.Streams.Terminal;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.difference.Fleet;
import dev.topo.inspect.difference.FleetReader;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.TraceFiles;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.Inputs.Invocation;
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
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A subcommand of {@code topo}, with the streams and variables of its process. */
@Command
abstract class Subcommand implements Callable<Integer> {
  @Mixin private HelpOptions help = new HelpOptions();
  @Spec private @Nullable CommandSpec spec;

  CommandSpec spec() {
    return Objects.requireNonNull(spec);
  }

  /** The command topo, with the subcommands that this call has created. */
  CommandLine topo() {
    return spec().root().commandLine();
  }

  /** Also of a subcommand of a subcommand. */
  CommandContext context() {
    return ((TopoCommand) spec().root().userObject()).context();
  }

  Streams streams() {
    return context().streams();
  }

  /** The variables of the process. */
  Map<String, String> environment() {
    return context().environment();
  }

  /** How its output file ends, where it has one format only; else {@code --format} decides. */
  List<String> fileEndings() {
    return List.of();
  }

  /** Prints a message on stderr. */
  void message(@Nullable String text) {
    streams().message(text);
  }

  /** Files and options that the command reads. */
  Inputs inputs() {
    return context().inputs();
  }

  /** Facts that an answer of the command states besides its result. */
  Envelope envelope(ReleaseRules rules, List<Caveat> caveats) {
    return new Envelope(rules, caveats, context().invocation());
  }

  /** Envelope by the default rules, without caveats. */
  Envelope envelope() {
    return envelope(ReleaseRules.DEFAULT, List.of());
  }

  /** An answer in an envelope, whose caveats go to stderr if the format has no place for them. */
  Answer rendered(Answer answer, Envelope envelope, String format) {
    Answer whole = answer.under(envelope);
    Answer brief = brief().map(option -> option.applyTo(whole, format)).orElse(whole);
    Answer rendered = brief == whole ? whole.render(envelope, format, streams()::message) : brief;
    return format.equals("text") ? rendered.asText() : rendered;
  }

  /** Prints a text for people. */
  void print(Answer text) throws IOException {
    rendered(text, envelope(), "text").writeBytesTo(streams().out());
  }

  /** The option for one sentence only, of commands that have it. */
  private Optional<BriefOption> brief() {
    return spec().mixins().values().stream()
        .map(CommandSpec::userObject)
        .filter(BriefOption.class::isInstance)
        .map(BriefOption.class::cast)
        .findFirst();
  }

  /** Says why there is no answer for one of several files; the status for it. */
  int failed(Path file, RuntimeException e) {
    message(
        e instanceof UnusableTopologyException unusable
            ? file + ": " + unusable.sentence()
            : OptionWords.messageOf(e));
    return e instanceof NothingFoundException ? ExitStatus.NO : ExitStatus.BAD_INPUT;
  }

  /** An input that cannot be used. */
  static TopologyFormatException unusable(Path file, String why) {
    return new TopologyFormatException(SourceLocation.of(file.toString()), why);
  }

  /** Begins a task of equal steps, 0 if their number is unknown, whose progress is shown. */
  Progress.Task begin(String step, long total) {
    return streams().progress().begin(step, total);
  }

  /** The traces of a job, with the progress of their reading. */
  List<RankTrace> traces(List<Path> files) {
    try (Progress.Task task = begin("trace", files.size())) {
      return TraceFiles.read(files, inputs(), task::next);
    }
  }

  /** The nodes of a fleet, with the progress of their reading. */
  Fleet fleetOf(List<Path> files) {
    try (Progress.Task task = begin("file", files.size())) {
      return FleetReader.read(files, inputs(), path -> task.next());
    }
  }

  /** The place of the output: this file, or else stdout. */
  OutputPlan plan(@Nullable Path file) {
    return file == null ? OutputPlan.onStdout(streams()) : OutputPlan.inFile(file, inputs());
  }

  /** Evaluates jobs and shows the progress of searches. */
  JobEvaluator evaluator() {
    return context().evaluator();
  }

  /**
   * Objects that the commands of a call share.
   *
   * @param streams where data and messages go
   * @param environment the variables of the process
   * @param inputs what the command reads
   * @param invocation the command line and what it reads
   * @param evaluator evaluates jobs and shows the progress of searches
   */
  record CommandContext(
      Streams streams,
      Map<String, String> environment,
      Inputs inputs,
      Invocation invocation,
      JobEvaluator evaluator) {
    /** Lines are this long where output is not a terminal. */
    private static final int HELP_WIDTH = 80;

    /** Characters in a line of the help. */
    int helpWidth() {
      return Terminal.ofProcess(environment).columns(HELP_WIDTH);
    }
  }

  /** The options for help and version. */
  static final class HelpOptions {
    /** One option, as picocli expects one only: which name was used decides what is shown. */
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

    /** The version of topo and of the rules that it follows, read only if it is shown. */
    static final class Version implements IVersionProvider {
      @Override
      public String[] getVersion() {
        return new String[] {
          "topo %s%s, rules of NCCL %s"
              .formatted(Json.TOPO_VERSION, commit(), NcclProfile.DEFAULT.version())
        };
      }

      /**
       * The commit of a package is a resource that packaging adds; the launcher of the sources
       * states its own. A build by Maven has neither, so that its bytes depend on the sources
       * alone.
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
}
