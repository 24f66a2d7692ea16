package dev.topo.cli;

import dev.topo.cli.CommandTable.Listing;
import dev.topo.cli.Subcommand.HelpOptions;
import dev.topo.cli.terminal.CommandContext;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress.SearchProgress;
import dev.topo.cli.terminal.Streams;
import dev.topo.model.Last;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.model.io.OutputException;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.EarlierAnswers;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code topo} itself. */
@Command(
    name = "topo",
    description = "Shows, before anything runs, what NCCL will do on a machine.",
    synopsisSubcommandLabel = "COMMAND")
public final class TopoCommand implements Runnable {
  private static final long MIB = 1L << 20;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private HelpOptions help = new HelpOptions();

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of an error.")
  private boolean debug;

  private final CommandContext context;

  private TopoCommand(CommandContext context) {
    this.context = context;
  }

  /** The objects that all subcommands share. */
  CommandContext context() {
    return context;
  }

  /** True if errors are shown with their stack traces. */
  boolean isDebug() {
    return debug;
  }

  /**
   * Runs the command line and flushes its output.
   *
   * @param streams destination of data and messages
   * @param environment the environment variables of the process, for {@code --env-from-process}
   * @return the exit status
   */
  public static int execute(Streams streams, Map<String, String> environment, String... args) {
    GraphSource graphs = SearchProgress.search(streams.progress());
    return execute(streams, environment, EarlierAnswers.none(graphs), args);
  }

  /** Runs one of several command lines of a process. */
  public static int execute(
      Streams streams, Map<String, String> environment, EarlierAnswers earlier, String... args) {
    try {
      TopoCommand top = of(streams, environment, earlier, args);
      int status =
          Listing.wanted(args)
              .map(list -> top.show(list, args))
              .orElseGet(() -> CommandLineFactory.of(top, CommandTable.needed(args)).execute(args));
      streams.flush();
      return status;
    } catch (OutputException e) {
      streams.message(e.getMessage());
      return ExitStatus.USAGE;
    } catch (OutOfMemoryError e) {
      streams.message(
          "out of memory with a heap of %s MiB: set TOPO_JAVA_OPTS=-Xmx8g to enlarge it"
              .formatted(Runtime.getRuntime().maxMemory() / MIB));
      return ExitStatus.MISSING;
    } catch (Error e) {
      streams.message("this is a bug: " + e);
      return ExitStatus.BUG;
    }
  }

  private int show(Listing list, String... args) {
    Envelope envelope = new Envelope(ReleaseRules.DEFAULT, List.of(), context.invocation());
    OutputPlan.onStdout(context.streams())
        .write(
            Path.of("list"),
            list.answer(args).render(envelope, "text", context.streams()::message));
    return ExitStatus.DONE;
  }

  private static TopoCommand of(
      Streams streams, Map<String, String> environment, EarlierAnswers earlier, String... args) {
    Inputs inputs = new Inputs();
    return new TopoCommand(
        new CommandContext(
            streams,
            environment,
            inputs,
            Invocation.of("topo", Json.TOPO_VERSION, inputs, args),
            earlier.topologies(),
            new JobEvaluator(earlier, inputs)));
  }

  /**
   * The command with all its subcommands, for completions and documentation generated from their
   * options.
   */
  static CommandLine line() {
    return CommandLineFactory.of(
        of(Streams.ofProcess(Map.of()), Map.of(), EarlierAnswers.none(GraphSearch::findAll)),
        CommandTable.NAMES);
  }

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(),
        "Missing command: "
            + String.join(", ", CommandTable.NAMES.subList(0, CommandTable.NAMES.size() - 1))
            + " or "
            + Last.of(CommandTable.NAMES));
  }
}
