package dev.topo.cli;

import dev.topo.cli.help.HelpPage;
import dev.topo.cli.option.CollectiveOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.cli.terminal.SearchProgress;
import dev.topo.cli.terminal.Streams;
import dev.topo.cli.terminal.Terminal;
import dev.topo.hw.run.RunFailure;
import dev.topo.model.io.FileFault;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.Invocation;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.PlainText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.visualizer.chart.NoFontException;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code topo} itself, and how all subcommands fail. */
@Command(
    name = "topo",
    description = "Shows, before anything runs, what NCCL will do on a machine.",
    versionProvider = TopoCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit status: 0 done; 1 check failed, differences found or nothing found; 2 usage; 3 bad input; 4 hardware, library or memory missing; 70 a bug.",
      "FILE may be - for standard input: ssh node topo probe | topo search -",
      "",
      "Example: topo search topologies/dgx-h100.xml"
    })
public final class TopoCommand implements Runnable {
  /** The subcommands by what they are for, in the order of the help. */
  private static final Map<String, List<String>> GROUPS =
      groups(
          "A machine: show paths draw diff",
          "What NCCL does on it: search connect tune explain upgrade",
          "How fast it is: predict whatif sweep advise chart report",
          "Measurements: diagnose workload calibrate",
          "Topology files: lint guest import",
          "On a GPU host: probe doctor run verify",
          "Help: help completion");

  private static final List<String> COMMANDS =
      GROUPS.values().stream().flatMap(List::stream).toList();

  /** Lines are this long where output is not a terminal. */
  private static final int HELP_WIDTH = 80;

  /** Commands that need all others. */
  private static final List<String> OF_ALL = List.of("help", "completion");

  private static final long MIB = 1L << 20;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private HelpOptions help = new HelpOptions();

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of an error.")
  private boolean debug;

  /** The version of topo and of the rules that it follows, read only if it is shown. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {
        "topo " + Json.TOPO_VERSION + ", rules of NCCL " + NcclProfile.DEFAULT.version()
      };
    }
  }

  /** The names of the subcommands, to complete the argument of {@code topo help}. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return COMMANDS.iterator();
    }
  }

  private final Streams streams;
  private final Map<String, String> environment;
  private final Inputs inputs;
  private final Invocation invocation;
  private final JobEvaluator evaluator;

  private TopoCommand(
      Streams streams, Map<String, String> environment, GraphSource graphs, String... args) {
    this.streams = streams;
    this.environment = environment;
    this.inputs = new Inputs();
    this.invocation = Invocation.of("topo", Json.TOPO_VERSION, inputs, args);
    this.evaluator = new JobEvaluator(graphs, inputs);
  }

  /** What the command reads. */
  Inputs inputs() {
    return inputs;
  }

  /** The command line and what it reads. */
  Invocation invocation() {
    return invocation;
  }

  /** Evaluates the jobs of subcommands. */
  JobEvaluator evaluator() {
    return evaluator;
  }

  Streams streams() {
    return streams;
  }

