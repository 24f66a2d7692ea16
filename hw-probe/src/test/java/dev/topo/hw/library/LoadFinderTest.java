package dev.topo.hw.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.ElfFile;
import dev.topo.hw.fixture.MachineFolder;
import dev.topo.hw.library.LibrarySearch.LoaderVariables;
import dev.topo.hw.sysfs.FileTree;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which NCCL programs and Python environments would have, on made machines. */
class LoadFinderTest {
  private static final String SITE = "/venv/lib/python3.12/site-packages";
  private static final String SYSTEM = "/usr/lib/x86_64-linux-gnu/libnccl.so.2.27.3";

  @TempDir private Path folder;
  private MachineFolder machine = new MachineFolder(Path.of("/nowhere"));

  @BeforeEach
  void make() {
    machine =
        new MachineFolder(folder)
            .elf(SYSTEM, ElfFile.nccl("2.27.3+cuda12.9"))
            .link("/usr/lib/x86_64-linux-gnu/libnccl.so.2", "libnccl.so.2.27.3")
            .cached("/usr/lib/x86_64-linux-gnu/libnccl.so.2")
            .elf("/usr/bin/python3.12", ElfFile.program())
            .text("/venv/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\n")
            .link("/venv/bin/python3", "/usr/bin/python3.12")
            .directory(SITE);
  }

  private void wheel() {
    machine
        .elf(SITE + "/nvidia/nccl/lib/libnccl.so.2", ElfFile.nccl("2.28.9+cuda13.0", "ncclNew"))
        .text(SITE + "/nvidia_nccl_cu13-2.28.9.dist-info/METADATA", "Version: 2.28.9\n");
  }

  private void torch(ElfFile cudaLibrary) {
    machine
        .text(
            SITE + "/torch/version.py",
            "__version__ = '2.9.0+cu130'\ncuda: Optional[str] = '13.0'\n")
        .elf(
            SITE + "/torch/_C.cpython-312-x86_64-linux-gnu.so",
            ElfFile.library("_C.so").runpath("$ORIGIN/lib").needs("libtorch_python.so"))
        .elf(
            SITE + "/torch/lib/libtorch_python.so",
            ElfFile.library("libtorch_python.so").runpath("$ORIGIN").needs("libtorch_cuda.so"))
        .elf(SITE + "/torch/lib/libtorch_cuda.so", cudaLibrary);
  }

  private static ElfFile wheelTorch() {
    return ElfFile.library("libtorch_cuda.so")
        .rpath("$ORIGIN/../../nvidia/nccl/lib:$ORIGIN")
        .needs("libnccl.so.2")
        .expects("ncclAllReduce", "ncclNew");
  }

  private LoadFinder finder(Map<String, String> environment) {
    return new LoadFinder(
        LibrarySearch.on(
            new FileTree(folder, new Inputs()),
            LoaderVariables.of(environment),
            ElfMachine.X86_64));
  }

  private NcclLoad python(Map<String, String> environment) {
    PythonEnvironment python =
        new PythonEnvironmentFinder(new FileTree(folder, new Inputs()), environment, "/root")
            .find("/venv");
    return finder(environment).ofPython(python);
  }

  @Test
  void aWheelOfTorchTakesTheNcclOfItsOwnWheelWhateverTheEnvironmentSays() {
    wheel();
    torch(wheelTorch());
    NcclLoad load = python(Map.of("LD_LIBRARY_PATH", "/usr/lib/x86_64-linux-gnu"));
    assertEquals(NcclLoad.Link.NEEDED, load.link());
    assertEquals(
        "2.28.9+cuda13.0", load.library().orElseThrow().version().orElseThrow().toString());
    assertEquals(
        "DT_RPATH of "
            + SITE
            + "/torch/lib/libtorch_cuda.so, needed by python3 >"
            + " _C.cpython-312-x86_64-linux-gnu.so > libtorch_python.so > libtorch_cuda.so",
        load.why());
    assertEquals("PyTorch 2.9.0+cu130, CUDA 13.0 in " + SITE + "/torch", load.about());
    assertEquals(List.of(SYSTEM), load.passedOver().stream().map(c -> c.hit().realPath()).toList());
    assertEquals(List.of(), load.missingSymbols());
  }

  @Test
  void theNewerListOfFoldersLosesToTheEnvironmentAndAFunctionIsMissing() {
    wheel();
    torch(
        ElfFile.library("libtorch_cuda.so")
            .runpath("$ORIGIN/../../nvidia/nccl/lib")
            .needs("libnccl.so.2")
            .expects("ncclAllReduce", "ncclNew"));
    NcclLoad load = python(Map.of("LD_LIBRARY_PATH", "/usr/lib/x86_64-linux-gnu"));
    assertEquals(SYSTEM, load.library().orElseThrow().path());
    assertTrue(load.why().startsWith("LD_LIBRARY_PATH, needed by "), load.why());
    assertEquals(List.of("ncclNew"), load.missingSymbols());
  }

