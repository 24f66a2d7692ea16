package dev.topo.hw.probe;

import dev.topo.hw.library.ElfMachine;
import dev.topo.hw.library.LibrarySearch;
import dev.topo.hw.library.LibrarySearch.LoaderVariables;
import dev.topo.hw.library.LoadFinder;
import dev.topo.hw.library.LoadedObject;
import dev.topo.hw.library.NcclLibrary;
import dev.topo.hw.library.NcclLibraryFinder;
import dev.topo.hw.library.NcclLoad;
import dev.topo.hw.library.PluginFinder;
import dev.topo.hw.library.PythonEnvironment;
import dev.topo.hw.library.PythonEnvironmentFinder;
import dev.topo.hw.library.SettingSources;
import dev.topo.hw.sysfs.FileTree;
import dev.topo.model.io.Diagnostic;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks everything on a machine that determines whether and how NCCL runs. Loads no library except
 * NVIDIA's management library, through the probe, and starts no program.
 */
public record Doctor(FileTree files, MachineProbe probe, ElfMachine machine) {
  /**
   * Doctor for this machine.
   *
   * @param inputs records the files it reads
   */
  public static Doctor ofThisMachine(Inputs inputs) {
    return new Doctor(
        FileTree.ofThisMachine(inputs),
        MachineProbe.ofThisMachine(inputs),
        ElfMachine.ofArchitecture(System.getProperty("os.arch", "")));
  }

  /**
   * Doctor for the machine whose files are in a folder: a container image, or a capture for {@link
   * MachineProbe#ofCapture} with libraries beside it.
   *
   * @param inputs records the files it reads
   * @throws IllegalArgumentException if the recorded NVML data is malformed
   */
  public static Doctor ofFolder(Path folder, Inputs inputs) {
    FileTree files = new FileTree(folder, inputs);
    return new Doctor(files, MachineProbe.ofCapture(folder, inputs), machine(files));
  }

  /** Processor of the machine, from the name of glibc's loader, which every program refers to. */
  private static ElfMachine machine(FileTree files) {
    if (files.isFile("/lib64/ld-linux-x86-64.so.2")) {
      return ElfMachine.X86_64;
    }
    return files.isFile("/lib/ld-linux-aarch64.so.1")
        ? ElfMachine.AARCH64
        : ElfMachine.ofArchitecture(System.getProperty("os.arch", ""));
  }

  /**
   * Examines the machine.
   *
   * @throws dev.topo.hw.library.ElfFormatException if a requested program is missing or not an ELF
   *     file
   * @throws dev.topo.hw.library.PythonEnvironmentException if a requested path is not a Python
   *     environment
   */
  public DoctorReport examine(DoctorRequest question) {
    LibrarySearch search =
        LibrarySearch.on(files, LoaderVariables.of(question.environment()), machine);
    PythonEnvironmentFinder finder =
        new PythonEnvironmentFinder(files, question.environment(), question.home());
    List<PythonEnvironment> pythons =
        new ArrayList<>(question.pythons().stream().map(finder::find).toList());
    boolean isRequested = !question.programs().isEmpty() || !pythons.isEmpty();
    if (!isRequested) {
      finder.ofProcess().ifPresent(pythons::add);
    }
    List<NcclLoad> loads = loads(new LoadFinder(search), question, pythons, isRequested);
    SettingSources settings = SettingSources.read(files, question.environment(), question.home());
    Optional<LoadedObject> nccl =
        loads.stream().flatMap(load -> load.object().stream()).findFirst();
    ProbeResult probed = probe(settings);
    boolean hasDevices = files.isDirectory("/sys/class");
    return new DoctorReport(
        question.nccl(),
        DriverFacts.read(search, probed.observation()),
        libraries(search, question, pythons, loads),
        loads,
        new PluginFinder(search, nccl, settings.effective(), question.nccl()).find(),
        settings,
        hasDevices ? Optional.of(Hardware.of(probed, files)) : Optional.empty(),
        remarks(settings, hasDevices ? probed.diagnostics() : List.of()),
        HostFacts.read(files));
  }

  private List<NcclLoad> loads(
      LoadFinder finder,
      DoctorRequest question,
      List<PythonEnvironment> pythons,
      boolean isRequested) {
    List<NcclLoad> loads = new ArrayList<>();
    question.programs().forEach(program -> loads.add(finder.ofProgram(program)));
    for (PythonEnvironment python : pythons) {
      if (isRequested || python.torch(files).isPresent()) {
        loads.add(finder.ofPython(python));
      }
    }
    if (!isRequested) {
      loads.add(finder.ofAnyProgram());
    }
    return loads;
  }

  /** Libraries in the usual places, and those found only through the search folders of a file. */
  private List<NcclLibrary> libraries(
      LibrarySearch search,
      DoctorRequest question,
      List<PythonEnvironment> pythons,
      List<NcclLoad> loads) {
    List<NcclLibrary> libraries =
        new ArrayList<>(
            new NcclLibraryFinder(files)
                .find(NcclLibraryFinder.places(search, question.environment(), pythons)));
    for (NcclLoad load : loads) {
      load.library().ifPresent(library -> addNew(libraries, library));
      load.passedOver().forEach(candidate -> addNew(libraries, candidate.library()));
    }
    return libraries;
  }

  private static void addNew(List<NcclLibrary> libraries, NcclLibrary library) {
    if (libraries.stream().noneMatch(known -> known.path().equals(library.path()))) {
      libraries.add(library);
    }
  }

  private List<Diagnostic> remarks(SettingSources settings, List<Diagnostic> ofProbe) {
    Diagnostics remarks = new Diagnostics();
    inputFile(settings, remarks, "NCCL_GRAPH_FILE", "no-graph-file", "NCCL fails");
    String detected = "NCCL uses what it detects itself";
    inputFile(settings, remarks, "NCCL_TOPO_FILE", "no-topology-file", detected);
    return Stream.concat(remarks.list().stream(), ofProbe.stream()).toList();
  }

  private void inputFile(
      SettingSources settings, Diagnostics remarks, String name, String code, String effect) {
    Optional<String> path = settings.forModel().text(name);
    if (path.isPresent() && !files.isFile(FileTree.normal(path.get()))) {
      remarks.warn(code, SourceLocation.of(name), path.get() + " does not exist: " + effect);
    }
  }

  private ProbeResult probe(SettingSources settings) {
    ProbeOptions options = ProbeOptions.DEFAULTS.withSettings(settings.forModel());
    String visible = settings.effective().get("CUDA_VISIBLE_DEVICES");
    return probe.run(visible == null ? options : options.withVisibleDevices(visible));
  }
}
