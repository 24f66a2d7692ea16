package dev.topo.workload.trace;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.DataType;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.ReductionOperator;
import dev.topo.workload.CallKind;
import dev.topo.workload.ProcessGroup;
import dev.topo.workload.RankTrace;
import dev.topo.workload.RankTrace.Times;
import dev.topo.workload.protobuf.Message;
import dev.topo.workload.protobuf.MessageReader;
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
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a Chakra execution trace: the messages {@code GlobalMetadata} and {@code Node} of {@code
 * mlcommons/chakra:schema/protobuf/et_def.proto} (2026), each with its length before it ({@code
 * src/third_party/utils/protolib.py}). Calls are nodes on the GPU with the attributes that {@code
 * src/converter/pytorch_converter.py} gives them. A trace for each process group, as calls have no
 * starts. Used once.
 */
final class ChakraFile {
  /** The schema's numbers of the fields of {@code GlobalMetadata}. */
  private static final int VERSION = 1;

  private static final int METADATA_ATTRIBUTE = 2;

  /** Those of {@code Node}. */
  private static final int NAME = 2;

  private static final int TYPE = 3;
  private static final int DURATION_MICROS = 7;
  private static final int INPUTS = 8;
  private static final int ATTRIBUTE = 10;

  /** Those of {@code IOInfo} and {@code AttributeProto}. */
  private static final int TYPES = 3;

  private static final int ATTRIBUTE_NAME = 1;
  private static final int INT64 = 9;
  private static final int UINT64 = 13;
  private static final int BOOL = 27;
  private static final int STRING = 29;

  /** Values of {@code NodeType}. */
  private static final int SEND_NODE = 5;

  private static final int RECEIVE_NODE = 6;
  private static final int COLLECTIVE_NODE = 7;

  /** {@code CollectiveCommType} by its numbers; a barrier is an AllReduce. */
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

  /** Bytes that tell a Chakra trace from text: more than a version has. */
  static final int START = 64;

  private static final int LEAST_LENGTH = 4;
  private static final Pattern RELEASE = Pattern.compile("\\d[\\w.+-]*");
  private static final int TAG_VERSION = VERSION << 3 | 2;
  private static final int TAG_ATTRIBUTE = METADATA_ATTRIBUTE << 3 | 2;
  private static final int TAG_ATTRIBUTE_NAME = ATTRIBUTE_NAME << 3 | 2;

  /** Between the made up ends of calls; longer than a call takes, ten minutes. */
  private static final double APART_US = 600e6;

  private static final long MOST_BYTES = 1L << 50;

  /** As of {@code Tensor(c10::BFloat16)}. */
  private static final Pattern TENSOR = Pattern.compile("Tensor\\((?:c10::)?([\\w ]+)\\)");

  /** The rank is the last number of the name: {@code llama.3.et}. */
  private static final Pattern RANK = Pattern.compile(".*\\.(\\d{1,7})\\.et(?:\\.gz)?");

  /** What such traces leave open. */
  static final String NOTE =
      "Chakra traces do not list the ranks of process groups: a group is taken to have the ranks whose traces have calls of"
          + " it, and an all-gather that many times the size of its input";

  private final String file;
  private final int rank;
  private final Map<CallKind, CallKind> kinds = new HashMap<>();
  private final Map<String, List<Call>> groups = new LinkedHashMap<>();

  /** A call; 0 where the trace has no duration of it. */
  private record Call(CallKind kind, long durationUs) {}

  private ChakraFile(String file, int place) {
    this.file = file;
    Matcher name = RANK.matcher(String.valueOf(Path.of(file).getFileName()));
    this.rank = name.matches() ? Integer.parseInt(name.group(1)) : place;
  }

  /** Whether bytes are the first ones of a Chakra trace: the metadata before its nodes. */
  static boolean isChakra(byte[] first) {
    if (first.length < LEAST_LENGTH || first[0] < LEAST_LENGTH) {
      return false;
    }
    if (first[1] == TAG_VERSION) {
      int end = 3 + first[2];
      return first[2] > 0
          && end <= Math.min(first.length, first[0] + 1)
          && RELEASE.matcher(new String(first, 3, first[2], StandardCharsets.ISO_8859_1)).matches();
    }
    return first[1] == TAG_ATTRIBUTE && first[2] > 2 && first[3] == TAG_ATTRIBUTE_NAME;
  }

