package dev.topo.model.operation;

/**
 * One call of a collective.
 *
 * @param collective which one
 * @param sizeBytes size of the larger of a rank's two buffers: for AllGather what it receives, for
 *     ReduceScatter what it sends ({@code ncclFuncMaxSendRecvCount})
 * @param dataType type of the elements
 * @param operator the reduction; without meaning where nothing is reduced
 * @param pipelinedCalls calls of the same group that share a channel with this one, itself included
 */
public record CollectiveCall(
    Collective collective,
    long sizeBytes,
    DataType dataType,
    ReductionOperator operator,
    int pipelinedCalls)
    implements Call {
  public CollectiveCall {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("size " + sizeBytes + " is negative");
    }
    if (pipelinedCalls < 1) {
      throw new IllegalArgumentException(pipelinedCalls + " calls: expected at least 1");
    }
  }

  /** A call by itself, with the sum of single precision numbers where it reduces. */
  public static CollectiveCall of(Collective collective, long sizeBytes) {
    return new CollectiveCall(collective, sizeBytes, DataType.FLOAT32, ReductionOperator.SUM, 1);
  }

  /**
   * Rejects a size whose type is too small for it: {@code 1 << 32} is 1 as an {@code int}, without
   * an error of the compiler.
   *
   * @param sizeBytes a size that may be the rest of an overflow
   * @deprecated a size is a {@code long}, as in {@code 1L << 32}
   * @throws IllegalArgumentException always
   */
  @Deprecated(forRemoval = true)
  @SuppressWarnings("DoNotCallSuggester") // its annotation needs a library at run time
  public static CollectiveCall of(Collective collective, int sizeBytes) {
    throw new IllegalArgumentException(
        "size %d of %s is an int, which may have overflowed: expected a long, as in 1L << 32"
            .formatted(sizeBytes, collective.label()));
  }

  @Override
  public Collective operation() {
    return collective;
  }

  public CollectiveCall withSize(long newSizeBytes) {
    return new CollectiveCall(collective, newSizeBytes, dataType, operator, pipelinedCalls);
  }

  /** True if it reduces numbers of 8 bits, where a rounding at every rank of a ring adds up. */
  public boolean reducesFloat8() {
    return collective.isReduction() && dataType.isFloat8();
  }
}
