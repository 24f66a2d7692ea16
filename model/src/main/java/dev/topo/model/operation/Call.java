package dev.topo.model.operation;

import dev.topo.model.Labels;
import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.SpecField;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.model.operation.Call.CallSizes.ByteSize;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/** One call of an operation by all ranks of a communicator. */
public sealed interface Call {
  Operation operation();

  /** Its size in bytes, as nccl-tests counts it. */
  long sizeBytes();

  /** In nccl-tests, the part of a rank is a multiple of this size in bytes. */
  int PART_BYTES = 16;

  /** Type of the elements. */
  DataType dataType();

  /**
   * The smallest non-empty size, a divisor of all sizes: one element, or 16 bytes per rank if every
   * rank has a part ({@code AllGatherGetCollByteCount}, {@code nccl-tests:src/all_gather.cu}, and
   * its counterparts for the other operations; 2.19.6).
   */
  default long leastBytes(int nRanks) {
    return operation().dividesSize() ? (long) PART_BYTES * nRanks : dataType().sizeBytes();
  }

  /** Its size in bytes on {@code nRanks} ranks, rounded down as nccl-tests does. */
  default long wholeBytes(int nRanks) {
    long least = leastBytes(nRanks);
    return sizeBytes() / least * least;
  }

  /**
   * The reason why NCCL discards the call ({@code taskAppend}, {@code nccl:src/enqueue.cc},
   * 2.28.9); empty if the call has at least one element.
   */
  default Optional<String> emptiness(int nRanks) {
    return wholeBytes(nRanks) > 0
        ? Optional.empty()
        : Optional.of("it has no element, expected %s bytes or more".formatted(leastBytes(nRanks)));
  }

  /** Its name in messages: {@code all_reduce of 1073741824 bytes}. */
  default String title() {
    return operation().ncclTestsName() + " of " + sizeBytes() + " bytes";
  }

  /** Display name: {@code AllReduce of 1 GiB}. */
  default String label() {
    return operation().label() + " of " + QuantityFormat.size(sizeBytes());
  }

  /**
   * A single call, as {@link #of(Operation, long)}, from a name and a size as users write them:
   * {@code of("all_reduce", "1G")}.
   *
   * @param operation name of the operation in nccl-tests or NCCL, ignoring case: {@code all_reduce}
   *     or {@code AllReduce}
   * @param size bytes as {@link ByteSize} reads them: {@code 8}, {@code 64K}, {@code 1.5M}
   * @throws SettingException if there is no such operation, or the size is malformed or 0
   */
  static Call of(String operation, String size) {
    Operation known =
        Operation.ofName(operation)
            .orElseThrow(
                () ->
                    new SettingException(
                        "operation '%s': expected one of %s"
                            .formatted(
                                operation,
                                QuantityFormat.joined(
                                    ", ", Operation.all(), Operation::ncclTestsName))));
    long bytes = ByteSize.parse(size);
    if (bytes < 1) {
      throw new SettingException(
          "size '" + size + "': expected 1 byte or more: NCCL does nothing for an empty call");
    }
    return of(known, bytes);
  }

  /**
   * A single call: of a collective, with the sum of single precision numbers where it reduces, or
   * of sends and receives with equal parts.
   */
  static Call of(Operation operation, long sizeBytes) {
    if (operation instanceof PeerOperation peers) {
      return new PeerCall(peers, sizeBytes);
    }
    return CollectiveCall.of((Collective) operation, sizeBytes);
  }

  /** A single call of each operation with each size, operation by operation. */
  static List<Call> ofEach(Collection<? extends Operation> operations, Collection<Long> sizes) {
    return operations.stream()
        .flatMap(operation -> sizes.stream().map(size -> of(operation, size)))
        .toList();
  }

  /**
   * Rejects a size of type {@code int}, which is too small, as {@link CollectiveCall#of(Collective,
   * int)}.
   *
   * @param sizeBytes a size that may be the result of an overflow
   * @deprecated a size is a {@code long}, as in {@code 1L << 32}, or a text
   * @throws IllegalArgumentException always
   */
  @Deprecated(forRemoval = true)
  @SuppressWarnings("DoNotCallSuggester") // its annotation needs a library at run time
  static Call of(Operation operation, int sizeBytes) {
    throw new IllegalArgumentException(
        "size %s of %s is an int, which may have overflowed: expected a long, as in 1L << 32, or a text, as in 4G"
            .formatted(sizeBytes, operation.label()));
  }

