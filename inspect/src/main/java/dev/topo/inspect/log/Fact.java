package dev.topo.inspect.log;

/**
 * One thing that the log says and that we say, too, both written alike.
 *
 * @param topic what it is about
 * @param source whose line it is, as the log names processes and devices
 * @param where which one of its topic: {@code ring 3}, {@code AllReduce 4096 B}
 * @param expected what the log says
 * @param found what we say
 */
public record Fact(Topic topic, String source, String where, String expected, String found) {
  /** Subjects of facts, in the order in which NCCL comes to them. */
  public enum Topic {
    TOPOLOGY("topology file"),
    GRAPH_FILE("graph file"),
    /** Ranks and nodes. */
    COMMUNICATOR("communicator"),
    /** The bandwidth of the machine. */
    SYSTEM("system"),
    /** Type, bandwidth and hops between two nodes. */
    PATH("paths"),
    /** The graphs that the search found. */
    GRAPH("graphs"),
    /** The nodes of a channel of a graph. */
    GRAPH_CHANNEL("graph channels"),
    /** Rings over all ranks. */
    CHANNEL("channels"),
    RING("rings"),
    TREE("trees"),
    /** Heads and trees of NVLS. */
    NVLS("NVLS"),
    /** Numbers of channels and sizes of pieces. */
    COUNT("counts"),
    THREADS("threads"),
    /** Latencies and bandwidths of the tuner table. */
    MODEL("tuner table"),
    /** Algorithm, protocol and channels of calls. */
    CHOICE("choices");

    private final String label;

    Topic(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  /** True if both have the same value. */
  public boolean isEqual() {
    return expected.equals(found);
  }
}
