package dev.topo.inspect.lint;

/** The part of a file that a rule examines. */
public enum Subject {
  /** The text of an XML file, whatever is in it. */
  TEXT("The text of a topology or graph file"),
  TOPOLOGY("Topology files (NCCL_TOPO_FILE)"),
  /** A topology file beside the machine that it is for. */
  MACHINE("Topology files against a machine (--machine, --here)"),
  GRAPH("Graph files (NCCL_GRAPH_FILE)"),
  CONF("Configuration files (nccl.conf)");

  private final String title;

  Subject(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
