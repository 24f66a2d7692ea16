package dev.topo.inspect.trace;

import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads output of NCCL Inspector ({@code nccl:ext-profiler/inspector}): consecutive objects, one
 * for each call, with the communicator, the rank in it, the size and the time. The time of a call
 * is that of its kernel, including waits. Single use.
 */
final class InspectorTrace {
  /** Approximate memory of a call, and of a trace with its first calls, in bytes. */
  private static final int CALL_BYTES = 32;

  private static final int TRACE_BYTES = 8192;

  private final JsonTrace json;
  private final JsonParser parser;
  private final String file;
  private final Map<String, ProcessGroup> groups = new HashMap<>();
  private final Map<Member, RankTrace.Builder> traces = new LinkedHashMap<>();

  private String id = "";
  private int rank;
  private int nRanks;
  private String operation = "";
  private long bytes;
  private double timeUs;
  private boolean hasHeader;
  private boolean hasCall;

  /** Rank in a communicator; a process may belong to several communicators. */
  private record Member(String id, int rank) {}

  InspectorTrace(JsonTrace json, String file) {
    this.json = json;
    this.parser = json.parser();
    this.file = file;
  }

  /**
   * Reads the traces, one for each communicator; the parser is at the first name of the first
   * object.
   */
  List<RankTrace> read() {
    String first = parser.currentName();
    while (true) {
      object(first);
      if (parser.nextToken() == null) {
        break;
      }
      json.expect(JsonToken.START_OBJECT);
      first = parser.nextName();
    }
    return traces.values().stream().map(RankTrace.Builder::build).toList();
  }

  private void object(@Nullable String first) {
    id = "";
    rank = -1;
    nRanks = 0;
    operation = "";
    bytes = -1;
    timeUs = Double.NaN;
    hasHeader = false;
    hasCall = false;
    json.fields(
        first,
        field -> {
          switch (field) {
            case "header" -> header();
            case "coll_perf" -> call();
            default -> parser.skipChildren();
          }
        });
    if (!hasHeader) {
      throw json.wrong("an object has no header, expected one of NCCL Inspector");
    }
    if (hasCall) {
      add();
    }
  }

  private void header() {
    json.expect(JsonToken.START_OBJECT);
    hasHeader = true;
    json.fields(
        field -> {
          switch (field) {
            case "id" -> id = json.text();
            case "rank" -> rank = json.count(field, TraceLimits.MAX_RANKS);
            case "n_ranks" -> nRanks = json.count(field, TraceLimits.MAX_RANKS);
            default -> parser.skipChildren();
          }
        });
  }

  private void call() {
    json.expect(JsonToken.START_OBJECT);
    hasCall = true;
    json.fields(
        field -> {
          switch (field) {
            case "coll" -> operation = json.text();
            case "coll_msg_size_bytes" -> bytes = json.integer(field, 0, TraceLimits.MAX_BYTES);
            case "coll_exec_time_us" -> timeUs = json.number(field);
            default -> parser.skipChildren();
          }
        });
  }

  private void add() {
    check();
    ProcessGroup group = group();
    RankTrace.Builder trace = traces.computeIfAbsent(new Member(id, rank), key -> trace());
    Optional<Operation> known = CallNames.operation(operation);
    CallKind kind = CallKind.of(group, operation, known, size(known), DataType.UINT8);
    int number = trace.number(kind, json::reserve);
    json.reserve(CALL_BYTES);
    trace.addWithDuration(number, timeUs);
  }

  private RankTrace.Builder trace() {
    json.reserve(TRACE_BYTES);
    return new RankTrace.Builder(file, Times.DURATION).rank(rank).worldSize(nRanks);
  }

  private void check() {
    if (rank < 0 || rank >= nRanks) {
      throw json.wrong(
          "rank " + rank + " of n_ranks " + nRanks + ", expected a rank below n_ranks");
    }
    if (operation.isEmpty() || bytes < 0 || Double.isNaN(timeUs)) {
      throw json.wrong(
          "coll_perf has no coll, coll_msg_size_bytes or coll_exec_time_us, expected all three");
    }
    if (timeUs < 0 || timeUs >= RankTrace.MAX_DURATION_US) {
      throw json.wrong("coll_exec_time_us is " + timeUs + ", expected 0 to ten minutes");
    }
  }

  private ProcessGroup group() {
    ProcessGroup known = groups.get(id);
    if (known == null) {
      json.reserve((long) KeptMemory.RANK_BYTES * nRanks);
      known = new ProcessGroup(id, "", IntStream.range(0, nRanks).boxed().toList());
      groups.put(id, known);
    } else if (known.size() != nRanks) {
      throw json.wrong(
          "communicator %s has n_ranks %s, and %s before: expected one number"
              .formatted(id, nRanks, known.size()));
    }
    return known;
  }

  /**
   * Size of the call in bytes. The file states the size of its count; AllGather and ReduceScatter
   * transfer one such part for each rank.
   */
  private long size(Optional<Operation> known) {
    boolean isPerRank =
        known.isPresent()
            && (known.get() == Collective.ALL_GATHER || known.get() == Collective.REDUCE_SCATTER);
    if (isPerRank && bytes > TraceLimits.MAX_BYTES / nRanks) {
      throw json.wrong(
          "coll_msg_size_bytes is %s for each of %s ranks, expected at most %s together"
              .formatted(bytes, nRanks, TraceLimits.MAX_BYTES));
    }
    return isPerRank ? bytes * nRanks : bytes;
  }
}
