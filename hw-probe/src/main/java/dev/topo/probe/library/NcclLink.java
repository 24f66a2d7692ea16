package dev.topo.probe.library;

/** How a process obtains NCCL. */
public enum NcclLink {
  /** A file names {@code libnccl.so.2} as needed: it is loaded with that file. */
  NEEDED("linked dynamically"),
  /** NCCL is in the file itself. */
  BUILT_IN("built in"),
  /** Nothing needs it: what the process would get if it opened {@code libnccl.so.2} itself. */
  OPENED("not linked; if it opens libnccl.so.2 itself");

  private final String label;

  NcclLink(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
