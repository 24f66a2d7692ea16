package dev.topo.hw.library;

/**
 * The rule by which the dynamic loader came to a file ({@code ld.so(8)}, "DESCRIPTION").
 *
 * @param file the file whose list of folders was used, for {@link Rule#RPATH} and {@link
 *     Rule#RUNPATH}; else empty
 */
public record SearchStep(Rule rule, String file) {
  /** The rules, in their order. */
  public enum Rule {
    /** It is the program itself. */
    PROGRAM("the program itself"),
    /** The name has a slash in it, so that it is a path. */
    PATH("named by its path"),
    /** The environment loads it before all others. */
    PRELOAD("LD_PRELOAD"),
    /** The older list of folders of the file that needs it or of one that loaded that. */
    RPATH("DT_RPATH"),
    /** The folders that the environment names. */
    LIBRARY_PATH("LD_LIBRARY_PATH"),
    /** The newer list of folders of the file that needs it. */
    RUNPATH("DT_RUNPATH"),
    /** The cache of ldconfig. */
    CACHE(LibraryCache.FILE),
    /** The folders of the system. */
    DEFAULT("default folders");

    private final String label;

    Rule(String label) {
      this.label = label;
    }
  }

  static SearchStep of(Rule rule) {
    return new SearchStep(rule, "");
  }

  /** {@code DT_RPATH of /opt/app/lib/libx.so}, {@code LD_LIBRARY_PATH}. */
  @Override
  public String toString() {
    return file.isEmpty() ? rule.label : rule.label + " of " + file;
  }
}
