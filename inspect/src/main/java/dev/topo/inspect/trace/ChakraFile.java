package dev.topo.inspect.trace;

import static dev.topo.inspect.trace.MessageReader.FIELD_SHIFT;
import static dev.topo.inspect.trace.MessageReader.LENGTH_DELIMITED;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a Chakra execution trace: the messages {@code GlobalMetadata} and {@code Node} of {@code
 * mlcommons/chakra:schema/protobuf/et_def.proto} (2026), each preceded by its length ({@code
 * src/third_party/utils/protolib.py}). Calls are nodes on the GPU with the attributes that {@code
 * src/converter/pytorch_converter.py} gives them. Returns a trace for each process group, because
 * calls have no start times. Single use.
 */
final class ChakraFile {
  /** Values of {@code NodeType}. */
  private static final int SEND_NODE = 5;

  private static final int RECEIVE_NODE = 6;
  private static final int COLLECTIVE_NODE = 7;

  /** {@code CollectiveCommType} by number; a barrier is an AllReduce. */
  private static final List<Operation> OPERATIONS =
      List.of(
          Collective.ALL_REDUCE,
          Collective.REDUCE,
          Collective.ALL_GATHER,
          PeerOperation.GATHER,
          PeerOperation.SCATTER,
          Collective.BROADCAST,
          PeerOperation.ALLTOALL,
          Collective.REDUCE_SCATTER,
          Collective.REDUCE_SCATTER,
          Collective.ALL_REDUCE);

  /**
   * Number of leading bytes needed to recognize a Chakra trace: more than its version field takes.
   */
  static final int SIGNATURE_BYTES = 64;

  private static final int MIN_LENGTH = 4;
  private static final Pattern RELEASE = Pattern.compile("\\d[\\w.+-]*");

  /** Tags of {@code GlobalMetadata}: its version, or an attribute with a name. */
  private static final int VERSION = 1 << FIELD_SHIFT | LENGTH_DELIMITED;

  private static final int ATTRIBUTE = 2 << FIELD_SHIFT | LENGTH_DELIMITED;
  private static final int ATTRIBUTE_NAME = 1 << FIELD_SHIFT | LENGTH_DELIMITED;

  /** Type as in {@code Tensor(c10::BFloat16)}. */
  private static final Pattern TENSOR = Pattern.compile("Tensor\\((?:c10::)?([\\w ]+)\\)");

  /** File name with the rank as its last number: {@code llama.3.et}. */
  private static final Pattern RANK = Pattern.compile(".*\\.(\\d{1,7})\\.et(?:\\.gz)?");

  /** Note on what Chakra traces do not contain. */
  static final String NOTE =
      "Chakra traces do not list the ranks of process groups: a group is taken to have the ranks whose traces have calls of"
          + " it, and an all-gather that many times the size of its input";

  /** Approximate memory of a call and its list entry, in bytes. */
  private static final int CALL_BYTES = 32;

  private final MessageReader reader;
  private final String file;
  private final int rank;
  private final KeptMemory kept;
  private final Map<CallKind, CallKind> kinds = new HashMap<>();
  private final Map<String, List<Call>> groups = new LinkedHashMap<>();

  /**
   * Call of a trace.
   *
   * @param durationUs duration in microseconds; 0 if the trace has none
   */
  private record Call(CallKind kind, long durationUs) {}

  private ChakraFile(MessageReader reader, String file, int defaultRank) {
    this.reader = reader;
    this.kept = new KeptMemory(reader::wrong);
    this.file = file;
    Matcher name = RANK.matcher(String.valueOf(Path.of(file).getFileName()));
    this.rank = name.matches() ? Integer.parseInt(name.group(1)) : defaultRank;
  }

  /** True if a file starts like a Chakra trace: with the metadata before its nodes. */
  static boolean isChakra(byte[] first) {
    if (first.length < MIN_LENGTH || first[0] < MIN_LENGTH) {
      return false;
    }
    if (first[1] == VERSION) {
      int end = 3 + first[2];
      return first[2] > 0
          && end <= Math.min(first.length, first[0] + 1)
          && RELEASE.matcher(new String(first, 3, first[2], StandardCharsets.ISO_8859_1)).matches();
    }
    return first[1] == ATTRIBUTE && first[2] > 2 && first[3] == ATTRIBUTE_NAME;
  }

