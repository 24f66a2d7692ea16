package dev.topo.inspect.log;

/**
 * Single value in the log and topo's value for it, in the same format.
 *
 * @param topic subject of the fact
 * @param source process and device of the line, as the log names them
 * @param where instance within the topic: {@code ring 3}, {@code AllReduce 4096 B}
 * @param expected value in the log
 * @param found topo's value
 */
public record Fact(Topic topic, String source, String where, String expected, String found) {
  /** Subjects of facts, in the order in which NCCL logs them. */
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
    /** Numbers of channels and chunk sizes. */
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

  /** True if both values are equal. */
  public boolean isEqual() {
    return expected.equals(found);
  }
}
