package dev.topo.inspect.trace;

import static dev.topo.inspect.trace.TraceLimits.MAX_RANKS;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Header of a trace of PyTorch's profiler: rank, groups, NCCL version and GPU. */
final class ProfilerHeader {
  private final JsonTrace json;
  private final JsonParser parser;
  private final RankTrace.Builder trace;
  private final Map<String, List<Integer>> groups = new HashMap<>();
  private final Map<String, Integer> sizes = new HashMap<>();
  private final Set<String> fields = new HashSet<>();
  private OptionalInt rank = OptionalInt.empty();
  private int worldSize;

  ProfilerHeader(JsonTrace json, RankTrace.Builder trace) {
    this.json = json;
    this.parser = json.parser();
    this.trace = trace;
  }

  /** Rejects a second occurrence of a field of the document. */
  void requireFirst(String field) {
    if (!fields.add(field)) {
      throw json.wrong("\"" + field + "\" is there twice, expected it once");
    }
  }

  /** Rank, if the trace states it. */
  /** True if the trace has a field that must not be there twice. */
  boolean has(String field) {
    return fields.contains(field);
  }

  OptionalInt rank() {
    return rank;
  }

  /**
   * Ranks of process groups by name: those that the trace lists, and for other groups of the job's
   * size all ranks.
   */
  Map<String, List<Integer>> groups(List<KernelEvent> kinds) {
    List<Integer> ranks = IntStream.range(0, worldSize).boxed().toList();
    for (KernelEvent event : kinds) {
      if (worldSize > 0 && event.groupSize() == worldSize) {
        groups.putIfAbsent(event.group(), ranks);
      }
    }
    return groups;
  }

  /** Rejects a group with another number of ranks than before. */
  void requireSize(String group, int size) {
    Integer before = sizes.putIfAbsent(group, size);
    if (before != null && before != size) {
      throw json.wrong(
          "group \"%s\" has %s ranks, and %s elsewhere: expected one number"
              .formatted(group, size, before));
    }
  }

  /** Reads the GPUs of the host; they are taken to be of one model. */
  void devices() {
    json.objects(this::device);
  }

  private void device() {
    String device = "";
    int major = 0;
    int minor = 0;
    for (String field = parser.nextName(); field != null; field = parser.nextName()) {
      parser.nextToken();
      switch (field) {
        case "name" -> device = json.text();
        case "computeMajor" -> major = json.count(field, MAX_RANKS);
        case "computeMinor" -> minor = json.count(field, MAX_RANKS);
        default -> parser.skipChildren();
      }
    }
    if (major > 0 && !device.isEmpty()) {
      trace.gpu(new TracedGpu(device, 10 * major + minor));
    }
  }

  void distributedInfo() {
    json.expect(JsonToken.START_OBJECT);
    json.fields(
        field -> {
          switch (field) {
            case "rank" -> rank = OptionalInt.of(json.count("rank", MAX_RANKS));
            case "world_size" -> worldSize = json.count("world_size", MAX_RANKS);
            case "nccl_version" -> {
              String version = json.text();
              if (!version.isBlank()) {
                trace.ncclVersion(version);
              }
            }
            case "pg_config" -> json.objects(this::group);
            default -> parser.skipChildren();
          }
        });
    if (worldSize > 0) {
      trace.worldSize(worldSize);
    }
    if (worldSize > 0 && rank.orElse(0) >= worldSize) {
      throw json.wrong(
          "rank is %s and world_size %s, expected a rank below it"
              .formatted(rank.getAsInt(), worldSize));
    }
  }

  private void group() {
    String name = "";
    List<Integer> members = new ArrayList<>();
    for (String field = parser.nextName(); field != null; field = parser.nextName()) {
      parser.nextToken();
      if (field.equals("pg_name")) {
        name = json.text();
      } else if (field.equals("ranks") && parser.currentToken() == JsonToken.START_ARRAY) {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          json.reserve(KeptMemory.RANK_BYTES);
          members.add(json.count("ranks", MAX_RANKS));
        }
      } else {
        parser.skipChildren();
      }
    }
    if (new HashSet<>(members).size() < members.size()) {
      throw json.wrong("group \"" + name + "\" has a rank twice, expected each once");
    }
    if (!members.isEmpty()) {
      requireSize(name, members.size());
    }
    groups.put(name, members);
  }
}
