package dev.topo.cli.option;

import dev.topo.cli.terminal.Progress;
import dev.topo.cli.terminal.Streams;
import dev.topo.hw.javacpp.WorkerMain;
import dev.topo.hw.library.ElfMachine;
import dev.topo.hw.library.LibrarySearch;
import dev.topo.hw.library.LibrarySearch.LoaderVariables;
import dev.topo.hw.library.LoadFinder;
import dev.topo.hw.library.RuntimeChooser;
import dev.topo.hw.run.HostAddress;
import dev.topo.hw.run.LaunchedProcess;
import dev.topo.hw.run.LauncherReader;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.WorkerCommand;
import dev.topo.hw.sysfs.FileTree;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.RankSplit;
import dev.topo.model.job.SettingException;
import java.io.IOException;
import java.net.ServerSocket;
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

/** How NCCL is run: which library, and as which process of a job. */
public final class LaunchOptions {
  private static final String MEETING_POINT = "NCCL_COMM_ID";
  private static final String HOST_ID = "NCCL_HOSTID";

  /** The settings that name a file which NCCL reads. */
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
   * The placement of this process by its launcher. Sets the address where processes meet in {@code
   * variables}.
   */
  public ProcessPlacement placement(Map<String, String> variables, Optional<RankSplit> split) {
    Optional<Integer> firstDevice =
        Optional.ofNullable(variables.get("NCCL_TESTS_DEVICE")).map(ThisProcess::deviceNumber);
    String host = variables.getOrDefault(HOST_ID, ThisProcess.hostName());
    Optional<LaunchedProcess> launched = LauncherReader.read(variables, HostAddress.find());
    if (launched.isEmpty()) {
      variables.remove(MEETING_POINT); // a single process would wait for others there
    }
    LaunchedProcess process = launched.orElse(new LaunchedProcess(0, 1, 0, Optional.empty()));
    process.meetingPoint().ifPresent(point -> variables.put(MEETING_POINT, point));
    return new ProcessPlacement(
        process.index(), process.size(), process.localIndex(), host, "", firstDevice, split);
  }

  /**
   * The placements of processes that are all on this host, one for each rank. Sets the address
   * where they meet in {@code variables}.
   *
   * @param alone that of the only process so far
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

  /** The files that NCCL will read count as opened, so that no output replaces one. */
  public static void addFiles(Map<String, String> variables, Inputs inputs) throws IOException {
    for (String name : FILES) {
      if (variables.containsKey(name)) {
        inputs.add(Path.of(variables.get(name)));
      }
    }
  }

  /** Begins to show the progress of a run, unless several processes would write to one line. */
  public static Progress.Task begin(Streams streams, ProcessPlacement placement) {
    if (placement.size() > 1) {
      streams.progress().mute();
    }
    return streams.progress().begin("");
  }

  /**
   * How the process is started that loads NCCL.
   *
   * @param inputs takes what is read to find the library
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

  /** The loader looks for the library by its name, so that it must be there under it. */
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
