package dev.topo.hw.library;

import dev.topo.hw.library.DynamicLoader.MissingLibrary;
import java.util.List;
import java.util.Optional;

/**
 * NCCL that a process would load, with the reason.
 *
 * @param process description of the process
 * @param about a description in one line; may be empty
 * @param object the loaded file: the library, or the file that NCCL is built into
 * @param passedOver files with that name later in the loader's search order
 * @param missingSymbols NCCL functions that the process needs and the library lacks
 * @param missing libraries that the loader does not find
 */
public record NcclLoad(
    String process,
    String about,
    Link link,
    Optional<NcclLibrary> library,
    Optional<LoadedObject> object,
    String why,
    List<Candidate> passedOver,
    List<String> missingSymbols,
    List<MissingLibrary> missing) {
  public NcclLoad {
    passedOver = List.copyOf(passedOver);
    missingSymbols = List.copyOf(missingSymbols);
    missing = List.copyOf(missing);
  }

  /** Ways in which a process obtains NCCL. */
  public enum Link {
    /** A file lists {@code libnccl.so.2} as needed, so that it is loaded with the file. */
    NEEDED("linked dynamically"),
    /** NCCL is part of the file. */
    BUILT_IN("built in"),
    /**
     * No file needs NCCL: the library that the process would get if it opened {@code libnccl.so.2}
     * itself.
     */
    OPENED("not linked; if it opens libnccl.so.2 itself");

    private final String label;

    Link(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  /**
   * File later in the search order.
   *
   * @param hit the file, with the search step that finds it
   */
  public record Candidate(LibraryHit hit, NcclLibrary library) {
    public Optional<NcclVersion> version() {
      return library.version();
    }
  }
}
