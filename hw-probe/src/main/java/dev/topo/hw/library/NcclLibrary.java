package dev.topo.hw.library;

import java.util.List;
import java.util.Optional;

/**
 * File that contains NCCL.
 *
 * @param kind whether the file is NCCL's own library
 * @param version its version, if it could be read
 * @param foundIn places where it was found: {@code LD_LIBRARY_PATH}, {@code wheel nvidia-nccl-cu13
 *     2.28.9}
 */
public record NcclLibrary(
    String path, Kind kind, Optional<NcclVersion> version, List<String> foundIn) {
  /** Kinds of files that contain NCCL. */
  public enum Kind {
    /** NCCL's own library. */
    SHARED,
    /** A library of PyTorch or a program with NCCL linked into it. */
    BUILT_IN,
    /** A file named like NCCL's library that cannot be loaded. */
    DAMAGED
  }

  public NcclLibrary {
    foundIn = List.copyOf(foundIn);
  }

  NcclLibrary withFoundIn(List<String> places) {
    return new NcclLibrary(path, kind, version, places);
  }
}
