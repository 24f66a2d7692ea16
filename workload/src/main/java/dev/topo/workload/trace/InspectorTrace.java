package dev.topo.workload.trace;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.DataType;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.ReductionOperator;
import dev.topo.workload.CallKind;
import dev.topo.workload.ProcessGroup;
import dev.topo.workload.RankTrace;
import dev.topo.workload.RankTrace.Times;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads what NCCL Inspector wrote ({@code nccl:ext-profiler/inspector}): an object for each call,
 * one after the other, with communicator, rank in it, size and time. Ranks are those of the
 * communicator, and the time of a call is that of its kernel, waiting included. Used once.
 */
final class InspectorTrace {
  /** Between the made up ends of calls; longer than a call takes, ten minutes. */
  private static final double APART_US = 600e6;

  private static final int MOST_RANKS = 1 << 20;

  private final JsonTrace json;
  private final JsonParser parser;
  private final String file;
  private final Map<String, Communicator> communicators = new LinkedHashMap<>();

  private String id = "";
  private long rank;
  private long nRanks;
  private String operation = "";
  private long bytes;
  private double timeUs;
  private boolean hasCall;

  /** The calls of a communicator so far. */
  private record Communicator(RankTrace.Builder trace, ProcessGroup group) {}

  InspectorTrace(JsonTrace json, String file) {
    this.json = json;
    this.parser = json.parser();
    this.file = file;
  }

  /** The traces, one for each communicator; the parser is at the first name of the first object. */
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
    return communicators.values().stream().map(one -> one.trace.build()).toList();
  }

  private void object(@Nullable String first) {
    id = "";
    rank = -1;
    nRanks = 0;
    hasCall = false;
    for (String field = first; field != null; field = parser.nextName()) {
      parser.nextToken();
      switch (field) {
        case "header" -> header();
        case "coll_perf" -> call();
        default -> parser.skipChildren();
      }
    }
    if (hasCall) {
      add();
    }
  }

  private void header() {
    json.expect(JsonToken.START_OBJECT);
    for (String field = parser.nextName(); field != null; field = parser.nextName()) {
      parser.nextToken();
      switch (field) {
        case "id" -> id = json.text();
        case "rank" -> rank = json.whole(field);
        case "n_ranks" -> nRanks = json.whole(field);
        default -> parser.skipChildren();
      }
    }
  }

  private void call() {
    json.expect(JsonToken.START_OBJECT);
    hasCall = true;
    for (String field = parser.nextName(); field != null; field = parser.nextName()) {
      parser.nextToken();
      switch (field) {
        case "coll" -> operation = json.text();
        case "coll_msg_size_bytes" -> bytes = json.whole(field);
        case "coll_exec_time_us" -> timeUs = json.number(field);
        default -> parser.skipChildren();
      }
    }
  }

  private void add() {
    if (nRanks < 1 || nRanks > MOST_RANKS || rank < 0 || rank >= nRanks) {
      throw json.wrong(
          "rank " + rank + " of n_ranks " + nRanks + ", expected a rank below n_ranks");
    }
    if (!(timeUs >= 0 && timeUs < APART_US) || bytes < 0) {
      throw json.wrong(
          "coll_exec_time_us "
              + timeUs
              + " and coll_msg_size_bytes "
              + bytes
              + ", expected 0 or more");
    }
    Communicator of =
        communicators.computeIfAbsent(
            id,
            key ->
                new Communicator(
                    new RankTrace.Builder(file, Times.DURATION)
                        .rank((int) rank)
                        .worldSize((int) nRanks),
                    new ProcessGroup(key, "", IntStream.range(0, (int) nRanks).boxed().toList())));
    Optional<Operation> known = CallNames.operation(operation);
    CallKind kind =
        new CallKind(
            of.group,
            operation,
            known,
            size(known),
            DataType.UINT8,
            ReductionOperator.SUM,
            List.of(),
            -1,
            true,
            Optional.empty());
    double end = (of.trace.size() + 1) * APART_US;
    of.trace.add(of.trace.number(kind), end - timeUs, timeUs);
  }

  /** The file has the count of the call, of which AllGather and ReduceScatter move one per rank. */
  private long size(Optional<Operation> known) {
    boolean isOfPart =
        known.isPresent()
            && (known.get() == Collective.ALL_GATHER || known.get() == Collective.REDUCE_SCATTER);
    return isOfPart ? bytes * nRanks : bytes;
  }
}
