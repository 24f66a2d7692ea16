package dev.topo.probe.library;

import dev.topo.probe.loader.LibraryHit;
import dev.topo.probe.loader.LoadedObject;
import dev.topo.probe.loader.MissingLibrary;
import java.util.List;
import java.util.Optional;

/**
 * Which NCCL a process would load, and why.
 *
 * @param process what runs in it
 * @param about a description in one line; may be empty
 * @param object the file as the loader sees it: the library, or the file that NCCL is built into
 * @param passedOver files of that name later in the loader's search order
 * @param missingSymbols functions of NCCL that the process needs and that library lacks
 * @param missing libraries that the loader does not find
 */
public record NcclLoad(
    String process,
    String about,
    NcclLink link,
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

  /**
   * A file later in the search order.
   *
   * @param hit the file, with the search step that finds it
   */
  public record Candidate(LibraryHit hit, NcclLibrary library) {
    public Optional<NcclVersion> version() {
      return library.version();
    }
  }
}
