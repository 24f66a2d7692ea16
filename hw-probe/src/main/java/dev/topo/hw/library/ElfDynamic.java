package dev.topo.hw.library;

import java.util.List;
import java.util.Optional;

/**
 * Declarations of a program or library for the dynamic loader (System V ABI, "Dynamic Section").
 *
 * @param soname its name, {@code libnccl.so.2} ({@code DT_SONAME})
 * @param needed names of the libraries it needs, in order ({@code DT_NEEDED})
 * @param rpath folders to search for them, as written in the file ({@code DT_RPATH})
 * @param runpath the same in the newer form ({@code DT_RUNPATH}), which overrides the older one
 */
record ElfDynamic(
    ElfMachine machine,
    Optional<String> soname,
    List<String> needed,
    List<String> rpath,
    List<String> runpath) {
  ElfDynamic {
    needed = List.copyOf(needed);
    rpath = List.copyOf(rpath);
    runpath = List.copyOf(runpath);
  }

  /** Empty declarations, for a file whose dynamic section is not read. */
  static ElfDynamic nothing(ElfMachine machine) {
    return new ElfDynamic(machine, Optional.empty(), List.of(), List.of(), List.of());
  }
}
