package dev.topo.hw.library;

/**
 * File with the searched name, in one of the dynamic loader's search folders.
 *
 * @param path path as the loader writes it
 */
public record LibraryHit(String path, String realPath, SearchStep step, Fitness fitness) {
  /** The loader's verdicts on a file. */
  public enum Fitness {
    /** The loader loads the file. */
    FITS,
    /** The file is for another processor: the loader continues its search. */
    OTHER_MACHINE,
    /** The file is not an ELF file or is damaged: the loader fails ("invalid ELF header"). */
    DAMAGED
  }
}
