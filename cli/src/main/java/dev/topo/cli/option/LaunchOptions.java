package dev.topo.cli.option;

import dev.topo.cli.terminal.CommandContext;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.cli.terminal.Streams;
import dev.topo.hw.javacpp.WorkerMain;
import dev.topo.hw.library.ElfMachine;
import dev.topo.hw.library.LibrarySearch;
import dev.topo.hw.library.LibrarySearch.LoaderVariables;
import dev.topo.hw.library.LoadFinder;
import dev.topo.hw.library.RuntimeChooser;
import dev.topo.hw.run.CompletedRun;
import dev.topo.hw.run.HostAddress;
import dev.topo.hw.run.LaunchedProcess;
import dev.topo.hw.run.LauncherReader;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.RunFailure;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.WorkerCommand;
import dev.topo.hw.run.WorkerTeam;
import dev.topo.hw.sysfs.FileTree;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.RankSplit;
import dev.topo.model.job.SettingException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for running NCCL: the library to load, and the placement of processes in a job. */
public final class LaunchOptions {
  private static final String MEETING_POINT = "NCCL_COMM_ID";
  private static final String HOST_ID = "NCCL_HOSTID";

  /** Environment variables that name a file which NCCL reads. */
  private static final List<String> FILES =
      List.of("NCCL_TOPO_FILE", "NCCL_GRAPH_FILE", "NCCL_CONF_FILE", "NCCL_TUNER_CONFIG_FILE");

  @Option(
      names = "--nccl-library",
      paramLabel = "FILE",
      description = {
        "The " + LoadFinder.SONAME + " to use, or its folder (topo doctor lists them; default:",
        "the one a program would load, else that of the Python environment)."
      })
  private @Nullable Path library;

  /**
   * The placement of this process in the job, as its launcher states it. Sets the address where the
   * processes meet in {@code variables}.
   *
   * @throws SettingException if NCCL_TESTS_DEVICE is not a number
   */
  public ProcessPlacement placement(Map<String, String> variables, Optional<RankSplit> split) {
    Optional<Integer> firstDevice =
        Optional.ofNullable(variables.get("NCCL_TESTS_DEVICE")).map(LaunchOptions::deviceNumber);
    String host = variables.getOrDefault(HOST_ID, hostName());
    Optional<LaunchedProcess> launched = LauncherReader.read(variables, HostAddress.find());
    if (launched.isEmpty()) {
      variables.remove(MEETING_POINT); // a single process would wait there for others
    }
    LaunchedProcess process = launched.orElse(new LaunchedProcess(0, 1, 0, Optional.empty()));
    process.meetingPoint().ifPresent(point -> variables.put(MEETING_POINT, point));
    return new ProcessPlacement(
        process.index(), process.size(), process.localIndex(), host, "", firstDevice, split);
  }

  private static int deviceNumber(String text) {
    try {
      return Integer.parseUnsignedInt(text);
    } catch (NumberFormatException e) {
      throw new SettingException(
          "NCCL_TESTS_DEVICE=" + text + ": expected a CUDA device number", e);
    }
  }

  /** The name of this host; {@code localhost} if it has none. */
  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /**
   * The placements of one process per rank, all of them on this host. Sets the address where they
   * meet in {@code variables}.
   *
   * @param alone the placement of this process, the only one so far
   */
  public static List<ProcessPlacement> onThisHost(
      Map<String, String> variables, ProcessPlacement alone, int nRanks) throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      variables.put(MEETING_POINT, HostAddress.find() + ":" + free.getLocalPort());
    }
    return IntStream.range(0, nRanks)
        .mapToObj(
            rank ->
                new ProcessPlacement(
                    rank,
                    nRanks,
                    rank,
                    alone.host(),
                    alone.announcement(),
                    alone.firstDevice().map(first -> first + rank),
                    Optional.empty()))
        .toList();
  }

  /** Records the files that NCCL will read as inputs, so that no output overwrites one. */
  public static void addFiles(Map<String, String> variables, Inputs inputs) throws IOException {
    for (String name : FILES) {
      if (variables.containsKey(name)) {
        inputs.add(Path.of(variables.get(name)));
      }
    }
  }

  /**
   * Begins to show the progress of a run. Shows none if there are several processes, which may
   * share a terminal.
   */
  public static Task begin(Streams streams, ProcessPlacement placement) {
    if (placement.size() > 1) {
      streams.progress().mute();
    }
    return streams.progress().begin("");
  }

  /**
   * Runs the processes of a job until they end, and shows their progress.
   *
   * @throws RunFailure if NCCL cannot run
   */
  public CompletedRun run(
      Map<String, String> variables,
      List<ProcessPlacement> placements,
      RunRequest request,
      CommandContext context) {
    try (Task task = begin(context.streams(), placements.get(0))) {
      WorkerTeam team = new WorkerTeam(command(variables, context.inputs()), request, placements);
      return CompletedRun.of(
          events -> team.run(events, context.streams()::log), step -> task.detail(() -> step));
    }
  }

  /**
   * The command that starts the process which loads NCCL.
   *
   * @param inputs records the files that are read to find the library
   */
  public WorkerCommand command(Map<String, String> variables, Inputs inputs) {
    Set<Path> folders = new LinkedHashSet<>();
    if (library != null) {
      folders.add(folder(library));
    }
    LibrarySearch search =
        LibrarySearch.on(
            FileTree.ofThisMachine(inputs),
            LoaderVariables.of(variables),
            ElfMachine.ofArchitecture(System.getProperty("os.arch", "")));
    RuntimeChooser chooser =
        new RuntimeChooser(search, variables, System.getProperty("user.home", "/"));
    chooser.folders().forEach(folder -> folders.add(Path.of(folder)));
    return WorkerCommand.ofThisProcess(WorkerMain.class, variables, List.copyOf(folders));
  }

  /**
   * The folder of the library. The loader searches by name, so the folder must contain the library
   * under its standard name.
   */
  private static Path folder(Path path) {
    Path file = Files.isDirectory(path) ? path.resolve(LoadFinder.SONAME) : path;
    Path folder = file.toAbsolutePath().normalize().getParent();
    if (folder == null || !Files.exists(folder.resolve(LoadFinder.SONAME))) {
      throw new SettingException(
          "--nccl-library " + path + ": expected " + LoadFinder.SONAME + " or a folder with it");
    }
    return folder;
  }
}
