package dev.topo.hw.library;

/**
 * A file with the name that is looked for, in one of the places that the dynamic loader looks in.
 *
 * @param path where it is, as the loader writes it
 */
public record LibraryHit(String path, String realPath, SearchStep step, Fitness fitness) {
  /** Verdicts of the loader on a file. */
  public enum Fitness {
    /** It loads it. */
    FITS,
    /** It is for another processor: the loader continues its search. */
    OTHER_MACHINE,
    /** It is no ELF file or a damaged one: the loader fails ("invalid ELF header"). */
    DAMAGED
  }
}
