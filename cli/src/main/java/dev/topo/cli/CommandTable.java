package dev.topo.cli;

import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.NetworkList;
import dev.topo.visualizer.view.VersionList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The subcommands of topo. */
final class CommandTable {
  /** The names of the subcommands by purpose, in the order of the help. */
  static final Map<String, List<String>> GROUPS =
      groups(
          "A machine: machines show paths draw diff serve",
          "What NCCL does on it: search connect tune explain upgrade",
          "How fast it is: predict place memory whatif sweep advise chart report",
          "Measurements: check diagnose workload calibrate",
          "Topology files: lint guest import",
          "On a GPU host: probe doctor run verify",
          "Help: help completion");

  /** All names. */
  static final List<String> NAMES = GROUPS.values().stream().flatMap(List::stream).toList();

  /** Commands that need all other commands to be created. */
  private static final List<String> NEED_ALL = List.of("help", "completion");

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
    return named.isEmpty() || NEED_ALL.contains(named.get(0)) ? NAMES : named;
  }

  /** The names of the subcommands, to complete the argument of {@code topo help}. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return NAMES.iterator();
    }
  }

  /**
   * Creates the subcommand with a name. A command line that names one creates only that one: the
   * classes and options of all subcommands would be a third of what a short command loads. The
   * return type is Object because the verifier of the JVM would otherwise load all classes to check
   * their common supertype.
   */
  static Object create(String name) {
    return switch (name) {
      case "serve" -> new ServeCommand();
      case "machines" -> new MachinesCommand();
      case "show" -> new ShowCommand();
      case "paths" -> new PathsCommand();
      case "search" -> new SearchCommand();
      case "connect" -> new ConnectCommand();
      case "tune" -> new TuneCommand();
      case "explain" -> new ExplainCommand();
      case "predict" -> new PredictCommand();
      case "place" -> new PlaceCommand();
      case "memory" -> new MemoryCommand();
      case "advise" -> new AdviseCommand();
      case "check" -> new CheckCommand();
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

  /** The lists {@code --nccl list} and {@code --network list}, which every command offers. */
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

    /** The list that a command line asks for, whatever its other arguments. */
    static Optional<Listing> wanted(String... args) {
      return Arrays.stream(values())
          .filter(listing -> listing.isWanted(Arrays.asList(args)))
          .findFirst();
    }

    private boolean isWanted(List<String> words) {
      return words.contains(option + "=list")
          || (words.contains(option)
              && words.indexOf(option) + 1 < words.size()
              && words.get(words.indexOf(option) + 1).equals("list"));
    }

    /** The list as JSON if the command line asks for it, else as text. */
    Answer answer(String... args) {
      String line = String.join(" ", args);
      return line.contains("--format json") || line.contains("--format=json")
          ? json.get()
          : text.get();
    }
  }
}
