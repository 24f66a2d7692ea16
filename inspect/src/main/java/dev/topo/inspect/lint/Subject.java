package dev.topo.inspect.lint;

/** Parts of a file that rules examine. */
public enum Subject {
  /** The text of an XML file, whatever its content. */
  TEXT("The text of a topology or graph file"),
  TOPOLOGY("Topology files (NCCL_TOPO_FILE)"),
  /** A topology file, compared with its machine. */
  MACHINE("Topology files against a machine (--machine, --here)"),
  GRAPH("Graph files (NCCL_GRAPH_FILE)"),
  CONF("Configuration files (nccl.conf)"),
  TUNER("Files of NCCL's example tuner plugin");

  private final String title;

  Subject(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
