package dev.topo.model.operation;

import java.util.Optional;

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

  /**
   * The element types of NCCL, in its order ({@code ncclDataType_t}, {@code nccl:src/nccl.h.in}).
   */
  public enum DataType {
    INT8(0, "int8", 1),
    UINT8(1, "uint8", 1),
    INT32(2, "int32", 4),
    UINT32(3, "uint32", 4),
    INT64(4, "int64", 8),
    UINT64(5, "uint64", 8),
    FLOAT16(6, "half", 2),
    FLOAT32(7, "float", 4),
    FLOAT64(8, "double", 8),
    /** Brain floating point of 16 bits. */
    BFLOAT16(9, "bfloat16", 2),
    /** 8 bits with 4 of exponent. */
    FLOAT8_E4M3(10, "f8e4m3", 1),
    /** 8 bits with 5 of exponent. */
    FLOAT8_E5M2(11, "f8e5m2", 1);

    private final int number;
    private final String label;
    private final int sizeBytes;

    DataType(int number, String label, int sizeBytes) {
      this.number = number;
      this.label = label;
      this.sizeBytes = sizeBytes;
    }

    /** NCCL's number. */
    public int number() {
      return number;
    }

    /** The name that nccl-tests uses. */
    public String label() {
      return label;
    }

    /** Size of an element. */
    public int sizeBytes() {
      return sizeBytes;
    }

    public boolean isFloat8() {
      return this == FLOAT8_E4M3 || this == FLOAT8_E5M2;
    }

    /** The type with this {@link #label}, in any case. */
    public static Optional<DataType> ofLabel(String label) {
      return Labels.find(values(), DataType::label, label);
    }
  }

  /**
   * The reduction operators of NCCL, in its order ({@code ncclRedOp_t}, {@code
   * nccl:src/nccl.h.in}), and the one that users make.
   */
  public enum ReductionOperator {
    SUM(0, "sum"),
    PROD(1, "prod"),
    MAX(2, "max"),
    MIN(3, "min"),
    AVG(4, "avg"),
    /** The sum of what was multiplied by a number ({@code ncclRedOpCreatePreMulSum}). */
    PRE_MUL_SUM(5, "mulsum");

    private final int number;
    private final String label;

    ReductionOperator(int number, String label) {
      this.number = number;
      this.label = label;
    }

    /** NCCL's number; the first of the user's operators comes after the built-in ones. */
    public int number() {
      return number;
    }

    /** The name that nccl-tests uses. */
    public String label() {
      return label;
    }

    /**
     * True if GPUs multiply or divide besides adding ({@code hostToDevRedOp}, {@code
     * nccl:src/enqueue.cc}).
     */
    public boolean isScaledSum() {
      return this == AVG || this == PRE_MUL_SUM;
    }

    /** The operator with this {@link #label}, in any case. */
    public static Optional<ReductionOperator> ofLabel(String label) {
      return Labels.find(values(), ReductionOperator::label, label);
    }
  }
}