  /**
   * One call of a collective.
   *
   * @param collective the collective
   * @param sizeBytes size of the larger of a rank's two buffers: for AllGather the receive buffer,
   *     for ReduceScatter the send buffer ({@code ncclFuncMaxSendRecvCount})
   * @param dataType type of the elements
   * @param operator the reduction; irrelevant where nothing is reduced
   * @param pipelinedCalls calls of the same group that share a channel with this one, including
   *     itself
   * @param isExact whether the size is that of the buffers, as in a trace; otherwise nccl-tests
   *     rounds it to whole parts
   */
  record CollectiveCall(
      Collective collective,
      long sizeBytes,
      DataType dataType,
      ReductionOperator operator,
      int pipelinedCalls,
      boolean isExact)
      implements Call {
    public CollectiveCall {
      if (sizeBytes < 0) {
        throw new IllegalArgumentException("size " + sizeBytes + " is negative");
      }
      if (pipelinedCalls < 1) {
        throw new IllegalArgumentException(pipelinedCalls + " calls: expected at least 1");
      }
    }

    /** A call of exact size. */
    public CollectiveCall(
        Collective collective,
        long sizeBytes,
        DataType dataType,
        ReductionOperator operator,
        int pipelinedCalls) {
      this(collective, sizeBytes, dataType, operator, pipelinedCalls, true);
    }

    /** A single call of nccl-tests, with the sum of single precision numbers where it reduces. */
    public static CollectiveCall of(Collective collective, long sizeBytes) {
      return of(collective, sizeBytes, DataType.FLOAT32, ReductionOperator.SUM);
    }

    /** A single call of nccl-tests. */
    public static CollectiveCall of(
        Collective collective, long sizeBytes, DataType dataType, ReductionOperator operator) {
      return new CollectiveCall(collective, sizeBytes, dataType, operator, 1, false);
    }

    /**
     * Rejects a size of type {@code int}, which is too small: {@code 1 << 32} is 1 as an {@code
     * int}, without a compiler error.
     *
     * @param sizeBytes a size that may be the result of an overflow
     * @deprecated a size is a {@code long}, as in {@code 1L << 32}
     * @throws IllegalArgumentException always
     */
    @Deprecated(forRemoval = true)
    @SuppressWarnings("DoNotCallSuggester") // its annotation needs a library at run time
    public static CollectiveCall of(Collective collective, int sizeBytes) {
      throw new IllegalArgumentException(
          "size %s of %s is an int, which may have overflowed: expected a long, as in 1L << 32"
              .formatted(sizeBytes, collective.label()));
    }

    @Override
    public Collective operation() {
      return collective;
    }

    public CollectiveCall withSize(long newSizeBytes) {
      return new CollectiveCall(
          collective, newSizeBytes, dataType, operator, pipelinedCalls, isExact);
    }

    /** This call with its size as the exact size of the buffers. */
    public CollectiveCall exact() {
      return new CollectiveCall(collective, sizeBytes, dataType, operator, pipelinedCalls);
    }

    /** The exact call whose size is rounded to whole parts for {@code nRanks} ranks. */
    public CollectiveCall whole(int nRanks) {
      return isExact
          ? this
          : new CollectiveCall(collective, wholeBytes(nRanks), dataType, operator, pipelinedCalls);
    }

    @Override
    public long leastBytes(int nRanks) {
      return isExact ? 1 : Call.super.leastBytes(nRanks);
    }

    @Override
    public Optional<String> emptiness(int nRanks) {
      return isExact ? Optional.empty() : Call.super.emptiness(nRanks);
    }

    /** True if it reduces 8-bit floats, whose rounding errors add up over the ranks of a ring. */
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
      /** 8 bits, 4 of them exponent. */
      FLOAT8_E4M3(10, "f8e4m3", 1),
      /** 8 bits, 5 of them exponent. */
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

      /** The type with this {@link #label}, ignoring case. */
      public static Optional<DataType> ofLabel(String label) {
        return Labels.find(values(), DataType::label, label);
      }
    }

    /**
     * The reduction operators of NCCL, in its order ({@code ncclRedOp_t}, {@code
     * nccl:src/nccl.h.in}), and the user-defined one.
     */
    public enum ReductionOperator {
      SUM(0, "sum"),
      PROD(1, "prod"),
      MAX(2, "max"),
      MIN(3, "min"),
      AVG(4, "avg"),
      /** The sum of values multiplied by a factor ({@code ncclRedOpCreatePreMulSum}). */
      PRE_MUL_SUM(5, "mulsum");

      private final int number;
      private final String label;

      ReductionOperator(int number, String label) {
        this.number = number;
        this.label = label;
      }

      /** NCCL's number; the first user-defined operator follows the built-in ones. */
      public int number() {
        return number;
      }

