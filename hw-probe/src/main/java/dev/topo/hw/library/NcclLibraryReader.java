package dev.topo.hw.library;

import dev.topo.hw.library.NcclLibrary.Kind;
import dev.topo.hw.sysfs.FileTree;
import java.util.List;
import java.util.Optional;

/** Reads the version of NCCL that a file contains. */
record NcclLibraryReader(FileTree files) {
  /** Prefix of the names of NCCL's library. */
  static final String LIBRARY = "libnccl.so";

  static boolean isLibraryName(String name) {
    return name.equals(LIBRARY) || name.startsWith(LIBRARY + ".");
  }

  /** NCCL in a file, if the file is named like NCCL's library or contains NCCL. */
  Optional<NcclLibrary> read(String path, String foundIn) {
    Optional<String> real = files.real(path).filter(files::isFile);
    if (real.isEmpty()) {
      return Optional.empty();
    }
    boolean named = isLibraryName(FileTree.name(path)) || isLibraryName(FileTree.name(real.get()));
    Optional<NcclVersion> version;
    try {
      version =
          new ElfReader(files)
              .constant(real.get(), NcclVersion.TEXT_START, NcclVersion.TEXT)
              .map(NcclVersion::of);
    } catch (ElfFormatException e) {
      // A damaged file matters only if the loader would choose it by name.
      return named
          ? Optional.of(
              new NcclLibrary(real.get(), Kind.DAMAGED, Optional.empty(), List.of(foundIn)))
          : Optional.empty();
    }
    if (!named && version.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new NcclLibrary(
            real.get(),
            named ? Kind.SHARED : Kind.BUILT_IN,
            named ? version.or(() -> NcclVersion.ofFileName(FileTree.name(real.get()))) : version,
            List.of(foundIn)));
  }
}