  @Test
  void aTorchWithNcclBuiltInLooksForNone() {
    torch(ElfFile.library("libtorch_cuda.so").constant("NCCL version 2.21.5+cuda12.4"));
    NcclLoad load = python(Map.of());
    assertEquals(NcclLoad.Link.BUILT_IN, load.link());
    assertEquals(SITE + "/torch/lib/libtorch_cuda.so", load.library().orElseThrow().path());
    assertEquals(NcclLibrary.Kind.BUILT_IN, load.library().orElseThrow().kind());
  }

  @Test
  void aTorchWithoutItsOwnTakesThatOfTheSystem() {
    torch(ElfFile.library("libtorch_cuda.so").needs("libnccl.so.2"));
    NcclLoad load = python(Map.of());
    assertEquals(SYSTEM, load.library().orElseThrow().path());
    assertTrue(load.why().startsWith("/etc/ld.so.cache, needed by "), load.why());
  }

  @Test
  void aCondaEnvironmentIsFoundThroughTheOlderListOfItsInterpreter() {
    machine
        .elf("/conda/bin/python3.12", ElfFile.program().rpath("$ORIGIN/../lib"))
        .link("/conda/bin/python3", "python3.12")
        .elf("/conda/lib/libnccl.so.2", ElfFile.nccl("2.26.2+cuda12.8"))
        .elf(
            "/conda/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so",
            ElfFile.library("libtorch_cuda.so").needs("libnccl.so.2"));
    PythonEnvironment conda =
        new PythonEnvironmentFinder(new FileTree(folder, new Inputs()), Map.of(), "/root")
            .find("/conda");
    NcclLoad load = finder(Map.of()).ofPython(conda);
    assertEquals("/conda/lib/libnccl.so.2", load.library().orElseThrow().path());
    assertEquals(
        "DT_RPATH of /conda/bin/python3, needed by python3 > libtorch_cuda.so", load.why());
  }

  @Test
  void aProgramThatNeedsNcclOrHasItBuiltInOrNeither() {
    machine
        .elf("/app/dynamic", ElfFile.program().needs("libnccl.so.2"))
        .elf("/app/static", ElfFile.program().constant("NCCL version 2.28.9+cuda13.0"))
        .elf("/app/other", ElfFile.program())
        .text("/app/script", "#!/bin/sh\n");
    assertEquals(SYSTEM, finder(Map.of()).ofProgram("/app/dynamic").library().orElseThrow().path());
    assertEquals(NcclLoad.Link.BUILT_IN, finder(Map.of()).ofProgram("/app/static").link());
    assertEquals(NcclLoad.Link.OPENED, finder(Map.of()).ofProgram("/app/other").link());
    LoadFinder finder = finder(Map.of());
    assertThrows(ElfFormatException.class, () -> finder.ofProgram("/app/script"));
    assertThrows(ElfFormatException.class, () -> finder.ofProgram("/app/none"));
  }

  @Test
  void findsEveryLibraryOnceWithAllPlaces() {
    wheel();
    torch(ElfFile.library("libtorch_cuda.so").constant("NCCL version 2.21.5+cuda12.4"));
    machine.elf("/usr/local/cuda-13.0/lib64/libnccl.so.2.28.1", ElfFile.library("libnccl.so.2"));
    machine.text("/usr/local/lib/libnccl.so", "INPUT(libnccl.so.2)");
    FileTree files = new FileTree(folder, new Inputs());
    Map<String, String> environment = Map.of("LD_LIBRARY_PATH", "/usr/lib/x86_64-linux-gnu");
    PythonEnvironment python =
        new PythonEnvironmentFinder(files, environment, "/root").find("/venv/bin/python3");
    List<NcclLibrary> found =
        new NcclLibraryFinder(files)
            .find(
                NcclLibraryFinder.places(
                    LibrarySearch.on(files, LoaderVariables.of(environment), ElfMachine.X86_64),
                    environment,
                    List.of(python)));
    assertEquals(
        List.of(
            SYSTEM + " 2.27.3+cuda12.9 [LD_LIBRARY_PATH, /etc/ld.so.cache, system]",
            "/usr/local/lib/libnccl.so ? [/usr/local]",
            "/usr/local/cuda-13.0/lib64/libnccl.so.2.28.1 2.28.1 [CUDA toolkit]",
            SITE + "/nvidia/nccl/lib/libnccl.so.2 2.28.9+cuda13.0 [wheel nvidia-nccl-cu13 2.28.9]",
            SITE + "/torch/lib/libtorch_cuda.so 2.21.5+cuda12.4 [PyTorch]"),
        found.stream()
            .map(
                library ->
                    library.path()
                        + " "
                        + library.version().map(NcclVersion::toString).orElse("?")
                        + " "
                        + library.foundIn())
            .toList());
  }

  @Test
  void aFolderWithoutPythonIsNoEnvironment() {
    PythonEnvironmentFinder finder =
        new PythonEnvironmentFinder(
            new FileTree(folder, new Inputs()), Map.of("PATH", "/venv/bin"), "/root");
    assertThrows(PythonEnvironmentException.class, () -> finder.find("/usr"));
    assertThrows(PythonEnvironmentException.class, () -> finder.find("/none"));
    assertEquals(List.of(SITE), finder.find(SITE).sitePackages());
    assertEquals("/venv/bin/python3", finder.ofProcess().orElseThrow().name());
  }
}
