package dev.topo.inspect.trace;

import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Names of calls, element types and reductions in traces: those of PyTorch ({@code
 * ProcessGroupNCCL.cpp} of 2.11, {@code c10::ScalarType}) and NCCL ({@code ncclDevRedOpStr}).
 */
final class CallNames {
  private static final Map<String, Operation> OPERATIONS =
      Map.ofEntries(
          Map.entry("allreduce", Collective.ALL_REDUCE),
          // A barrier is an all-reduce of one element.
          Map.entry("barrier", Collective.ALL_REDUCE),
          Map.entry("allreducebarrier", Collective.ALL_REDUCE),
          Map.entry("allgather", Collective.ALL_GATHER),
          Map.entry("reducescatter", Collective.REDUCE_SCATTER),
          Map.entry("broadcast", Collective.BROADCAST),
          Map.entry("reduce", Collective.REDUCE),
          Map.entry("alltoall", PeerOperation.ALLTOALL),
          Map.entry("alltoallv", PeerOperation.ALLTOALLV),
          Map.entry("send", PeerOperation.SENDRECV),
          Map.entry("recv", PeerOperation.SENDRECV),
          Map.entry("sendrecv", PeerOperation.SENDRECV),
          Map.entry("gather", PeerOperation.GATHER),
          Map.entry("scatter", PeerOperation.SCATTER));

  private static final Map<String, DataType> TYPES =
      Map.ofEntries(
          Map.entry("bfloat16", DataType.BFLOAT16),
          Map.entry("half", DataType.FLOAT16),
          Map.entry("float16", DataType.FLOAT16),
          Map.entry("float", DataType.FLOAT32),
          Map.entry("float32", DataType.FLOAT32),
          Map.entry("double", DataType.FLOAT64),
          Map.entry("float64", DataType.FLOAT64),
          Map.entry("long", DataType.INT64),
          Map.entry("int64", DataType.INT64),
          Map.entry("int", DataType.INT32),
          Map.entry("int32", DataType.INT32),
          Map.entry("char", DataType.INT8),
          Map.entry("int8", DataType.INT8),
          Map.entry("byte", DataType.UINT8),
          Map.entry("uint8", DataType.UINT8),
          Map.entry("bool", DataType.UINT8),
          Map.entry("uint32", DataType.UINT32),
          Map.entry("uint64", DataType.UINT64),
          Map.entry("float8_e4m3fn", DataType.FLOAT8_E4M3),
          Map.entry("float8_e5m2", DataType.FLOAT8_E5M2));

  private CallNames() {}

  /** Operation of a call that is alone in its group; empty for other names. */
  static Optional<Operation> operation(String name) {
    String plain = name.toLowerCase(Locale.ROOT);
    plain = plain.startsWith("nccl:") ? plain.substring("nccl:".length()) : plain;
    if (plain.contains("coalesced")) {
      return Optional.empty();
    }
    plain = plain.replace("_base", "").replace("_oop", "").replace("_into_tensor", "");
    return Optional.ofNullable(
        OPERATIONS.get(plain.replace("_tensor", "").replace("_", "").split(" ", 2)[0]));
  }

  static boolean isReceive(String name) {
    return name.toLowerCase(Locale.ROOT).replace("nccl:", "").startsWith("recv");
  }

  static boolean isSendOrReceive(String name) {
    return name.startsWith("send") || name.startsWith("recv");
  }

  /** Element type by PyTorch's or NCCL's name. */
  static Optional<DataType> dataType(String name) {
    return Optional.ofNullable(TYPES.get(name.toLowerCase(Locale.ROOT)))
        .or(() -> DataType.ofLabel(name));
  }

  /** Reduction in the name of a kernel, as in {@code ncclDevKernel_AllReduce_Sum_bf16_RING_LL}. */
  static ReductionOperator operator(String kernel) {
    String[] words = kernel.split("_", 4);
    return switch (words.length > 2 ? words[2] : "") {
      case "Prod" -> ReductionOperator.PROD;
      case "MinMax" -> ReductionOperator.MAX;
      case "PreMulSum" -> ReductionOperator.PRE_MUL_SUM;
      case "SumPostDiv" -> ReductionOperator.AVG;
      default -> ReductionOperator.SUM;
    };
  }
}
