package dev.topo.search.rules;

/**
 * Sizes in bytes of the buffers between two ranks ({@code computeBuffSizes}, {@code
 * nccl:src/init.cc}).
 */
public final class BufferRules extends Rules {
  private final BySm<Double> netChunksWithArm = table.numbersBySm("buffer.net-chunks-with-arm");

  /** Steps that a buffer is divided into. */
  public final int steps = table.integer("buffer.steps");

  /** The buffer of a protocol. */
  public final int ll = table.integer("buffer.ll");

  public final int ll128 = table.integer("buffer.ll128");
  public final int simple = table.integer("buffer.simple");

  BufferRules(RuleTable table) {
    super(table);
  }

  /** Factor of the piece of traffic between nodes with Arm CPUs, which have fewer GPUs. */
  public int netChunksWithArm(int minSm) {
    return netChunksWithArm.at(minSm).intValue();
  }
}
