package dev.topo.hw.library;

import java.util.List;
import java.util.Optional;

/**
 * A file that has NCCL in it.
 *
 * @param kind whether NCCL is all that is in it
 * @param version its version, if it could be read
 * @param foundIn where it was found: {@code LD_LIBRARY_PATH}, {@code wheel nvidia-nccl-cu13 2.28.9}
 */
public record NcclLibrary(
    String path, Kind kind, Optional<NcclVersion> version, List<String> foundIn) {
  /** Kinds of files with NCCL in them. */
  public enum Kind {
    /** NCCL's own library. */
    SHARED,
    /** A library of PyTorch or a program, with NCCL linked into it. */
    BUILT_IN,
    /** It has the name of NCCL's library and cannot be loaded. */
    DAMAGED
  }

  public NcclLibrary {
    foundIn = List.copyOf(foundIn);
  }

  NcclLibrary withFoundIn(List<String> places) {
    return new NcclLibrary(path, kind, version, places);
  }
}
