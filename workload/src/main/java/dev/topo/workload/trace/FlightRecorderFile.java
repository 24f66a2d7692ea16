package dev.topo.workload.trace;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.operation.DataType;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.ReductionOperator;
import dev.topo.workload.CallKind;
import dev.topo.workload.ProcessGroup;
import dev.topo.workload.RankTrace;
import dev.topo.workload.RankTrace.Times;
import dev.topo.workload.pickle.PickleReader;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a dump of PyTorch's Flight Recorder ({@code torch._C._distributed_c10d._dump_nccl_trace},
 * {@code TORCH_NCCL_DEBUG_INFO_TEMP_FILE}): the last calls of a rank with their sizes; durations
 * only where TORCH_NCCL_ENABLE_TIMING was set, which are not used: they contain the launch.
 */
final class FlightRecorderFile {
  private static final String EXPECTED = "expected a dump of PyTorch's Flight Recorder";
  private static final long MOST_ELEMENTS = 1L << 42;

  private final String file;

  private FlightRecorderFile(String file) {
    this.file = file;
  }

  /** The calls of a dump. */
  static RankTrace read(InputStream in, String file) {
    return new FlightRecorderFile(file).trace(PickleReader.read(in, file));
  }

  private RankTrace trace(Object dump) {
    if (!(dump instanceof Map<?, ?> map) || !(map.get("entries") instanceof List<?> entries)) {
      throw wrong("has no entries");
    }
    RankTrace.Builder trace = new RankTrace.Builder(file, Times.NONE);
    if (map.get("comm_lib_version") instanceof String version) {
      trace.ncclVersion(version);
    } else if (map.get("nccl_version") instanceof String version) {
      trace.ncclVersion(version);
    }
    int worldSize = 0;
    for (int i = 0; i < entries.size(); i++) {
      if (!(entries.get(i) instanceof Map<?, ?> entry)) {
        throw wrong("entries[" + i + "] is no dictionary");
      }
      CallKind kind = kind(entry, map.get("pg_config"), i);
      worldSize =
          Math.max(worldSize, kind.group().ranks().stream().mapToInt(r -> r + 1).max().orElse(0));
      trace.add(trace.number(kind), 1);
    }
    return trace.worldSize(worldSize).build();
  }

  private CallKind kind(Map<?, ?> entry, @Nullable Object groups, int index) {
    String name = text(entry.get("profiling_name")).replaceFirst("^nccl:", "");
    Optional<DataType> type =
        types(entry.get("input_dtypes")).or(() -> types(entry.get("output_dtypes")));
    // Recorded as "send 0->1".
    Optional<Operation> operation = type.flatMap(known -> CallNames.operation(name));
    long size = type.map(DataType::sizeBytes).orElse(1);
    long in = elements(entry.get("input_sizes"), index);
    long out = elements(entry.get("output_sizes"), index);
    return new CallKind(
        group(entry.get("process_group"), groups),
        name,
        operation,
        Math.max(in, out) * size,
        type.orElse(DataType.UINT8),
        ReductionOperator.SUM,
        List.of(),
        operation.equals(Optional.of(PeerOperation.SENDRECV)) ? peer(name) : -1,
        !CallNames.isReceive(name),
        Optional.empty());
  }

  /** Of {@code send 0->1} and {@code recv 0<-1} the second number. */
  private static int peer(String name) {
    long[] numbers = KernelEvent.numbers(name).toArray();
    return numbers.length == 2 && numbers[1] < Integer.MAX_VALUE ? (int) numbers[1] : -1;
  }

  private static ProcessGroup group(@Nullable Object names, @Nullable Object groups) {
    String name = "";
    String description = "";
    if (names instanceof List<?> pair && pair.size() == 2) {
      name = text(pair.get(0));
      description = text(pair.get(1));
    }
    Object config = groups instanceof Map<?, ?> all ? all.get(name) : null;
    Object ranks = config instanceof Map<?, ?> one ? one.get("ranks") : null;
    return new ProcessGroup(
        name,
        description,
        ranks == null
            ? List.of()
            : KernelEvent.numbers(text(ranks))
                .filter(rank -> rank < Integer.MAX_VALUE)
                .mapToObj(rank -> (int) rank)
                .toList());
  }

  private static String text(@Nullable Object value) {
    return value instanceof String text ? text : "";
  }

  private static Optional<DataType> types(@Nullable Object list) {
    return list instanceof List<?> types && !types.isEmpty()
        ? CallNames.dataType(text(types.get(0)))
        : Optional.empty();
  }

  /** The elements of all tensors of a call. */
  private long elements(@Nullable Object sizes, int index) {
    long sum = 0;
    if (sizes instanceof List<?> tensors) {
      for (Object tensor : tensors) {
        long product = 1;
        if (!(tensor instanceof List<?> dimensions)) {
          throw wrong("entries[" + index + "] has a size that is no list");
        }
        for (Object dimension : dimensions) {
          if (!(dimension instanceof Long length) || length < 0 || length > MOST_ELEMENTS) {
            throw wrong("entries[" + index + "] has a size that is no number");
          }
          product = length == 0 ? 0 : Math.min(product, MOST_ELEMENTS / length) * length;
        }
        sum = Math.min(MOST_ELEMENTS, sum + product);
      }
    }
    return sum;
  }

  private TopologyFormatException wrong(String what) {
    return new TopologyFormatException(SourceLocation.of(file), what + ", " + EXPECTED);
  }
}
