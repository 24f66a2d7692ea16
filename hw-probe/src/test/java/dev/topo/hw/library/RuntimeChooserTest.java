package dev.topo.hw.library;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.hw.fixture.ElfFile;
import dev.topo.hw.fixture.MachineFolder;
import dev.topo.hw.library.LibrarySearch.LoaderVariables;
import dev.topo.hw.sysfs.FileTree;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeChooserTest {
  private static final String SITE = "/venv/lib/python3.12/site-packages";
  private static final String SYSTEM = "/usr/lib/x86_64-linux-gnu";

  @TempDir private Path folder;

  private MachineFolder withWheels() {
    return new MachineFolder(folder)
        .elf("/usr/bin/python3.12", ElfFile.program())
        .text("/venv/pyvenv.cfg", "home = /usr/bin\n")
        .link("/venv/bin/python3", "/usr/bin/python3.12")
        .elf(SITE + "/nvidia/nccl/lib/libnccl.so.2", ElfFile.nccl("2.28.9+cuda13.0"))
        .elf(SITE + "/nvidia/cu13/lib/libcudart.so.13", ElfFile.library("libcudart.so.13"));
  }

  private RuntimeChooser chooser(Map<String, String> environment) {
    return new RuntimeChooser(
        LibrarySearch.on(
            new FileTree(folder, new Inputs()), LoaderVariables.of(environment), ElfMachine.X86_64),
        environment,
        "/root");
  }

  @Test
  void whatTheLoaderTakesComesFirst() {
    withWheels()
        .elf(SYSTEM + "/libnccl.so.2", ElfFile.nccl("2.27.3+cuda12.9"))
        .cached(SYSTEM + "/libnccl.so.2");
    assertEquals(
        List.of(SYSTEM, SITE + "/nvidia/cu13/lib"),
        chooser(Map.of("VIRTUAL_ENV", "/venv")).folders());
  }

  @Test
  void wheelsAreUsedWhereTheLoaderHasNothing() {
    withWheels();
    assertEquals(
        List.of(SITE + "/nvidia/nccl/lib", SITE + "/nvidia/cu13/lib"),
        chooser(Map.of("VIRTUAL_ENV", "/venv")).folders());
  }

  @Test
  void theEnvironmentWinsOverTheSystem() {
    withWheels()
        .elf(SYSTEM + "/libnccl.so.2", ElfFile.nccl("2.27.3+cuda12.9"))
        .cached(SYSTEM + "/libnccl.so.2")
        .elf("/opt/nccl/lib/libnccl.so.2", ElfFile.nccl("2.29.2+cuda13.1"));
    assertEquals(
        Optional.of("/opt/nccl/lib"),
        chooser(Map.of("LD_LIBRARY_PATH", "/opt/nccl/lib")).ncclFolder());
  }

  @Test
  void aMachineWithoutBothHasNone() {
    new MachineFolder(folder).directory("/usr/lib");
    assertEquals(List.of(), chooser(Map.of()).folders());
  }
}
