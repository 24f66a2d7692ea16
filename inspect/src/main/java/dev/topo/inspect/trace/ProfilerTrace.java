package dev.topo.inspect.trace;

import static dev.topo.inspect.trace.TraceLimits.MOST_RANKS;

import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.io.TopologyFormatException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the trace of PyTorch's profiler (Kineto, {@code torch.profiler.export_chrome_trace}): its
 * header has rank, groups and NCCL's version, its events are kernels with the properties of the
 * call that launched them. Used once.
 */
final class ProfilerTrace {
  /** Prefix of NCCL's kernels, also of old releases: {@code ncclKernel_AllReduce_…}. */
  private static final String NCCL = "nccl";

  /** Name of PyTorch's event for a call on the host. */
  private static final String NOTE = "record_param_comms";

  /** Memory of a call or another kernel, in bytes. */
  private static final int CALL_BYTES = 32;

  /** Memory of the event of a kind of calls, in bytes, without its longest texts. */
  private static final int EVENT_BYTES = 256;

  /** Limit on thread blocks and threads per block, above any NCCL launch. */
  private static final int MOST_THREADS = 1 << 20;

  private final JsonTrace json;
  private final JsonParser parser;
  private final RankTrace.Builder trace;
  private final Map<KernelEvent, Integer> numbers = new HashMap<>();
  private final List<KernelEvent> kinds = new ArrayList<>();
  private final Calls calls = new Calls();
  private final Exchanges exchanges = new Exchanges();
  private final ProfilerHeader header;
  private final int place;
  private int steps;
  private int optimizerSteps;

  // Fields of the current event.
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

  // Last lists of numbers that were checked.
  private String lastRanks = "";
  private String lastSplit = "";

