package dev.topo.inspect.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The record of one rank: its communication kernels in the order of their starts, and when other
 * kernels ran beside them. Columns instead of objects, as a job has millions of calls. Times are
 * microseconds of the rank's clock.
 */
public final class RankTrace {
  /** The knowledge of a trace about when its calls ran. */
  public enum Times {
    /** The calls have start and duration. */
    START_AND_DURATION,
    /** The calls have a duration only; their ends are made up, the same ones on all ranks. */
    DURATION,
    /** The calls have no times. */
    NONE
  }

  private final String file;
  private final OptionalInt rank;
  private final OptionalInt worldSize;
  private final Optional<String> ncclVersion;
  private final Optional<TracedGpu> gpu;
  private final Times times;
  private final List<CallKind> kinds;
  private final int[] kindOf;
  private final long[] counts;
  private final double[] starts;
  private final float[] durations;
  private final Intervals compute;
  private final int steps;
  private final double spanUs;
  private final double communicationUs;
  private final double exposedUs;
  private final List<String> notes;

  private RankTrace(Builder from) {
    this.file = from.file;
    this.rank = from.rank;
    this.worldSize = from.worldSize;
    this.ncclVersion = from.ncclVersion;
    this.gpu = from.gpu;
    this.times = from.times;
    this.kinds = List.copyOf(from.kinds);
    this.steps = from.steps;
    this.counts = Arrays.copyOf(from.counts, kinds.size());
    int[] order = order(from);
    this.kindOf = new int[from.size];
    this.starts = new double[from.size];
    this.durations = new float[from.size];
    Intervals calls = new Intervals();
    for (int i = 0; i < from.size; i++) {
      kindOf[i] = from.kindOf[order[i]];
      starts[i] = from.starts[order[i]];
      durations[i] = from.durations[order[i]];
      calls.add(starts[i], endUs(i));
    }
    this.communicationUs = calls.total();
    this.compute = calls.and(from.compute);
    this.exposedUs = communicationUs - compute.total();
    this.spanUs =
        times == Times.START_AND_DURATION && from.size > 0 ? from.lastUs - from.firstUs : 0;
    this.notes = List.copyOf(from.notes);
  }

  private RankTrace(RankTrace from, List<CallKind> kinds) {
    this.file = from.file;
    this.rank = from.rank;
    this.worldSize = from.worldSize;
    this.ncclVersion = from.ncclVersion;
    this.gpu = from.gpu;
    this.times = from.times;
    this.kinds = List.copyOf(kinds);
    this.kindOf = from.kindOf;
    this.counts = from.counts;
    this.starts = from.starts;
    this.durations = from.durations;
    this.compute = from.compute;
    this.steps = from.steps;
    this.spanUs = from.spanUs;
    this.communicationUs = from.communicationUs;
    this.exposedUs = from.exposedUs;
    this.notes = from.notes;
  }

  /** These calls with what became known of their kinds when other traces were read. */
  RankTrace withKinds(UnaryOperator<CallKind> known) {
    return new RankTrace(this, kinds.stream().map(known).toList());
  }

  /** Notes for people on what the format of the trace leaves open. */
  public List<String> notes() {
    return notes;
  }

  private static int[] order(Builder from) {
    boolean isSorted = true;
    for (int i = 1; i < from.size; i++) {
      isSorted &= from.starts[i] >= from.starts[i - 1];
    }
    IntStream places = IntStream.range(0, from.size);
    return isSorted
        ? places.toArray()
        : places
            .boxed()
            .sorted((a, b) -> Double.compare(from.starts[a], from.starts[b]))
            .mapToInt(Integer::intValue)
            .toArray();
  }

  public String file() {
    return file;
  }

  /** The rank in the job; empty where the trace has the calls of all ranks, or does not say. */
  public OptionalInt rank() {
    return rank;
  }

  public OptionalInt worldSize() {
    return worldSize;
  }

  /** NCCL's version; empty where the trace does not say. */
  public Optional<String> ncclVersion() {
    return ncclVersion;
  }

  /** The GPU that it ran on; empty where the trace does not say. */
  public Optional<TracedGpu> gpu() {
    return gpu;
  }

  public Times times() {
    return times;
  }

  /** The kinds of calls, by the numbers of {@link #kindOf}. */
  public List<CallKind> kinds() {
    return kinds;
  }

