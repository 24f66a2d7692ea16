package dev.topo.search.rules;

/**
 * Sizes in bytes of the buffers between two ranks ({@code computeBuffSizes}, {@code
 * nccl:src/init.cc}).
 */
public final class BufferRules {
  /** Steps that a buffer is divided into. */
  public final int steps;

  /** Buffer of LL. */
  public final int ll;

  /** Buffer of LL128. */
  public final int ll128;

  /** Buffer of Simple. */
  public final int simple;

  BufferRules(RuleTable table) {
    steps = table.integer("buffer.steps");
    ll = table.integer("buffer.ll");
    ll128 = table.integer("buffer.ll128");
    simple = table.integer("buffer.simple");
  }
}
