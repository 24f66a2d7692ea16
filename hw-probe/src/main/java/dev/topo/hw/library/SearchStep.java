package dev.topo.hw.library;

/**
 * Rule by which the dynamic loader found a file ({@code ld.so(8)}, "DESCRIPTION").
 *
 * @param file the file whose list of folders was used, for {@link Rule#RPATH} and {@link
 *     Rule#RUNPATH}; otherwise empty
 */
public record SearchStep(Rule rule, String file) {
  /** Rules, in the loader's order. */
  public enum Rule {
    /** The program itself. */
    PROGRAM("the program itself"),
    /** A name with a slash, which is a path. */
    PATH("named by its path"),
    /** Preloaded by the environment, before all others. */
    PRELOAD("LD_PRELOAD"),
    /**
     * The older list of folders, in the file that needs the library or in a file that loaded it.
     */
    RPATH("DT_RPATH"),
    /** Folders from the environment. */
    LIBRARY_PATH("LD_LIBRARY_PATH"),
    /** The newer list of folders, in the file that needs the library. */
    RUNPATH("DT_RUNPATH"),
    /** The cache of ldconfig. */
    CACHE(LibraryCache.FILE),
    /** Default folders of the system. */
    DEFAULT("default folders");

    private final String label;

    Rule(String label) {
      this.label = label;
    }
  }

  static SearchStep of(Rule rule) {
    return new SearchStep(rule, "");
  }

  /** Text such as {@code DT_RPATH of /opt/app/lib/libx.so} or {@code LD_LIBRARY_PATH}. */
  @Override
  public String toString() {
    return file.isEmpty() ? rule.label : rule.label + " of " + file;
  }
}