  /**
   * The calls of a trace, by process group. The ranks of groups are not in the file.
   *
   * @param place the rank where the name of the file has none
   */
  static List<RankTrace> read(InputStream in, String file, int place) throws IOException {
    return new ChakraFile(file, place).traces(new MessageReader(in, file));
  }

  private List<RankTrace> traces(MessageReader reader) throws IOException {
    reader.next(); // the metadata have nothing of the calls
    for (Optional<Message> node = reader.next(); node.isPresent(); node = reader.next()) {
      long type = node.get().number(TYPE).orElse(0);
      if (type == SEND_NODE || type == RECEIVE_NODE || type == COLLECTIVE_NODE) {
        add(node.get(), type);
      }
    }
    return groups.values().stream().map(this::trace).toList();
  }

  /** Traces that were made up have no durations. */
  private RankTrace trace(List<Call> calls) {
    boolean isTimed = calls.stream().anyMatch(call -> call.durationUs > 0);
    RankTrace.Builder trace =
        new RankTrace.Builder(file, isTimed ? Times.DURATION : Times.NONE).rank(rank).note(NOTE);
    for (Call call : calls) {
      int kind = trace.number(call.kind);
      if (isTimed) {
        double us = Math.min(call.durationUs, APART_US / 2);
        trace.add(kind, (trace.size() + 1) * APART_US - us, us);
      } else {
        trace.add(kind, 1);
      }
    }
    return trace.build();
  }

  private void add(Message node, long type) {
    Map<String, Message> attributes = new HashMap<>();
    node.messages(ATTRIBUTE)
        .forEach(one -> attributes.put(one.text(ATTRIBUTE_NAME).orElse(""), one));
    Optional<Message> size = Optional.ofNullable(attributes.get("comm_size"));
    boolean isOnHost =
        Optional.ofNullable(attributes.get("is_cpu_op")).stream()
            .anyMatch(one -> one.number(BOOL).orElse(0) != 0);
    if (size.isEmpty() || isOnHost) {
      return; // the call on the host, of which there is a kernel, too
    }
    long bytes = whole(size.get()).orElse(0);
    if (bytes < 0 || bytes > MOST_BYTES) {
      throw new TopologyFormatException(
          SourceLocation.of(file),
          "node %s: comm_size %d, expected 0 or more bytes"
              .formatted(node.text(NAME).orElse(""), bytes));
    }
    String group =
        Optional.ofNullable(attributes.get("pg_name")).flatMap(one -> one.text(STRING)).orElse("");
    CallKind kind = kinds.computeIfAbsent(kind(node, type, group, bytes, attributes), key -> key);
    long duration = Math.max(0, node.number(DURATION_MICROS).orElse(0));
    groups.computeIfAbsent(group, name -> new ArrayList<>()).add(new Call(kind, duration));
  }

  private static CallKind kind(
      Message node, long type, String group, long bytes, Map<String, Message> attributes) {
    OptionalLong number =
        Optional.ofNullable(attributes.get("comm_type"))
            .map(ChakraFile::whole)
            .orElse(OptionalLong.empty());
    Optional<Operation> operation =
        type != COLLECTIVE_NODE
            ? Optional.of(PeerOperation.SENDRECV)
            : number.isPresent()
                    && number.getAsLong() >= 0
                    && number.getAsLong() < OPERATIONS.size()
                ? Optional.of(OPERATIONS.get((int) number.getAsLong()))
                : Optional.empty();
    return new CallKind(
        new ProcessGroup(group, "", List.of()),
        node.text(NAME).orElse(""),
        operation,
        bytes,
        dataType(node),
        ReductionOperator.SUM,
        List.of(),
        -1,
        type != RECEIVE_NODE,
        Optional.empty());
  }

  /** Converters write either type. */
  private static OptionalLong whole(Message attribute) {
    OptionalLong value = attribute.number(INT64);
    return value.isPresent() ? value : attribute.number(UINT64);
  }

  private static DataType dataType(Message node) {
    String types = node.message(INPUTS).flatMap(one -> one.text(TYPES)).orElse("");
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
