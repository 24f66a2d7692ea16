package dev.topo.inspect.trace;

import static dev.topo.inspect.trace.TraceLimits.MAX_RANKS;

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
 * header has the rank, groups and NCCL's version, its events are kernels with the properties of the
 * call that launched them. Single use.
 */
final class ProfilerTrace {
  /** Prefix of NCCL's kernels, also of old releases: {@code ncclKernel_AllReduce_…}. */
  private static final String NCCL_PREFIX = "nccl";

  /** Name of PyTorch's event for a call on the host. */
  private static final String HOST_CALL = "record_param_comms";

  /** Approximate memory of a call or of another kernel, in bytes. */
  private static final int CALL_BYTES = 32;

  /** Approximate memory of the event of a kind of calls, in bytes, without its longest texts. */
  private static final int EVENT_BYTES = 256;

  /** Limit on thread blocks and threads per block, above any NCCL launch. */
  private static final int MAX_THREADS = 1 << 20;

  private final JsonTrace json;
  private final JsonParser parser;
  private final RankTrace.Builder trace;
  private final Map<KernelEvent, Integer> numbers = new HashMap<>();
  private final List<KernelEvent> kinds = new ArrayList<>();
  private final Calls calls = new Calls();
  private final Exchanges exchanges = new Exchanges();
  private final ProfilerHeader header;
  private final int defaultRank;
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

  // The last lists that were found valid; events repeat them.
  private String lastRanks = "";
  private String lastSplit = "";

  /** Columns of all calls, in the order of the file. */
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

  ProfilerTrace(JsonTrace json, String file, int defaultRank) {
    this.json = json;
    this.parser = json.parser();
    this.defaultRank = defaultRank;
    this.trace = new RankTrace.Builder(file, Times.START_AND_DURATION);
    this.header = new ProfilerHeader(json, trace);
  }

  /** Reads a trace that is only a list of events, as other tools extract it. */
  RankTrace ofEvents() {
    json.objects(this::event);
    return build();
  }

  /**
   * Reads a trace with a header.
   *
   * @param first name of its first field; null if it has none
   */
  RankTrace read(@Nullable String first) {
    json.fields(
        first,
        field -> {
          switch (field) {
            case "traceEvents" -> {
              header.requireFirst(field);
              json.expect(JsonToken.START_ARRAY);
              json.objects(this::event);
            }
            case "distributedInfo" -> {
              header.requireFirst(field);
              header.distributedInfo();
            }
            case "deviceProperties" -> header.devices();
            default -> parser.skipChildren();
          }
        });
    if (!header.has("traceEvents")) {
      throw json.wrong("has no traceEvents, expected a trace of PyTorch's profiler");
    }
    return build();
  }

