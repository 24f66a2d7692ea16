package dev.topo.probe.library;

import dev.topo.probe.loader.LibraryHit;
import dev.topo.probe.loader.LoadedObject;
import dev.topo.probe.loader.MissingLibrary;
import java.util.List;
import java.util.Optional;

/**
 * Which NCCL a process would have, and why.
 *
 * @param process what runs in it
 * @param about what it is, one line; empty if there is nothing to say
 * @param link how it comes to NCCL
 * @param object the file as the loader sees it: the library, or the file that NCCL is built into
 * @param why the reason, one line
 * @param passedOver files of that name that the loader would have come to later
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
   * A file that would have been next.
   *
   * @param hit the file, and how the loader would have come to it
   */
  public record Candidate(LibraryHit hit, NcclLibrary library) {
    /** The version of the NCCL in it, if it could be read. */
    public Optional<NcclVersion> version() {
      return library.version();
    }
  }
}
