package dev.topo.workload.trace;

import dev.topo.workload.RankTrace;
import dev.topo.workload.RankTrace.Times;
import dev.topo.workload.TracedGpu;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the trace of PyTorch's profiler (Kineto, {@code torch.profiler.export_chrome_trace}): its
 * header names rank, groups and NCCL's version, its events are kernels with what is known of the
 * call that launched them. Used once.
 */
final class ProfilerTrace {
  /** Kernels of NCCL, also of old releases: {@code ncclKernel_AllReduce_…}. */
  private static final String NCCL = "nccl";

  /** What PyTorch notes of a call on the host. */
  private static final String NOTE = "record_param_comms";

  private final JsonTrace json;
  private final JsonParser parser;
  private final RankTrace.Builder trace;
  private final Map<KernelEvent, Integer> numbers = new HashMap<>();
  private final List<KernelEvent> kinds = new ArrayList<>();
  private final Calls calls = new Calls();
  private final Exchanges exchanges = new Exchanges();
  private final Map<String, List<Integer>> groups = new HashMap<>();
  private OptionalInt rank = OptionalInt.empty();
  private final int place;
  private int worldSize;
  private int steps;
  private int optimizerSteps;

  // Of the current event.
  private String category = "";
  private String name = "";
  private double start;
  private double duration;
  private String call = "";
  private long inElements;
  private long outElements;
  private String dataType = "";
  private String group = "";
  private String description = "";
  private String ranks = "";
  private int groupSize;
  private String inSplit = "";
  private int peer = -1;
  private int grid;
  private int block;
  private long correlation;

  /** The calls, in the order of the file. */
  private static final class Calls {
    private long[] correlations = new long[256];
    private int[] kinds = new int[256];
    private double[] starts = new double[256];
    private double[] durations = new double[256];
    private int size;

    void add(int kind, double start, double duration, long correlation) {
      if (size == kinds.length) {
        correlations = Arrays.copyOf(correlations, 2 * size);
        kinds = Arrays.copyOf(kinds, 2 * size);
        starts = Arrays.copyOf(starts, 2 * size);
        durations = Arrays.copyOf(durations, 2 * size);
      }
      kinds[size] = kind;
      starts[size] = start;
      correlations[size] = correlation;
      durations[size++] = duration;
    }
  }

  ProfilerTrace(JsonTrace json, String file, int place) {
    this.json = json;
    this.parser = json.parser();
    this.place = place;
    this.trace = new RankTrace.Builder(file, Times.START_AND_DURATION);
  }

  /** A trace that is a list of events, as other tools cut them out. */
  RankTrace ofEvents() {
    events();
    return built();
  }

  /**
   * The trace of a document.
   *
   * @param first the name of its first field; null if it has none
   */
  RankTrace read(@Nullable String first) {
    boolean hasEvents = false;
    for (String field = first; field != null; field = parser.nextName()) {
      parser.nextToken();
      switch (field) {
        case "traceEvents" -> {
          json.expect(JsonToken.START_ARRAY);
          events();
          hasEvents = true;
        }
        case "distributedInfo" -> distributedInfo();
        case "deviceProperties" -> devices();
        default -> parser.skipChildren();
      }
    }
    if (!hasEvents) {
      throw json.wrong("has no traceEvents, expected a trace of PyTorch's profiler");
    }
    return built();
  }

  private RankTrace built() {
    trace.rank(rank.orElse(place));
    for (KernelEvent event : kinds) {
      if (worldSize > 0 && event.groupSize() == worldSize) {
        groups.putIfAbsent(event.group(), IntStream.range(0, worldSize).boxed().toList());
      }
    }
    int[] numberOf = kinds.stream().mapToInt(event -> trace.number(event.kind(groups))).toArray();
    for (int i = 0; i < calls.size; i++) {
      if (kinds.get(calls.kinds[i]).isExchange()) {
        exchanges.add(calls.correlations[i], i);
      }
    }
    Map<Integer, List<KernelEvent>> parts = exchanges.parts();
    for (int i = 0; i < calls.size; i++) {
      List<KernelEvent> own = parts.getOrDefault(i, List.of());
      KernelEvent event = kinds.get(calls.kinds[i]);
      int number =
          own.isEmpty() || !event.call().isEmpty()
              ? numberOf[calls.kinds[i]]
              : trace.number(event.kindOf(own, groups));
      trace.add(number, calls.starts[i], calls.durations[i]);
    }
    for (int i = 0; i < (steps > 0 ? steps : optimizerSteps); i++) {
      trace.step();
    }
    return trace.build();
  }

