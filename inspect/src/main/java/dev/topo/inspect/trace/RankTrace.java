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

/**
 * Trace of one rank: its communication kernels in order of start time, and the times when other
 * kernels ran beside them. Stored in columns, because a job has millions of calls. Times are in
 * microseconds of the rank's clock.
 */
public final class RankTrace {
  /** Time information of a trace. */
  public enum Times {
    /** The calls have start and duration. */
    START_AND_DURATION,
    /** The calls have durations only; their end times are synthetic and the same on all ranks. */
    DURATION,
    /** The calls have no times. */
    NONE
  }

  /**
   * Upper limit on the duration of a call without a start: ten minutes, longer than any call takes.
   */
  static final double MAX_DURATION_US = 600e6;

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
    int[] order = Intervals.order(from.starts, from.size);
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
    this.compute = calls.intersection(from.compute);
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

  /** Returns this trace with each kind of calls replaced. */
  RankTrace withKinds(UnaryOperator<CallKind> replacement) {
    return new RankTrace(this, kinds.stream().map(replacement).toList());
  }

  /** Notes on information missing from the format of the trace. */
  public List<String> notes() {
    return notes;
  }

  public String file() {
    return file;
  }

  /** Rank in the job; empty if the trace has the calls of all ranks, or does not state it. */
  public OptionalInt rank() {
    return rank;
  }

  public OptionalInt worldSize() {
    return worldSize;
  }

  /** NCCL's version; empty if the trace does not state it. */
  public Optional<String> ncclVersion() {
    return ncclVersion;
  }

  /** GPU of the rank; empty if the trace does not state it. */
  public Optional<TracedGpu> gpu() {
    return gpu;
  }

  public Times times() {
    return times;
  }

  /** Kinds of calls, indexed by {@link #kindOf}. */
  public List<CallKind> kinds() {
    return kinds;
  }

  /** Number of calls with times. */
  public int size() {
    return kindOf.length;
  }

  /** Number of calls of a kind, with or without times. */
  public long count(int kind) {
    return counts[kind];
  }

  /** Kind of a call, as an index of {@link #kinds}. */
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

  /** Times of other kernels, as far as they overlap with calls. */
  public Intervals compute() {
    return compute;
  }

  /** Number of training steps marked in the trace; 0 if there are none. */
  public int steps() {
    return steps;
  }

  /**
   * Time from the first kernel to the end of the last, in microseconds; 0 if calls have no start
   * times.
   */
  public double spanUs() {
    return spanUs;
  }

  /** Time during which at least one call ran, in microseconds. */
  public double communicationUs() {
    return communicationUs;
  }

  /** Time during which calls ran and no other kernel, in microseconds. */
  public double exposedUs() {
    return exposedUs;
  }

  /** Builds a trace. */
  public static final class Builder {
    private static final int INITIAL_CAPACITY = 256;

    private final String file;
    private final Times times;
    private OptionalInt rank = OptionalInt.empty();
    private OptionalInt worldSize = OptionalInt.empty();
    private Optional<String> ncclVersion = Optional.empty();
    private Optional<TracedGpu> gpu = Optional.empty();
    private final List<CallKind> kinds = new ArrayList<>();
    private final Map<CallKind, Integer> numbers = new HashMap<>();
    private long[] counts = new long[INITIAL_CAPACITY];
    private int[] kindOf = new int[INITIAL_CAPACITY];
    private double[] starts = new double[INITIAL_CAPACITY];
    private float[] durations = new float[INITIAL_CAPACITY];
    private final Intervals compute = new Intervals();
    private int size;
    private int steps;
    private final List<String> notes = new ArrayList<>();
    private double firstUs = Double.POSITIVE_INFINITY;
    private double lastUs = Double.NEGATIVE_INFINITY;

    /** Creates a builder for a file whose calls have the given time information. */
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
    Builder ncclVersion(String version) {
      ncclVersion = Optional.of(version);
      return this;
    }

    Builder gpu(TracedGpu kind) {
      gpu = Optional.of(kind);
      return this;
    }

    /** Adds a note on missing information. */
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

    /** Returns the index of a kind of calls; passes the memory of a new kind to {@code reserve}. */
    int number(CallKind kind, LongConsumer reserve) {
      int known = kinds.size();
      int number = number(kind);
      if (number == known) {
        reserve.accept(KeptMemory.of(kind));
      }
      return number;
    }

    /** Adds calls of a kind without times. */
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

    /** Adds a call without a start; its synthetic end is the same on all ranks. */
    void addWithDuration(int kind, double durationUs) {
      add(kind, (size + 1) * MAX_DURATION_US - durationUs, durationUs);
    }

    /** Adds a kernel that is not a call. */
    public void addCompute(double startUs, double durationUs) {
      compute.add(startUs, startUs + durationUs);
      extend(startUs, durationUs);
    }

    private void extend(double startUs, double durationUs) {
      firstUs = Math.min(firstUs, startUs);
      lastUs = Math.max(lastUs, startUs + durationUs);
    }

    public RankTrace build() {
      return new RankTrace(this);
    }
  }
}
