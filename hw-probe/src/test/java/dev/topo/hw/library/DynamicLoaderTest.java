package dev.topo.hw.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.ElfFile;
import dev.topo.hw.fixture.MachineFolder;
import dev.topo.hw.library.DynamicLoader.MissingLibrary;
import dev.topo.hw.library.LibrarySearch.LoaderVariables;
import dev.topo.hw.sysfs.FileTree;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order of {@code ld.so(8)}, rule by rule. */
class DynamicLoaderTest {
  @TempDir private Path folder;
  private MachineFolder machine = new MachineFolder(Path.of("/nowhere"));

  @BeforeEach
  void make() {
    machine = new MachineFolder(folder);
    for (String place : List.of("/rpath", "/env", "/runpath", "/cached", "/usr/lib", "/app/lib")) {
      machine.elf(place + "/libx.so.1", ElfFile.library("libx.so.1"));
    }
    machine.cached("/cached/libx.so.1");
  }

  private DynamicLoader loader(Map<String, String> environment) {
    return new DynamicLoader(
        LibrarySearch.on(
            new FileTree(folder, new Inputs()),
            LoaderVariables.of(environment),
            ElfMachine.X86_64));
  }

  private LoadedObject found(ElfFile program, Map<String, String> environment) {
    machine.elf("/app/bin/run", program.needs("libx.so.1"));
    DynamicLoader loader = loader(environment);
    loader.start("/app/bin/run");
    return loader.named("libx.so.1").orElseThrow();
  }

  private static final Map<String, String> ENV = Map.of("LD_LIBRARY_PATH", "/none:/env");

  @Test
  void theOlderListOfFoldersComesBeforeTheEnvironment() {
    LoadedObject found = found(ElfFile.program().rpath("/rpath"), ENV);
    assertEquals("/rpath/libx.so.1", found.path());
    assertEquals("DT_RPATH of /app/bin/run", found.hit().step().toString());
    assertEquals(
        List.of("/env/libx.so.1", "/cached/libx.so.1", "/usr/lib/libx.so.1"),
        found.passedOver().stream().map(LibraryHit::path).toList());
  }

  @Test
  void theNewerListComesAfterTheEnvironmentAndMakesTheOlderVoid() {
    ElfFile both = ElfFile.program().rpath("/rpath").runpath("/runpath");
    assertEquals("/env/libx.so.1", found(both, ENV).path());
    LoadedObject found = found(ElfFile.program().rpath("/rpath").runpath("/runpath"), Map.of());
    assertEquals("/runpath/libx.so.1", found.path());
    assertEquals("DT_RUNPATH of /app/bin/run", found.hit().step().toString());
  }

  @Test
  void thenComeTheCacheAndTheDefaultFolders() {
    assertEquals("/cached/libx.so.1", found(ElfFile.program(), Map.of()).path());
    machine.bytes("/etc/ld.so.cache", new byte[0]);
    LoadedObject found = found(ElfFile.program(), Map.of());
    assertEquals("/usr/lib/libx.so.1", found.path());
    assertEquals("default folders", found.hit().step().toString());
  }

  @Test
  void originIsTheFolderOfTheProgramBehindItsLinks() {
    machine.link("/usr/bin/run", "/app/bin/run");
    machine.elf("/app/bin/run", ElfFile.program().rpath("$ORIGIN/../lib").needs("libx.so.1"));
    DynamicLoader loader = loader(Map.of());
    loader.start("/usr/bin/run");
    assertEquals("/app/lib/libx.so.1", loader.named("libx.so.1").orElseThrow().path());
  }

  @Test
  void theOlderListOfAProgramHoldsForWhatItsLibrariesNeedTheNewerDoesNot() {
    machine.elf("/usr/lib/liby.so", ElfFile.library("liby.so").needs("libx.so.1"));
    machine.elf("/app/bin/old", ElfFile.program().rpath("/rpath").needs("liby.so"));
    machine.elf("/app/bin/new", ElfFile.program().runpath("/runpath").needs("liby.so"));
    DynamicLoader old = loader(Map.of());
    old.start("/app/bin/old");
    assertEquals("/rpath/libx.so.1", old.named("libx.so.1").orElseThrow().path());
    DynamicLoader newer = loader(Map.of());
    newer.start("/app/bin/new");
    LoadedObject found = newer.named("libx.so.1").orElseThrow();
    assertEquals("/cached/libx.so.1", found.path());
    assertEquals(List.of("new", "liby.so", "libx.so.1"), found.chain());
  }

  @Test
  void whatIsPreloadedCountsForAllWhoNeedItsName() {
    LoadedObject found =
        found(ElfFile.program().rpath("/rpath"), Map.of("LD_PRELOAD", "/runpath/libx.so.1"));
    assertEquals("/runpath/libx.so.1", found.path());
    assertEquals("LD_PRELOAD", found.hit().step().toString());
  }

  @Test
  void aNameThatIsLoadedIsNotLookedForAgain() {
    machine.elf(
        "/usr/lib/libfirst.so",
        ElfFile.library("libfirst.so").runpath("/runpath").needs("libx.so.1"));
    machine.elf("/app/bin/run", ElfFile.program().needs("libfirst.so"));
    DynamicLoader loader = loader(Map.of());
    loader.start("/app/bin/run");
    machine.elf("/usr/lib/late.so", ElfFile.library("late.so").rpath("/rpath").needs("libx.so.1"));
    loader.open("/usr/lib/late.so", Optional.empty());
    assertEquals("/runpath/libx.so.1", loader.named("libx.so.1").orElseThrow().path());
  }

  @Test
  void filesForOtherProcessorsArePassedOver() {
    machine.elf("/env/libx.so.1", ElfFile.library("libx.so.1").machine(183));
    assertEquals("/cached/libx.so.1", found(ElfFile.program(), ENV).path());
  }

  @Test
  void aTextInPlaceOfALibraryEndsTheSearch() {
    machine.text("/env/libx.so.1", "INPUT(libx.so)\n");
    machine.elf("/app/bin/run", ElfFile.program().needs("libx.so.1"));
    DynamicLoader loader = loader(ENV);
    loader.start("/app/bin/run");
    assertTrue(loader.named("libx.so.1").isEmpty());
    MissingLibrary missing = loader.missing().get(0);
    assertEquals("libx.so.1", missing.name());
    assertEquals("/app/bin/run", missing.neededBy());
    assertEquals("/env/libx.so.1", missing.found().get(0).path());
  }

  @Test
  void whatIsFoundNowhereIsMissing() {
    machine.elf("/app/bin/run", ElfFile.program().needs("libnone.so"));
    DynamicLoader loader = loader(Map.of());
    loader.start("/app/bin/run");
    assertEquals(
        List.of(new MissingLibrary("libnone.so", "/app/bin/run", List.of())), loader.missing());
  }
}