  /** Number of calls that have times. */
  public int size() {
    return kindOf.length;
  }

  /** Number of calls of a kind, whether or not they have times. */
  public long count(int kind) {
    return counts[kind];
  }

  /** The kind of a call, an index of {@link #kinds}. */
  public int kindOf(int call) {
    return kindOf[call];
  }

  public double startUs(int call) {
    return starts[call];
  }

  public float durationUs(int call) {
    return durations[call];
  }

  public double endUs(int call) {
    return starts[call] + durations[call];
  }

  /** When other kernels than those of calls ran, as far as calls ran at the same time. */
  public Intervals compute() {
    return compute;
  }

  /** Training steps that the trace marks; 0 where it marks none. */
  public int steps() {
    return steps;
  }

  /** From the first kernel to the end of the last; 0 where calls have no starts. */
  public double spanUs() {
    return spanUs;
  }

  /** Time during which a call ran. */
  public double communicationUs() {
    return communicationUs;
  }

  /** Time during which a call ran and nothing else. */
  public double exposedUs() {
    return exposedUs;
  }

  /** Collects a trace. */
  public static final class Builder {
    private static final int FIRST = 256;

    private final String file;
    private final Times times;
    private OptionalInt rank = OptionalInt.empty();
    private OptionalInt worldSize = OptionalInt.empty();
    private Optional<String> ncclVersion = Optional.empty();
    private Optional<TracedGpu> gpu = Optional.empty();
    private final List<CallKind> kinds = new ArrayList<>();
    private final Map<CallKind, Integer> numbers = new HashMap<>();
    private long[] counts = new long[FIRST];
    private int[] kindOf = new int[FIRST];
    private double[] starts = new double[FIRST];
    private float[] durations = new float[FIRST];
    private final Intervals compute = new Intervals();
    private int size;
    private int steps;
    private final List<String> notes = new ArrayList<>();
    private double firstUs = Double.POSITIVE_INFINITY;
    private double lastUs = Double.NEGATIVE_INFINITY;

    /** Of a file whose calls have some times. */
    public Builder(String file, Times times) {
      this.file = file;
      this.times = times;
    }

    public Builder rank(int number) {
      rank = OptionalInt.of(number);
      return this;
    }

    public Builder worldSize(int number) {
      worldSize = OptionalInt.of(number);
      return this;
    }

    /** Sets NCCL's version. */
    public Builder ncclVersion(String version) {
      ncclVersion = Optional.of(version);
      return this;
    }

    public Builder gpu(TracedGpu kind) {
      gpu = Optional.of(kind);
      return this;
    }

    /** Adds what the format leaves open. */
    Builder note(String text) {
      notes.add(text);
      return this;
    }

    public void step() {
      steps++;
    }

    public int number(CallKind kind) {
      return numbers.computeIfAbsent(
          kind,
          key -> {
            kinds.add(key);
            if (kinds.size() > counts.length) {
              counts = Arrays.copyOf(counts, 2 * kinds.size());
            }
            return kinds.size() - 1;
          });
    }

    /** The number of a kind of calls; the memory of one that is new is counted. */
    int number(CallKind kind, LongConsumer keep) {
      int known = kinds.size();
      int number = number(kind);
      if (number == known) {
        keep.accept(KeptMemory.of(kind));
      }
      return number;
    }

    /** Adds calls of a kind that have no times. */
    public void add(int kind, long count) {
      counts[kind] += count;
    }

    public void add(int kind, double startUs, double durationUs) {
      if (size == kindOf.length) {
        kindOf = Arrays.copyOf(kindOf, 2 * size);
        starts = Arrays.copyOf(starts, 2 * size);
        durations = Arrays.copyOf(durations, 2 * size);
      }
      counts[kind]++;
      kindOf[size] = kind;
      starts[size] = startUs;
      durations[size++] = (float) durationUs;
      extend(startUs, durationUs);
    }

    /** Adds a kernel that is none of a call. */
    public void addCompute(double startUs, double durationUs) {
      compute.add(startUs, startUs + durationUs);
      extend(startUs, durationUs);
    }

    private void extend(double startUs, double durationUs) {
      firstUs = Math.min(firstUs, startUs);
      lastUs = Math.max(lastUs, startUs + durationUs);
    }

    /** Number of calls so far. */
    public int size() {
      return size;
    }

    public RankTrace build() {
      return new RankTrace(this);
    }
  }
}