  /** The GPUs of the host, which are of one kind. */
  private void devices() {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      String device = "";
      int major = 0;
      int minor = 0;
      for (String field = parser.nextName(); field != null; field = parser.nextName()) {
        parser.nextToken();
        switch (field) {
          case "name" -> device = json.text();
          case "computeMajor" -> major = number(field);
          case "computeMinor" -> minor = number(field);
          default -> parser.skipChildren();
        }
      }
      if (major > 0 && !device.isEmpty()) {
        trace.gpu(new TracedGpu(device, 10 * major + minor));
      }
    }
    json.expectEnd();
  }

  private void distributedInfo() {
    json.expect(JsonToken.START_OBJECT);
    for (String field = parser.nextName(); field != null; field = parser.nextName()) {
      parser.nextToken();
      switch (field) {
        case "rank" -> rank = OptionalInt.of(number("rank"));
        case "world_size" -> {
          worldSize = number("world_size");
          trace.worldSize(worldSize);
        }
        case "nccl_version" -> {
          String version = json.text();
          if (!version.isBlank()) {
            trace.ncclVersion(version);
          }
        }
        case "pg_config" -> groups();
        default -> parser.skipChildren();
      }
    }
  }

  private int number(String what) {
    long value = json.whole(what);
    if (value < 0 || value > MOST_RANKS) {
      throw json.wrong(what + " is " + value + ", expected 0 to " + MOST_RANKS);
    }
    return (int) value;
  }

  private static final int MOST_RANKS = 1 << 20;

  private void groups() {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      String named = "";
      List<Integer> members = new ArrayList<>();
      for (String field = parser.nextName(); field != null; field = parser.nextName()) {
        parser.nextToken();
        if (field.equals("pg_name")) {
          named = json.text();
        } else if (field.equals("ranks") && parser.currentToken() == JsonToken.START_ARRAY) {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            members.add(number("ranks"));
          }
        } else {
          parser.skipChildren();
        }
      }
      groups.put(named, members);
    }
  }

  private void events() {
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      event();
    }
    json.expectEnd();
  }

  private void event() {
    category = "";
    name = "";
    start = Double.NaN;
    duration = 0;
    call = "";
    inElements = 0;
    outElements = 0;
    dataType = "";
    group = "";
    description = "";
    ranks = "";
    groupSize = 0;
    inSplit = "";
    peer = -1;
    grid = 0;
    block = 0;
    correlation = 0;
    for (String field = parser.nextName(); field != null; field = parser.nextName()) {
      parser.nextToken();
      switch (field) {
        case "cat" -> category = json.text();
        case "name" -> name = json.text();
        case "ts" -> start = json.number("ts");
        case "dur" -> duration = json.number("dur");
        case "args" -> {
          if (!hasCall() || parser.currentToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
          } else {
            arguments();
          }
        }
        default -> parser.skipChildren();
      }
    }
    if (category.equals("kernel") || category.startsWith("gpu_mem")) {
      kernel();
    } else if (name.equals(NOTE)) {
      if (CallNames.isSendOrReceive(call)) {
        exchanges.noted(start, noted());
      }
    } else if (isLaunch()) {
      exchanges.launched(correlation, start);
    } else if (category.equals("user_annotation")) {
      steps += name.startsWith("ProfilerStep#") ? 1 : 0;
      optimizerSteps += name.startsWith("Optimizer.step#") ? 1 : 0;
    }
  }

  /** Whether the arguments of the event are of a call, as far as is known of the event. */
  private boolean hasCall() {
    return (category.isEmpty() || name.isEmpty())
        || category.equals("kernel") && isNccl()
        || name.equals(NOTE)
        || isLaunch();
  }

  /**
   * Whether it is how NCCL launches kernels ({@code ncclLaunchKernel}, {@code
   * nccl:src/enqueue.cc}).
   */
  private boolean isLaunch() {
    return name.startsWith("cuLaunchKernelEx") || name.startsWith("cudaLaunchKernelEx");
  }

  private boolean isNccl() {
    return name.startsWith(NCCL);
  }

  private void kernel() {
    if (Double.isNaN(start) || duration < 0) {
      throw json.wrong(category + " " + name + " has no ts and dur, expected both");
    }
    if (!isNccl()) {
      trace.addCompute(start, duration);
      return;
    }
    KernelEvent event = noted();
    Integer known = numbers.get(event);
    if (known == null) {
      known = kinds.size();
      numbers.put(event, known);
      kinds.add(event);
    }
    calls.add(known, start, duration, correlation);
  }

  private KernelEvent noted() {
    return new KernelEvent(
        name,
        call,
        inElements,
        outElements,
        dataType,
        group,
        description,
        ranks,
        groupSize,
        inSplit,
        peer,
        grid,
        block);
  }

  private void arguments() {
    for (String field = parser.nextName(); field != null; field = parser.nextName()) {
      parser.nextToken();
      switch (field) {
        case "correlation" -> correlation = json.whole(field);
        case "Collective name" -> call = json.text();
        case "In msg nelems" -> inElements = json.whole(field);
        case "Out msg nelems" -> outElements = json.whole(field);
        case "dtype" -> dataType = json.text();
        case "Process Group Name" -> group = json.text();
        case "Process Group Description" -> description = json.text();
        case "Process Group Ranks" -> ranks = json.text();
        case "Group size" -> groupSize = (int) Math.min(MOST_RANKS, json.whole(field));
        case "In split size" -> inSplit = json.text();
        case "Dst Rank", "Src Rank" -> peer = (int) Math.min(MOST_RANKS, json.whole(field));
        case "grid" -> grid = size();
        case "block" -> block = size();
        default -> parser.skipChildren();
      }
    }
  }

  /** The product of a list of dimensions. */
  private int size() {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return 0;
    }
    long product = 1;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      product = Math.min(MOST_RANKS, product * json.whole("grid and block"));
    }
    return (int) Math.max(0, product);
  }
}
