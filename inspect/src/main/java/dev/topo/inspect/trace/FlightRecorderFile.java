package dev.topo.inspect.trace;

import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a dump of PyTorch's Flight Recorder ({@code torch._C._distributed_c10d._dump_nccl_trace},
 * {@code TORCH_NCCL_DEBUG_INFO_TEMP_FILE}): the last calls of a rank with their sizes; durations,
 * present if TORCH_NCCL_ENABLE_TIMING was set, are not used because they include the launch.
 */
final class FlightRecorderFile {
  private static final String EXPECTED = "expected a dump of PyTorch's Flight Recorder";

  /** Peer in {@code send 0->1} and {@code recv 0<-1}. */
  private static final Pattern PEER = Pattern.compile("\\D*\\d{1,7}(?:->|<-)(\\d{1,7})");

  /** Fields with which a dump in JSON may begin. */
  static final Set<String> FIELDS =
      Set.of(
          "entries",
          "comm_lib_version",
          "host_name",
          "nccl_comm_state",
          "nccl_version",
          "pg_config",
          "pg_status",
          "rank",
          "version");

  private final String file;
  private final Map<String, ProcessGroup> groups = new HashMap<>();
  private final KeptMemory kept = new KeptMemory(this::wrong);

  private FlightRecorderFile(String file) {
    this.file = file;
  }

  /** Reads a dump from its pickle or JSON, given as maps, lists, texts and numbers. */
  static RankTrace read(Object dump, String file) {
    return new FlightRecorderFile(file).trace(dump);
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
    for (int i = 0; i < entries.size(); i++) {
      if (!(entries.get(i) instanceof Map<?, ?> entry)) {
        throw wrong("entries[" + i + "] is no dictionary");
      }
      CallKind kind = kind(entry, map.get("pg_config"), "entries[" + i + "]");
      trace.add(trace.number(kind, kept::reserve), 1);
    }
    return trace.worldSize(worldSize(groups.values())).build();
  }

  private static int worldSize(Collection<ProcessGroup> groups) {
    return groups.stream()
        .flatMap(group -> group.ranks().stream())
        .mapToInt(rank -> rank + 1)
        .max()
        .orElse(0);
  }

  private CallKind kind(Map<?, ?> entry, @Nullable Object configs, String path) {
    String name = text(entry.get("profiling_name")).replaceFirst("^nccl:", "");
    Optional<DataType> type =
        firstDataType(entry.get("input_dtypes"))
            .or(() -> firstDataType(entry.get("output_dtypes")));
    Optional<Operation> operation = type.flatMap(known -> CallNames.operation(name));
    long size = type.map(DataType::sizeBytes).orElse(1);
    long in = elements(entry.get("input_sizes"), path + ".input_sizes");
    long out = elements(entry.get("output_sizes"), path + ".output_sizes");
    ProcessGroup group = group(entry.get("process_group"), configs);
    boolean isPair = operation.equals(Optional.of(PeerOperation.SENDRECV));
    return CallKind.of(
            group, name, operation, Math.max(in, out) * size, type.orElse(DataType.UINT8))
        .between(isPair ? peer(name, path) : -1, !CallNames.isReceive(name));
  }

  /**
   * Rank of the peer, the second number in {@code send 0->1} and {@code recv 0<-1}; -1 if there is
   * none.
   */
  private int peer(String name, String path) {
    Matcher peer = PEER.matcher(name);
    if (peer.matches() && Integer.parseInt(peer.group(1)) <= TraceLimits.MAX_RANKS) {
      return Integer.parseInt(peer.group(1));
    }
    if (name.matches("\\w*")) {
      return -1;
    }
    throw wrong("%s.profiling_name is \"%s\", as send 0->1".formatted(path, name));
  }

  private ProcessGroup group(@Nullable Object names, @Nullable Object configs) {
    String name = "";
    String description = "";
    if (names instanceof List<?> pair && pair.size() == 2) {
      name = text(pair.get(0));
      description = text(pair.get(1));
    }
    ProcessGroup known = groups.get(name);
    if (known == null) {
      Object config = configs instanceof Map<?, ?> byName ? byName.get(name) : null;
      Object ranks = config instanceof Map<?, ?> members ? members.get("ranks") : null;
      known = new ProcessGroup(name, description, ranks(name, text(ranks)));
      groups.put(name, known);
    }
    return known;
  }

  private List<Integer> ranks(String group, String text) {
    Optional<NumberList> list = NumberList.parse(text, TraceLimits.MAX_RANKS);
    Optional<List<Integer>> ranks = list.flatMap(NumberList::ranks);
    if (ranks.isEmpty()) {
      throw wrong(
          "pg_config[\"%s\"].ranks is \"%s\", not a list of ranks, each once"
              .formatted(group, text));
    }
    kept.reserve((long) KeptMemory.RANK_BYTES * ranks.get().size());
    return list.get().isCut() ? List.of() : ranks.get();
  }

  private static String text(@Nullable Object value) {
    return value instanceof String text ? text : "";
  }

  private static Optional<DataType> firstDataType(@Nullable Object list) {
    return list instanceof List<?> types && !types.isEmpty()
        ? CallNames.dataType(text(types.get(0)))
        : Optional.empty();
  }

  /** Number of elements in all tensors of a call. */
  private long elements(@Nullable Object sizes, String path) {
    long sum = 0;
    if (sizes instanceof List<?> tensors) {
      for (Object tensor : tensors) {
        sum += elementsOf(tensor, path);
        if (sum > TraceLimits.MAX_ELEMENTS) {
          throw tooLarge(path);
        }
      }
    }
    return sum;
  }

  private long elementsOf(Object tensor, String path) {
    if (!(tensor instanceof List<?> dimensions)) {
      throw wrong(path + " has a size that is no list");
    }
    long product = 1;
    for (Object dimension : dimensions) {
      if (!(dimension instanceof Long length) || length < 0) {
        throw wrong("%s has the length %s, not a number of 0 or more".formatted(path, dimension));
      }
      if (length > 0 && product > TraceLimits.MAX_ELEMENTS / length) {
        throw tooLarge(path);
      }
      product *= length;
    }
    return product;
  }

  private TopologyFormatException tooLarge(String path) {
    return wrong("%s has more than %s elements".formatted(path, TraceLimits.MAX_ELEMENTS));
  }

  private TopologyFormatException wrong(String what) {
    return new TopologyFormatException(file, what + ", " + EXPECTED);
  }
}
