package dev.topo.hw.library;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.hw.fixture.ElfFile;
import dev.topo.hw.fixture.MachineFolder;
import dev.topo.hw.library.LibrarySearch.LoaderVariables;
import dev.topo.hw.library.Plugin.State;
import dev.topo.hw.sysfs.FileTree;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginFinderTest {
  @TempDir private Path folder;
  private MachineFolder machine = new MachineFolder(Path.of("/nowhere"));

  @BeforeEach
  void make() {
    machine = new MachineFolder(folder);
  }

  private List<Plugin> find(Map<String, String> environment) {
    LibrarySearch search =
        LibrarySearch.on(
            new FileTree(folder, new Inputs()), LoaderVariables.of(environment), ElfMachine.X86_64);
    return new PluginFinder(
            search,
            new DynamicLoader(search).open("/nccl/libnccl.so.2", Optional.empty()),
            environment,
            "2.28.9")
        .find();
  }

  private static List<State> states(List<Plugin> plugins) {
    return plugins.stream().map(Plugin::state).toList();
  }

  private static ElfFile plugin(String... functions) {
    return ElfFile.library("libnccl-x.so").defines(functions);
  }

  @Test
  void withoutAnyFileThereIsNone() {
    assertEquals(
        List.of(State.NOT_FOUND, State.NOT_FOUND, State.NOT_FOUND, State.NOT_FOUND),
        states(find(Map.of())));
  }

  @Test
  void theNewestFunctionThatNcclKnowsCounts() {
    machine.elf(
        "/usr/lib/libnccl-net.so",
        plugin("ncclNetPlugin_v8", "ncclNetPlugin_v10", "ncclNetPlugin_v99", "ncclTunerPlugin_v3"));
    List<Plugin> plugins = find(Map.of());
    assertEquals("default folders, ncclNetPlugin_v10", plugins.get(0).detail());
    assertEquals(State.IN_NET_PLUGIN, plugins.get(1).state());
    assertEquals("in the network plugin, ncclTunerPlugin_v3", plugins.get(1).detail());
    assertEquals(State.NOT_FOUND, plugins.get(2).state());
  }

  @Test
  void aShortNameIsTheEndOfAFileName() {
    machine
        .elf("/usr/lib/libnccl-net-ofi.so", plugin("ncclNetPlugin_v11"))
        .elf("/opt/t.so", plugin("ncclTunerPlugin_v5"));
    List<Plugin> plugins =
        find(
            Map.of(
                "NCCL_NET_PLUGIN", "gone,ofi",
                "NCCL_TUNER_PLUGIN", "/opt/t.so",
                "NCCL_PROFILER_PLUGIN", "none",
                "NCCL_ENV_PLUGIN", "STATIC_PLUGIN"));
    assertEquals(
        List.of(State.NOT_FOUND, State.LOADED, State.LOADED, State.OFF, State.STATIC),
        states(plugins));
    assertEquals("no gone, no libnccl-net-gone.so", plugins.get(0).detail());
    assertEquals(Optional.of("/usr/lib/libnccl-net-ofi.so"), plugins.get(1).path());
  }

  @Test
  void theFoldersOfNcclItselfCount() {
    machine
        .elf("/nccl/libnccl.so.2", ElfFile.nccl("2.28.9+cuda13.0").runpath("$ORIGIN/plugins"))
        .elf("/nccl/plugins/libnccl-tuner.so", plugin("ncclTunerPlugin_v4"));
    assertEquals(
        "DT_RUNPATH of /nccl/libnccl.so.2, ncclTunerPlugin_v4", find(Map.of()).get(1).detail());
  }

  @Test
  void aPluginOfAnotherVersionOrWithoutItsLibrariesIsOfNoUse() {
    machine
        .elf("/usr/lib/libnccl-net.so", plugin("ncclNetPlugin_v4"))
        .elf(
            "/usr/lib/libnccl-tuner.so",
            plugin("ncclTunerPlugin_v5").needs("libcudart.so.13", "libfabric.so.1"));
    List<Plugin> plugins = find(Map.of("NCCL_NET_PLUGIN", ""));
    assertEquals(State.OFF, plugins.get(0).state());
    assertEquals("needs libfabric.so.1, which is not found", plugins.get(1).detail());
    assertEquals(State.UNUSABLE, find(Map.of()).get(0).state());
  }
}