  /** Calls, in the order of the file. */
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
    this.header = new ProfilerHeader(json, trace);
  }

  /** Trace that is a list of events, as extracted by other tools. */
  RankTrace ofEvents() {
    json.objects(this::event);
    return built();
  }

  /**
   * Trace of a document.
   *
   * @param first name of its first field; null if it has none
   */
  RankTrace read(@Nullable String first) {
    boolean hasEvents = false;
    for (String field = first; field != null; field = parser.nextName()) {
      parser.nextToken();
      switch (field) {
        case "traceEvents" -> {
          header.requireFirst(field);
          json.expect(JsonToken.START_ARRAY);
          json.objects(this::event);
          hasEvents = true;
        }
        case "distributedInfo" -> {
          header.requireFirst(field);
          header.distributedInfo();
        }
        case "deviceProperties" -> header.devices();
        default -> parser.skipChildren();
      }
    }
    if (!hasEvents) {
      throw json.wrong("has no traceEvents, expected a trace of PyTorch's profiler");
    }
    return built();
  }

  private RankTrace built() {
    trace.rank(header.rank().orElse(place));
    KernelKinds named = new KernelKinds(json, header.groups(kinds));
    int[] numberOf = kinds.stream().mapToInt(event -> number(named.kind(event))).toArray();
    for (int i = 0; i < calls.size; i++) {
      if (kinds.get(calls.kinds[i]).isExchange()) {
        exchanges.add(calls.correlations[i], i);
      }
    }
    Map<Integer, List<KernelEvent>> parts = exchanges.parts();
    Map<List<KernelEvent>, Integer> numberOfParts = new HashMap<>();
    for (int i = 0; i < calls.size; i++) {
      List<KernelEvent> transfers = parts.getOrDefault(i, List.of());
      KernelEvent event = kinds.get(calls.kinds[i]);
      int number =
          transfers.isEmpty() || !event.call().isEmpty()
              ? numberOf[calls.kinds[i]]
              : numberOfParts.computeIfAbsent(transfers, key -> number(named.kindOf(event, key)));
      trace.add(number, calls.starts[i], calls.durations[i]);
    }
    for (int i = 0; i < (steps > 0 ? steps : optimizerSteps); i++) {
      trace.step();
    }
    if (kinds.stream().anyMatch(KernelEvent::isCut)) {
      trace.note(KernelEvent.CUT_NOTE);
    }
    return trace.build();
  }

  private int number(CallKind kind) {
    return trace.number(kind, json::keep);
  }

  private void event() {
    category = "";
    name = "";
    start = Double.NaN;
    duration = Double.NaN;
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
        requireStart();
        json.keep(EVENT_BYTES);
        exchanges.noted(start, noted());
      }
    } else if (isLaunch()) {
      requireStart();
      json.keep(CALL_BYTES);
      exchanges.launched(correlation, start);
    } else if (category.equals("user_annotation")) {
      steps += name.startsWith("ProfilerStep#") ? 1 : 0;
      optimizerSteps += name.startsWith("Optimizer.step#") ? 1 : 0;
    }
  }

  /** True if the arguments of the event belong to a call, as far as known. */
  private boolean hasCall() {
    return (category.isEmpty() || name.isEmpty())
        || category.equals("kernel") && isNccl()
        || name.equals(NOTE)
        || isLaunch();
  }

  /**
   * True if the event is a function by which NCCL launches kernels ({@code ncclLaunchKernel},
   * {@code nccl:src/enqueue.cc}).
   */
  private boolean isLaunch() {
    return name.startsWith("cuLaunchKernelEx") || name.startsWith("cudaLaunchKernelEx");
  }

  private boolean isNccl() {
    return name.startsWith(NCCL);
  }

  private void kernel() {
    if (Double.isNaN(start) || Double.isNaN(duration)) {
      throw lacks(
          !Double.isNaN(start) ? "dur" : Double.isNaN(duration) ? "ts and dur" : "ts", "both");
    }
    if (duration < 0) {
      throw json.wrong("%s %s: dur is %s, expected 0 or more".formatted(category, name, duration));
    }
    json.keep(CALL_BYTES);
    if (!isNccl()) {
      trace.addCompute(start, duration);
      return;
    }
    KernelEvent event = noted();
    Integer known = numbers.get(event);
    if (known == null) {
      known = kinds.size();
      json.keep(EVENT_BYTES + ranks.length() + inSplit.length());
      requireOneSize();
      numbers.put(event, known);
      kinds.add(event);
    }
    calls.add(known, start, duration, correlation);
  }

  private TopologyFormatException lacks(String fields, String expected) {
    return json.wrong("%s %s has no %s, expected %s".formatted(category, name, fields, expected));
  }

  private void requireStart() {
    if (Double.isNaN(start)) {
      throw lacks("ts", "one");
    }
  }

  /** Checks that the list of ranks, the stated size and other calls of the group agree. */
  private void requireOneSize() {
    if (groupSize > 0) {
      header.requireSize(group, groupSize);
    }
    NumberList listed = NumberList.parse(ranks, MOST_RANKS).orElseThrow();
    int size = listed.numbers().size();
    if (size > 0 && groupSize > 0 && (listed.isCut() ? size > groupSize : size != groupSize)) {
      throw json.wrong(
          "\"Process Group Ranks\" is \"%s\" and \"Group size\" %s, expected as many ranks"
              .formatted(ranks, groupSize));
    }
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
        case "correlation" -> correlation = json.whole(field, -1, Long.MAX_VALUE);
        case "Collective name" -> call = json.text();
        case "In msg nelems" -> inElements = json.whole(field, 0, TraceLimits.MOST_ELEMENTS);
        case "Out msg nelems" -> outElements = json.whole(field, 0, TraceLimits.MOST_ELEMENTS);
        case "dtype" -> dataType = json.text();
        case "Process Group Name" -> group = json.text();
        case "Process Group Description" -> description = json.text();
        case "Process Group Ranks" -> ranks = ranks(field);
        case "Group size" -> groupSize = json.count(field, MOST_RANKS);
        case "In split size" -> inSplit = split(field);
        case "Dst Rank", "Src Rank" -> peer = (int) json.whole(field, -1, MOST_RANKS);
        case "grid" -> grid = size();
        case "block" -> block = size();
        default -> parser.skipChildren();
      }
    }
  }

  /** Product of a list of dimensions. */
  private int size() {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return 0;
    }
    long product = 1;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      product = Math.min(MOST_THREADS, product * json.count("grid and block", MOST_THREADS));
    }
    return (int) product;
  }

  private String ranks(String field) {
    String text = json.text();
    if (!text.equals(lastRanks)) {
      NumberList list = json.list(field, text, MOST_RANKS);
      if (list.ranks().isEmpty()) {
        throw json.wrong(field + " is \"" + text + "\", expected each rank once");
      }
      lastRanks = text;
    }
    return text;
  }

  private String split(String field) {
    String text = json.text();
    if (!text.equals(lastSplit)) {
      json.list(field, text, TraceLimits.MOST_ELEMENTS);
      lastSplit = text;
    }
    return text;
  }
}