      /** The name that nccl-tests uses. */
      public String label() {
        return label;
      }

      /**
       * True if GPUs multiply or divide in addition to adding ({@code hostToDevRedOp}, {@code
       * nccl:src/enqueue.cc}).
       */
      public boolean isScaledSum() {
        return this == AVG || this == PRE_MUL_SUM;
      }

      /** The operator with this {@link #label}, ignoring case. */
      public static Optional<ReductionOperator> ofLabel(String label) {
        return Labels.find(values(), ReductionOperator::label, label);
      }
    }
  }

  /**
   * One call of an operation composed of sends and receives, with equal parts.
   *
   * @param operation the operation
   * @param sizeBytes size as nccl-tests counts it: for SendRecv the bytes that a rank sends,
   *     otherwise the larger of a rank's two buffers
   */
  record PeerCall(PeerOperation operation, long sizeBytes, DataType dataType) implements Call {
    public PeerCall {
      if (sizeBytes < 0) {
        throw new IllegalArgumentException("size " + sizeBytes + " is negative");
      }
    }

    /** A call with single precision numbers. */
    public PeerCall(PeerOperation operation, long sizeBytes) {
      this(operation, sizeBytes, DataType.FLOAT32);
    }
  }

  /** Sizes of calls as the user names them: {@code 8:8G:2}, {@code 64K,1M,1G} or {@code all}. */
  final class CallSizes {
    /** The usual sizes of nccl-tests runs. */
    public static final String USUAL = "8:8G:2";

    /** Keyword for {@link #USUAL}. */
    private static final String ALL = "all";

    private CallSizes() {}

    /**
     * True if a size is between the first and the last of {@code sizes}; always true without sizes.
     */
    public static boolean areAround(List<Long> sizes, long size) {
      return sizes.isEmpty() || (size >= sizes.get(0) && size <= Last.of(sizes));
    }

    /** The sizes in ascending order. */
    public static List<Long> parse(String text) {
      if (text.equals(ALL)) {
        return parse(USUAL);
      }
      TreeSet<Long> list = new TreeSet<>();
      String[] range = text.split(":", -1);
      if (range.length == 1) {
        Arrays.stream(text.split(",", -1)).map(ByteSize::parse).forEach(list::add);
        if (list.first() < 1) {
          throw error(
              text, "expected sizes of at least 1 byte: NCCL does nothing for an empty call");
        }
        return List.copyOf(list);
      }
      long first = ByteSize.parse(range[0]);
      long last = ByteSize.parse(range[1]);
      long factor = range.length > 2 ? ByteSize.parse(range[2]) : 2;
      if (last < first) {
        throw error(text, "expected the smaller size first, as in " + USUAL);
      }
      if (range.length > 3 || first < 1 || factor < 2) {
        throw error(text, "expected first:last:factor as in " + USUAL);
      }
      list.add(first);
      // Compared by division, as the product may overflow.
      for (long size = first; size <= last / factor; ) {
        size *= factor;
        list.add(size);
      }
      return List.copyOf(list);
    }

    private static SpecException error(String text, String expected) {
      return new SpecException(SpecField.SIZES, " %s: %s", text, expected);
    }

    /**
     * Sizes in bytes as nccl-tests accepts them: 8, 64K, 1.5M, 4G, powers of 1024; truncated to
     * whole bytes.
     */
    public static final class ByteSize {
      private static final String UNITS = "KMGT";
      private static final String DECIMAL = "\\d{1,20}(\\.\\d{1,20})?";
      private static final BigDecimal MAX_BYTES = BigDecimal.valueOf(Long.MAX_VALUE);

      private ByteSize() {}

      /** The number of bytes; fails with a usage error. */
      public static long parse(String text) {
        String upper =
            text.strip()
                .toUpperCase(Locale.ROOT)
                .replaceFirst("(?<=[KMGT])(I?B)$", "")
                .replaceFirst("B$", "");
        int unit = upper.isEmpty() ? -1 : UNITS.indexOf(upper.charAt(upper.length() - 1));
        String digits = unit < 0 ? upper : upper.substring(0, upper.length() - 1);
        if (!digits.strip().matches(DECIMAL)) {
          throw notASize(text);
        }
        BigDecimal bytes =
            new BigDecimal(digits.strip()).multiply(BigDecimal.valueOf(1L << (10 * (unit + 1))));
        if (bytes.compareTo(MAX_BYTES) > 0) {
          throw notASize(text);
        }
        return bytes.longValue();
      }

      private static SettingException notASize(String text) {
        return new SettingException(
            "size '" + text + "': expected a number of bytes such as 8, 64K, 1.5M, 4G or 1T");
      }
    }
  }
}
