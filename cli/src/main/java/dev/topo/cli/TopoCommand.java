package dev.topo.cli;

import dev.topo.cli.Subcommand.CommandContext;
import dev.topo.cli.Subcommand.HelpOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress.SearchProgress;
import dev.topo.cli.terminal.Streams;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.model.io.OutputException;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.NetworkList;
import dev.topo.visualizer.view.VersionList;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
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
    versionProvider = HelpOptions.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit status: 0 done; 1 check failed, differences found or nothing found; 2 usage; 3 bad input; 4 hardware, library or memory missing; 70 a bug.",
      "FILE may be - for standard input: ssh node topo probe | topo search -",
      "",
      "Example: topo search topologies/dgx-h100.xml"
    })
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

  /** What all subcommands share. */
  CommandContext context() {
    return context;
  }

  /** Whether errors are shown with their stack traces. */
  boolean isDebug() {
    return debug;
  }

  /**
   * Runs the command and writes out what it has written.
   *
   * @param streams where data and messages go
   * @param environment the variables of the process, for {@code --env-from-process}
   * @return the exit status
   */
  public static int execute(Streams streams, Map<String, String> environment, String... args) {
    return execute(streams, environment, SearchProgress.search(streams.progress()), args);
  }

  /** The same with another source of graphs, for example one that has searched before. */
  public static int execute(
      Streams streams, Map<String, String> environment, GraphSource graphs, String... args) {
    try {
      TopoCommand top = of(streams, environment, graphs, args);
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
      Streams streams, Map<String, String> environment, GraphSource graphs, String... args) {
    Inputs inputs = new Inputs();
    return new TopoCommand(
        new CommandContext(
            streams,
            environment,
            inputs,
            Invocation.of("topo", Json.TOPO_VERSION, inputs, args),
            new JobEvaluator(graphs, inputs)));
  }

  /** The command with all its subcommands, for what is generated from their options. */
  static CommandLine line() {
    return CommandLineFactory.of(
        of(Streams.ofProcess(Map.of()), Map.of(), GraphSearch::findAll), CommandTable.NAMES);
  }

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(),
        "Missing command: "
            + String.join(", ", CommandTable.NAMES.subList(0, CommandTable.NAMES.size() - 1))
            + " or "
            + CommandTable.NAMES.get(CommandTable.NAMES.size() - 1));
  }

  /** The questions {@code --nccl list} and {@code --network list}, which any command may ask. */
  enum Listing {
    VERSIONS("--nccl", VersionList::text, VersionList::json),
    NETWORKS("--network", NetworkList::text, NetworkList::json);

    private final String option;
    private final Supplier<Answer> text;
    private final Supplier<Answer> json;

    Listing(String option, Supplier<Answer> text, Supplier<Answer> json) {
      this.option = option;
      this.text = text;
      this.json = json;
    }

    /** The list that a command line asks for, whatever else it has. */
    static Optional<Listing> wanted(String... args) {
      return Arrays.stream(values()).filter(one -> one.isWanted(Arrays.asList(args))).findFirst();
    }

    private boolean isWanted(List<String> words) {
      return words.contains(option + "=list")
          || (words.contains(option)
              && words.indexOf(option) + 1 < words.size()
              && words.get(words.indexOf(option) + 1).equals("list"));
    }

    /** The list in the format that the command line names, text where it is not json. */
    Answer answer(String... args) {
      String line = String.join(" ", args);
      return line.contains("--format json") || line.contains("--format=json")
          ? json.get()
          : text.get();
    }
  }

  /** The subcommands of topo. */
  static final class CommandTable {
    /** The names by what they are for, in the order of the help. */
    static final Map<String, List<String>> GROUPS =
        groups(
            "A machine: show paths draw diff serve",
            "What NCCL does on it: search connect tune explain upgrade",
            "How fast it is: predict memory whatif sweep advise chart report",
            "Measurements: diagnose workload calibrate",
            "Topology files: lint guest import",
            "On a GPU host: probe doctor run verify",
            "Help: help completion");

    /** All names. */
    static final List<String> NAMES = GROUPS.values().stream().flatMap(List::stream).toList();

    /** Commands that need all others. */
    private static final List<String> OF_ALL = List.of("help", "completion");

    private CommandTable() {}

    private static Map<String, List<String>> groups(String... groups) {
      Map<String, List<String>> byTitle = new LinkedHashMap<>();
      for (String group : groups) {
        String[] part = group.split(": ", 2);
        byTitle.put(part[0], List.of(part[1].split(" ")));
      }
      return byTitle;
    }

    /** The subcommands that a command line needs. */
    static List<String> needed(String... args) {
      List<String> named = Arrays.stream(args).limit(1).filter(NAMES::contains).toList();
      return named.isEmpty() || OF_ALL.contains(named.get(0)) ? NAMES : named;
    }

    /** The names of the subcommands, to complete the argument of {@code topo help}. */
    static final class Names implements Iterable<String> {
      @Override
      public Iterator<String> iterator() {
        return NAMES.iterator();
      }
    }

    /**
     * The subcommand of a name. A command line that names one creates that one only: the classes
     * and options of all of them are a third of what a short command would load. The JVM would load
     * them as well to verify that they are of a common type.
     */
    static Object create(String name) {
      return switch (name) {
        case "serve" -> new ServeCommand();
        case "show" -> new ShowCommand();
        case "paths" -> new PathsCommand();
        case "search" -> new SearchCommand();
        case "connect" -> new ConnectCommand();
        case "tune" -> new TuneCommand();
        case "explain" -> new ExplainCommand();
        case "predict" -> new PredictCommand();
        case "memory" -> new MemoryCommand();
        case "advise" -> new AdviseCommand();
        case "diagnose" -> new DiagnoseCommand();
        case "workload" -> new WorkloadCommand();
        case "calibrate" -> new CalibrateCommand();
        case "whatif" -> new WhatifCommand();
        case "sweep" -> new SweepCommand();
        case "diff" -> new DiffCommand();
        case "upgrade" -> new UpgradeCommand();
        case "probe" -> new ProbeCommand();
        case "run" -> new RunCommand();
        case "doctor" -> new DoctorCommand();
        case "verify" -> new VerifyCommand();
        case "lint" -> new LintCommand();
        case "guest" -> new GuestCommand();
        case "import" -> new ImportCommand();
        case "draw" -> new DrawCommand();
        case "chart" -> new ChartCommand();
        case "report" -> new ReportCommand();
        case "help" -> new HelpCommand();
        case "completion" -> new CompletionCommand();
        default -> throw new IllegalArgumentException(name);
      };
    }
  }
}