  private RankTrace build() {
    trace.rank(header.rank().orElse(defaultRank));
    KernelKinds kernelKinds = new KernelKinds(json, header.groups(kinds));
    int[] numberOf = kinds.stream().mapToInt(event -> number(kernelKinds.kind(event))).toArray();
    for (int i = 0; i < calls.size; i++) {
      if (kinds.get(calls.kinds[i]).isExchange()) {
        exchanges.addKernel(calls.correlations[i], i);
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
              : numberOfParts.computeIfAbsent(
                  transfers, key -> number(kernelKinds.kindOf(event, key)));
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
    return trace.number(kind, json::reserve);
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
    json.fields(
        field -> {
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
        });
    if (category.equals("kernel") || category.startsWith("gpu_mem")) {
      kernel();
    } else if (name.equals(HOST_CALL)) {
      if (CallNames.isSendOrReceive(call)) {
        requireStart();
        json.reserve(EVENT_BYTES);
        exchanges.addHostEvent(start, kernelEvent());
      }
    } else if (isLaunch()) {
      requireStart();
      json.reserve(CALL_BYTES);
      exchanges.addLaunch(correlation, start);
    } else if (category.equals("COLL") || category.equals("P2P")) {
      throw json.wrong(
          "is a trace of NCCL's example profiler, which has no numbers of ranks, expected one of"
              + " PyTorch's profiler or NCCL Inspector (NCCL_PROFILER_PLUGIN)");
    } else if (category.equals("user_annotation")) {
      steps += name.startsWith("ProfilerStep#") ? 1 : 0;
      optimizerSteps += name.startsWith("Optimizer.step#") ? 1 : 0;
    }
  }

  /**
   * True if the event's arguments may describe a call, judging by the category and name read so
   * far.
   */
  private boolean hasCall() {
    return (category.isEmpty() || name.isEmpty())
        || category.equals("kernel") && isNccl()
        || name.equals(HOST_CALL)
        || isLaunch();
  }

  /**
   * True for the CUDA functions by which NCCL launches kernels ({@code ncclLaunchKernel}, {@code
   * nccl:src/enqueue.cc}).
   */
  private boolean isLaunch() {
    return name.startsWith("cuLaunchKernelEx") || name.startsWith("cudaLaunchKernelEx");
  }

  private boolean isNccl() {
    return name.startsWith(NCCL_PREFIX);
  }

  private void kernel() {
    if (Double.isNaN(start) || Double.isNaN(duration)) {
      throw missing(
          !Double.isNaN(start) ? "dur" : Double.isNaN(duration) ? "ts and dur" : "ts", "both");
    }
    if (duration < 0) {
      throw json.wrong("%s %s: dur is %s, expected 0 or more".formatted(category, name, duration));
    }
    json.reserve(CALL_BYTES);
    if (!isNccl()) {
      trace.addCompute(start, duration);
      return;
    }
    KernelEvent event = kernelEvent();
    Integer known = numbers.get(event);
    if (known == null) {
      known = kinds.size();
      json.reserve(EVENT_BYTES + ranks.length() + inSplit.length());
      requireOneSize();
      numbers.put(event, known);
      kinds.add(event);
    }
    calls.add(known, start, duration, correlation);
  }

  private TopologyFormatException missing(String fields, String expected) {
    return json.wrong("%s %s has no %s, expected %s".formatted(category, name, fields, expected));
  }

  private void requireStart() {
    if (Double.isNaN(start)) {
      throw missing("ts", "one");
    }
  }

  /** Checks that the list of ranks, the stated size and other calls of the group agree. */
  private void requireOneSize() {
    if (groupSize > 0) {
      header.requireSize(group, groupSize);
    }
    NumberList listed = NumberList.parse(ranks, MAX_RANKS).orElseThrow();
    int size = listed.numbers().size();
    if (size > 0 && groupSize > 0 && (listed.isCut() ? size > groupSize : size != groupSize)) {
      throw json.wrong(
          "\"Process Group Ranks\" is \"%s\" and \"Group size\" %s, expected as many ranks"
              .formatted(ranks, groupSize));
    }
  }

  private KernelEvent kernelEvent() {
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
    json.fields(
        field -> {
          switch (field) {
            case "correlation" -> correlation = json.integer(field, -1, Long.MAX_VALUE);
            case "Collective name" -> call = json.text();
            case "In msg nelems" -> inElements = json.integer(field, 0, TraceLimits.MAX_ELEMENTS);
            case "Out msg nelems" -> outElements = json.integer(field, 0, TraceLimits.MAX_ELEMENTS);
            case "dtype" -> dataType = json.text();
            case "Process Group Name" -> group = json.text();
            case "Process Group Description" -> description = json.text();
            case "Process Group Ranks" -> ranks = ranks(field);
            case "Group size" -> groupSize = json.count(field, MAX_RANKS);
            case "In split size" -> inSplit = split(field);
            case "Dst Rank", "Src Rank" -> peer = (int) json.integer(field, -1, MAX_RANKS);
            case "grid" -> grid = size();
            case "block" -> block = size();
            default -> parser.skipChildren();
          }
        });
  }

  /** Product of a list of dimensions, cut off at the limit; 0 if the value is not a list. */
  private int size() {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return 0;
    }
    long product = 1;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      product = Math.min(MAX_THREADS, product * json.count("grid and block", MAX_THREADS));
    }
    return (int) product;
  }

  private String ranks(String field) {
    String text = json.text();
    if (!text.equals(lastRanks)) {
      NumberList list = json.list(field, text, MAX_RANKS);
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
      json.list(field, text, TraceLimits.MAX_ELEMENTS);
      lastSplit = text;
    }
    return text;
  }
}