  Map<String, String> environment() {
    return environment;
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
      int status = run(streams, environment, graphs, args);
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

  private static int run(
      Streams streams, Map<String, String> environment, GraphSource graphs, String... args) {
    if (VersionListing.isWanted(args)) {
      Envelope envelope =
          new Envelope(
              ReleaseRules.DEFAULT,
              List.of(),
              Invocation.of("topo", Json.TOPO_VERSION, new Inputs(), args));
      OutputPlan.onStdout(streams)
          .write(
              Path.of("versions"),
              VersionListing.answer(args).render(envelope, "text", streams::message));
      return ExitStatus.DONE;
    }
    TopoCommand top = new TopoCommand(streams, environment, graphs, args);
    return line(top, needed(args)).execute(args);
  }

  private static List<String> needed(String... args) {
    List<String> named = Arrays.stream(args).limit(1).filter(COMMANDS::contains).toList();
    return named.isEmpty() || OF_ALL.contains(named.get(0)) ? COMMANDS : named;
  }

  /** The command with all its subcommands, for what is generated from their options. */
  static CommandLine line() {
    TopoCommand top = new TopoCommand(Streams.ofProcess(Map.of()), Map.of(), GraphSearch::findAll);
    return line(top, COMMANDS);
  }

  private static CommandLine line(TopoCommand top, List<String> subcommands) {
    Streams streams = top.streams;
    CommandLine line = new CommandLine(top);
    subcommands.forEach(name -> line.addSubcommand(command(name)));
    CommandSpec spec = line.getCommandSpec();
    line.getSubcommands()
        .values()
        .forEach(sub -> sub.getCommandSpec().versionProvider(spec.versionProvider()));
    describeShared(line);
    followNcclTests(line);
    line.registerConverter(Path.class, Streams::file);
    line.setOut(utf8(streams.out()));
    line.setErr(plain(streams.err()));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExpandAtFiles(false);
    line.setHelpSectionKeys(List.of("page"));
    line.setHelpSectionMap(Map.of("page", page -> top.help(page.commandSpec())));
    line.setExecutionStrategy(top::run);
    line.setParameterExceptionHandler(TopoCommand::usageError);
    line.setExecutionExceptionHandler(
        (e, command, result) -> executionError(e, streams, top.debug));
    return line;
  }

  /**
   * The subcommand of a name. A command line that names one creates that one only: the classes and
   * options of all of them are a third of what a short command would load. The JVM would load them
   * as well to verify that they are of a common type.
   */
  private static Object command(String name) {
    return switch (name) {
      case "show" -> new ShowCommand();
      case "paths" -> new PathsCommand();
      case "search" -> new SearchCommand();
      case "connect" -> new ConnectCommand();
      case "tune" -> new TuneCommand();
      case "explain" -> new ExplainCommand();
      case "predict" -> new PredictCommand();
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

  /** What an option that commands share means to one of them. */
  private static void describe(CommandLine line, String command, String option, String words) {
    CommandLine subcommand = line.getSubcommands().get(command);
    if (subcommand == null) {
      return;
    }
    CommandSpec spec = subcommand.getCommandSpec();
    OptionSpec shared = spec.findOption(option);
    spec.remove(shared);
    spec.addOption(OptionSpec.builder(shared).description(words).build());
  }

  /**
   * Options as nccl-tests has them, in the command that takes its place: {@code -V} is not the
   * version, and numbers are those of C.
   */
  private static void followNcclTests(CommandLine line) {
    CommandLine run = line.getSubcommands().get("run");
    if (run == null) {
      return;
    }
    CommandSpec spec = run.getCommandSpec();
    rename(spec, "--version", "--version");
    rename(spec, "--device_cta_count", "-V", "--device_cta_count");
    run.registerConverter(int.class, CNumberOption::ofInt);
    run.registerConverter(Integer.class, CNumberOption::ofInt);
    run.registerConverter(long.class, CNumberOption::ofLong);
  }

  private static void rename(CommandSpec spec, String option, String... names) {
    OptionSpec found = spec.findOption(option);
    spec.remove(found);
    spec.addOption(OptionSpec.builder(found).names(names).build());
  }

  private int run(ParseResult parsed) {
    CommandLine command = parsed.asCommandLineList().get(parsed.asCommandLineList().size() - 1);
    String name = command.getCommandSpec().qualifiedName();
    try (Progress.Task whole = streams.progress().begin(name)) {
      InputGuard.check(command.getParseResult());
      if (command.getCommandSpec().userObject() instanceof Subcommand subcommand) {
        FileEnding.apply(command.getParseResult(), subcommand.fileEndings());
      }
      return new CommandLine.RunLast().execute(parsed);
    } catch (OutputException e) {
      // From what is not run like a command: this check, --help and --version.
      throw new ExecutionException(parsed.commandSpec().commandLine(), name, e);
    }
  }

  private static Map<String, List<String>> groups(String... groups) {
    Map<String, List<String>> byTitle = new LinkedHashMap<>();
    for (String group : groups) {
      String[] part = group.split(": ", 2);
      byTitle.put(part[0], List.of(part[1].split(" ")));
    }
    return byTitle;
  }

  /** Characters in a line of the help. */
  int helpWidth() {
    return Terminal.ofProcess(environment).columns(HELP_WIDTH);
  }

  private String help(CommandSpec spec) {
    int width = helpWidth();
    ParseResult parsed = spec.commandLine().getParseResult();
    return spec.parent() == null
        ? HelpPage.of(spec, GROUPS, width)
        : HelpPage.of(spec, parsed != null && parsed.originalArgs().contains(HelpPage.ALL), width);
  }

  /** What options that commands share mean to some of them. */
  private static void describeShared(CommandLine line) {
    describe(
        line,
        "whatif",
        "--sizes",
        "Bytes, as first:last:factor or a list (default: 64K,1M,64M,1G).");
    describe(line, "explain", "--sizes", "Bytes of the call that is explained (default: 64M).");
    describe(
        line,
        "explain",
        "--collective",
        "One of all_reduce, all_gather, reduce_scatter, broadcast, reduce, alltoall, sendrecv, gather, scatter"
            + " (default: all_reduce).");
    Map.of(
            "chart", "those of DATA",
            "report", "those measured, else all",
            "advise", "all, alltoall, sendrecv")
        .forEach(
            (command, usual) ->
                describe(
                    line,
                    command,
                    "--collective",
                    CollectiveOptions.NAMES + " (default: " + usual + ")."));
    describe(
        line,
        "predict",
        "--nodes",
        "Number of equal machines in the job (default: 1), or several: 1,2,4,8 or 1:1024:2.");
    describe(
        line,
        "upgrade",
        "--nodes",
        "Number of equal machines in the job (default: 1; for a fleet 2 if the node has network ports).");
  }

  private static PrintWriter utf8(OutputStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
  }

  private static PrintWriter plain(OutputStream stream) {
    Writer encoder = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
    return new PrintWriter(PlainText.writer(encoder), true);
  }

  private static int usageError(ParameterException fault, String... args) {
    ParameterException e = unknownOption(fault, args).orElse(fault);
    PrintWriter err = e.getCommandLine().getErr();
    err.println("topo: " + PlainText.oneLine(words(e)));
    if (!UnmatchedArgumentException.printSuggestions(e, err)) {
      err.println("topo: try '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
    }
    return ExitStatus.USAGE;
  }

  /** An option that does not exist is named before an argument that is missing: it may be why. */
  private static Optional<ParameterException> unknownOption(
      ParameterException fault, String... args) {
    CommandLine command = fault.getCommandLine();
    if (!(fault instanceof MissingParameterException)) {
      return Optional.empty();
    }
    return Arrays.stream(args)
        .takeWhile(arg -> !arg.equals("--"))
        .filter(arg -> arg.startsWith("--"))
        .filter(arg -> !command.getCommandSpec().optionsMap().containsKey(arg.split("=", 2)[0]))
        .findFirst()
        .map(arg -> new UnmatchedArgumentException(command, List.of(arg)));
  }

  private static String words(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched
        && !unmatched.isUnknownOption()
        && e.getCommandLine().getParent() == null) {
      return "there is no command '" + unmatched.getUnmatched().get(0) + "'";
    }
    return String.valueOf(e.getMessage());
  }

  private static int executionError(Exception e, Streams streams, boolean debug) {
    if (debug) {
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      streams.err().print(PlainText.lines(trace.toString()));
    }
    if (e instanceof NoFontException) {
      streams.message(e.getMessage() + ": --format svg needs no font");
      return ExitStatus.MISSING;
    }
    if (e instanceof UncheckedIOException unchecked) {
      return fileError(Objects.requireNonNull(unchecked.getCause()), streams);
    }
    if (e instanceof IOException fault) {
      return fileError(fault, streams);
    }
    int status = status(e);
    streams.message(
        status == ExitStatus.BUG
            ? "this is a bug: " + e + (debug ? "" : " (--debug shows more)")
            : OptionWords.messageOf(e));
    return status;
  }

  /** A file that cannot be read or written, where no command knows what it is for. */
  private static int fileError(IOException e, Streams streams) {
    if (e.getCause() instanceof IOException reason) {
      return fileError(reason, streams);
    }
    String file =
        e instanceof FileSystemException fault && fault.getFile() != null
            ? fault.getFile() + ": "
            : "";
    streams.message(file + "cannot be read or written (" + FileFault.words(e) + ")");
    return ExitStatus.USAGE;
  }

  private static int status(Exception e) {
    if (e instanceof TopologyFormatException || e instanceof UnusableTopologyException) {
      return ExitStatus.BAD_INPUT;
    }
    if (e instanceof SettingException || e instanceof OutputException) {
      return ExitStatus.USAGE;
    }
    if (e instanceof RunFailure failure) {
      return RunCommand.status(failure.reason());
    }
    return e instanceof NothingFoundException ? ExitStatus.NO : ExitStatus.BUG;
  }

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(),
        "Missing command: "
            + String.join(", ", COMMANDS.subList(0, COMMANDS.size() - 1))
            + " or "
            + COMMANDS.get(COMMANDS.size() - 1));
  }
}