  /**
   * Reads a file and returns a trace for each process group. The file does not list the ranks of
   * groups.
   *
   * @param defaultRank rank to use if the file name has none
   */
  static List<RankTrace> read(InputStream in, String file, int defaultRank) throws IOException {
    MessageReader reader = new MessageReader(in, file);
    try {
      return new ChakraFile(reader, file, defaultRank).traces();
    } catch (InvalidProtocolBufferException e) {
      throw reader.damaged(e);
    }
  }

  private List<RankTrace> traces() throws IOException {
    reader.next();
    while (reader.tag() != 0) {
      reader.skip(); // the metadata do not concern the calls
    }
    while (reader.next()) {
      add(ChakraNode.read(reader));
    }
    return groups.values().stream().map(this::trace).toList();
  }

  /** Builds the trace of one process group; synthetic traces have no durations. */
  private RankTrace trace(List<Call> calls) {
    boolean isTimed = calls.stream().anyMatch(call -> call.durationUs > 0);
    RankTrace.Builder trace =
        new RankTrace.Builder(file, isTimed ? Times.DURATION : Times.NONE).rank(rank).note(NOTE);
    for (Call call : calls) {
      int kind = trace.number(call.kind);
      if (isTimed) {
        trace.addWithDuration(kind, call.durationUs);
      } else {
        trace.add(kind, 1);
      }
    }
    return trace.build();
  }

  private void add(ChakraNode node) {
    long type = node.type();
    boolean isCall = type == SEND_NODE || type == RECEIVE_NODE || type == COLLECTIVE_NODE;
    if (!isCall || node.size().isEmpty() || node.isOnHost()) {
      return; // not a call, or the host side of a call that also has a kernel
    }
    long bytes = node.size().getAsLong();
    if (bytes < 0 || bytes > TraceLimits.MAX_BYTES) {
      throw wrong(node, "comm_size " + bytes, "0 to 16 TiB in bytes");
    }
    long duration = node.durationUs();
    if (duration < 0 || duration >= RankTrace.MAX_DURATION_US) {
      throw wrong(node, "duration_micros " + duration, "less than ten minutes");
    }
    CallKind found = kind(node, bytes);
    CallKind kind = kinds.computeIfAbsent(found, key -> key);
    kept.reserve(CALL_BYTES + (kind == found ? KeptMemory.of(found) : 0));
    groups.computeIfAbsent(node.group(), name -> new ArrayList<>()).add(new Call(kind, duration));
  }

  private TopologyFormatException wrong(ChakraNode node, String what, String expected) {
    return reader.wrong("node %s: %s, expected %s".formatted(node.name(), what, expected));
  }

  private static CallKind kind(ChakraNode node, long bytes) {
    ProcessGroup group = new ProcessGroup(node.group(), "", List.of());
    return CallKind.of(group, node.name(), operation(node), bytes, dataType(node.inputTypes()))
        .between(-1, node.type() != RECEIVE_NODE);
  }

  private static Optional<Operation> operation(ChakraNode node) {
    if (node.type() != COLLECTIVE_NODE) {
      return Optional.of(PeerOperation.SENDRECV);
    }
    long number = node.collective().orElse(-1);
    return number >= 0 && number < OPERATIONS.size()
        ? Optional.of(OPERATIONS.get((int) number))
        : Optional.empty();
  }

  private static DataType dataType(String types) {
    Matcher first = TENSOR.matcher(types);
    if (!first.find()) {
      return DataType.UINT8;
    }
    String name =
        switch (first.group(1)) {
          case "long int" -> "long";
          case "unsigned char" -> "byte";
          case "signed char" -> "char";
          default -> first.group(1);
        };
    return CallNames.dataType(name).orElse(DataType.UINT8);
  }
}
