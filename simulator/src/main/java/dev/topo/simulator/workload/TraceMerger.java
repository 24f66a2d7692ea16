package dev.topo.simulator.workload;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.workload.CallSite.Basis;
import dev.topo.simulator.workload.Workload.LateRank;
import dev.topo.simulator.workload.Workload.Step;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Joins the traces of ranks: the calls of a communicator are the same ones on all its ranks, in the
 * same order, and those of a single send and its receive on two. A call lasts from the arrival of
 * its last rank to the end of its last kernel. Used once.
 */
public final class TraceMerger {
  /** Fraction of a call during which something else must run for it to count as overlapped. */
  private static final double OVERLAP = 0.02;

  /**
   * Clocks of GPUs of one host differ by less. A larger median difference between the ends of
   * kernels is one of clocks, as the kernels of a call end nearly together.
   */
  private static final double SAME_CLOCK_US = 100;

  /** Most calls by which clocks are compared. */
  private static final int CLOCK_SAMPLE = 1001;

  /** Calls before and after a call that may overlap with it: more than a GPU has communicators. */
  private static final int NEIGHBOURS = 8;

  private final List<RankTrace> traces;
  private final CallTimeline timeline;
  private final Map<JoinedKind, SitesOfKind> kinds = new LinkedHashMap<>();
  private final List<SiteTimes> sites = new ArrayList<>();
  private final Map<Integer, double[]> late = new TreeMap<>();
  private final List<String> notes = new ArrayList<>();
  private double waitedUs;
  private boolean hasWaits;

  /** The kind of a call with what each rank sends. */
  private record JoinedKind(CallKind kind, List<List<Long>> sent) {}

  /**
   * The sites of a kind, found without comparing the kind: its group may have thousands of ranks.
   */
  private final class SitesOfKind {
    private final JoinedKind kind;
    private final @Nullable SiteTimes[] byRun = new SiteTimes[4 * Basis.values().length];
    private boolean hasFirst;

    SitesOfKind(JoinedKind kind) {
      this.kind = kind;
    }

    /**
     * Adds a call of some ranks.
     *
     * @return the number of its site
     */
    int add(
        boolean overlapped,
        boolean concurrent,
        Basis basis,
        int nRanks,
        double time,
        double wait,
        double covered) {
      SiteTimes times = times(overlapped, concurrent, basis);
      times.hasFirst |= !hasFirst;
      hasFirst = true;
      times.count++;
      times.rankCalls += nRanks;
      times.add(time, wait, covered);
      return times.number;
    }

    SiteTimes times(boolean overlapped, boolean concurrent, Basis basis) {
      int run = 4 * basis.ordinal() + (overlapped ? 2 : 0) + (concurrent ? 1 : 0);
      SiteTimes times = byRun[run];
      if (times == null) {
        times = new SiteTimes(sites.size(), kind, overlapped, concurrent, basis);
        sites.add(times);
        byRun[run] = times;
      }
      return times;
    }
  }

  /** Calls that are matched: all of a communicator, or those between two of its ranks. */
  private record Channel(ProcessGroup group, int low, int high) {
    static Channel of(CallKind kind, int rank) {
      if (!kind.isPair() || kind.peer() >= kind.group().size()) {
        return new Channel(kind.group(), -1, -1);
      }
      int place = kind.group().ranks().indexOf(rank);
      return new Channel(kind.group(), Math.min(place, kind.peer()), Math.max(place, kind.peer()));
    }

    List<Integer> members() {
      return low < 0 ? group.ranks() : List.of(group.ranks().get(low), group.ranks().get(high));
    }
  }

  /** The calls of a rank on a channel, in order. */
  private static final class Places {
    private final RankTrace trace;
    private int[] calls = new int[16];
    private int size;

    Places(RankTrace trace) {
      this.trace = trace;
    }

    void add(int call) {
      if (size == calls.length) {
        calls = Arrays.copyOf(calls, 2 * size);
      }
      calls[size++] = call;
    }
  }

  /** The times of a site during collection. */
  private static final class SiteTimes {
    private final int number;
    private final JoinedKind kind;
    private final boolean overlapped;
    private final boolean concurrent;
    private final Basis basis;
    private long count;
    private long rankCalls;
    private boolean hasFirst;
    private int size;
    private float[] times = new float[8];
    private float[] waits = new float[8];
    private float[] covered = new float[8];

    SiteTimes(int number, JoinedKind kind, boolean overlapped, boolean concurrent, Basis basis) {
      this.number = number;
      this.kind = kind;
      this.overlapped = overlapped;
      this.concurrent = concurrent;
      this.basis = basis;
    }

    void add(double time, double wait, double cover) {
      if (size == times.length) {
        times = Arrays.copyOf(times, 2 * size);
        waits = Arrays.copyOf(waits, 2 * size);
        covered = Arrays.copyOf(covered, 2 * size);
      }
      times[size] = (float) time;
      waits[size] = (float) wait;
      covered[size++] = (float) cover;
    }

    CallSite site() {
      return new CallSite(
          kind.kind,
          kind.sent,
          overlapped,
          concurrent,
          basis,
          hasFirst ? 1 : 0,
          count,
          rankCalls,
          Arrays.copyOf(times, size),
          Arrays.copyOf(waits, size),
          Arrays.copyOf(covered, size),
          List.of());
    }
  }

  private TraceMerger(List<RankTrace> traces, CallTimeline timeline) {
    this.traces = traces;
    this.timeline = timeline;
  }

  /**
   * The calls of a job.
   *
   * @param traces those of its ranks, each rank once; or one with the calls of all
   * @param worldSize number of ranks of the job
   */
  public static Workload join(List<RankTrace> traces, int worldSize) {
    return join(traces, worldSize, new CallTimeline(List.of()));
  }

  /**
   * The calls of a job, which are also added to a timeline.
   *
   * @param timeline one of the same traces, without calls yet
   */
  public static Workload join(List<RankTrace> traces, int worldSize, CallTimeline timeline) {
    return new TraceMerger(traces, timeline).workload(worldSize);
  }

  private Workload workload(int worldSize) {
    traces.stream().flatMap(trace -> trace.notes().stream()).distinct().forEach(notes::add);
    traces.stream().flatMap(TraceMerger::withoutCalls).forEach(notes::add);
    Map<Channel, Map<Integer, Places>> channels = new LinkedHashMap<>();
    for (RankTrace trace : traces) {
      if (trace.rank().isEmpty() || trace.times() == Times.NONE) {
        withoutTimes(trace);
      } else {
        place(trace, trace.rank().getAsInt(), channels);
      }
    }
    channels.forEach(this::join);
    List<CallSite> joined = new ArrayList<>();
    sites.forEach(times -> joined.add(times.site()));
    timeline.complete(joined);
    joined.sort(Comparator.comparingDouble(CallSite::totalUs).reversed());
    return new Workload(
        traces.stream().map(RankTrace::file).toList(),
        worldSize,
        (int)
            traces.stream()
                .filter(trace -> !trace.kinds().isEmpty())
                .flatMapToInt(trace -> trace.rank().stream())
                .distinct()
                .count(),
        traces.stream().flatMap(trace -> trace.ncclVersion().stream()).findFirst(),
        joined,
        step(),
        late.entrySet().stream()
            .map(rank -> new LateRank(rank.getKey(), (int) rank.getValue()[0], rank.getValue()[1]))
            .sorted(Comparator.comparingDouble(LateRank::waitedUs).reversed())
            .toList(),
        notes);
  }

  /** The note on the trace of a rank without calls. */
  private static Stream<String> withoutCalls(RankTrace trace) {
    return trace.rank().isPresent() && trace.kinds().isEmpty()
        ? Stream.of(
            "%s (rank %s) has no call of NCCL".formatted(trace.file(), trace.rank().getAsInt()))
        : Stream.empty();
  }

  private Optional<Step> step() {
    List<RankTrace> timed =
        traces.stream().filter(trace -> trace.times() != Times.NONE && trace.size() > 0).toList();
    if (timed.isEmpty()) {
      return Optional.empty();
    }
    int marked = timed.stream().mapToInt(RankTrace::steps).min().orElse(0);
    double perRank = (double) timed.size() * Math.max(1, marked);
    return Optional.of(
        new Step(
            Math.max(1, marked),
            marked > 0,
            timed.stream().mapToDouble(RankTrace::spanUs).sum() / perRank,
            timed.stream().mapToDouble(RankTrace::communicationUs).sum() / perRank,
            timed.stream().allMatch(trace -> trace.times() == Times.START_AND_DURATION)
                ? OptionalDouble.of(
                    timed.stream().mapToDouble(RankTrace::exposedUs).sum() / perRank)
                : OptionalDouble.empty(),
            hasWaits ? OptionalDouble.of(waitedUs / perRank) : OptionalDouble.empty()));
  }

  private static void place(
      RankTrace trace, int rank, Map<Channel, Map<Integer, Places>> channels) {
    @Nullable Places[] ofKind = new Places[trace.kinds().size()];
    for (int call = 0; call < trace.size(); call++) {
      int kind = trace.kindOf(call);
      Places places = ofKind[kind];
      if (places == null) {
        places =
            channels
                .computeIfAbsent(Channel.of(trace.kinds().get(kind), rank), key -> new TreeMap<>())
                .computeIfAbsent(rank, key -> new Places(trace));
        ofKind[kind] = places;
      }
      places.add(call);
    }
  }

  /** The calls are the same ones in the traces of several ranks. */
  private void withoutTimes(RankTrace trace) {
    for (int kind = 0; kind < trace.kinds().size(); kind++) {
      SiteTimes times =
          sitesOf(new JoinedKind(trace.kinds().get(kind), List.of()))
              .times(false, false, Basis.NONE);
      times.count = Math.max(times.count, trace.count(kind));
      times.rankCalls =
          trace.rank().isPresent()
              ? times.rankCalls + trace.count(kind)
              : times.count * trace.kinds().get(kind).nRanks();
    }
  }

  private SitesOfKind sitesOf(JoinedKind kind) {
    return kinds.computeIfAbsent(kind, SitesOfKind::new);
  }

  /** Calls that could not be matched, of one rank. */
  private void withWaiting(Places places) {
    RankTrace trace = places.trace;
    @Nullable SitesOfKind[] ofKind = new SitesOfKind[trace.kinds().size()];
    for (int i = 0; i < places.size; i++) {
      int call = places.calls[i];
      int kind = trace.kindOf(call);
      SitesOfKind sites = ofKind[kind];
      if (sites == null) {
        sites = sitesOf(new JoinedKind(trace.kinds().get(kind), List.of()));
        ofKind[kind] = sites;
      }
      double duration = trace.durationUs(call);
      double covered = trace.compute().covered(trace.startUs(call), trace.endUs(call));
      double beside = besideCalls(trace, call, trace.startUs(call), trace.endUs(call));
      int site =
          sites.add(
              covered > OVERLAP * duration,
              beside > OVERLAP * duration,
              Basis.WITH_WAITING,
              1,
              duration,
              0,
              covered);
      timeline.add(trace, call, site, 0);
    }
  }

  /** The calls of a channel, on all ranks that were traced. */
  private void join(Channel channel, Map<Integer, Places> places) {
    List<Integer> members = channel.members();
    List<Places> own =
        members.stream().flatMap(rank -> Optional.ofNullable(places.get(rank)).stream()).toList();
    int count = own.isEmpty() ? 0 : own.get(0).size;
    if (count > 0
        && own.size() == members.size()
        && own.stream().allMatch(member -> member.size == count)) {
      int[][] calls = own.stream().map(member -> member.calls).toArray(int[][]::new);
      RankTrace[] of = own.stream().map(member -> member.trace).toArray(RankTrace[]::new);
      Optional<String> fault = fault(channel, calls, of, count);
      if (fault.isEmpty()) {
        joinAll(channel, calls, of, count);
        return;
      }
      notes.add(fault.get());
    } else if (count > 0 && own.size() == members.size()) {
      notes.add(
          "group %s: %s calls on rank %s, %s; its times include waiting"
              .formatted(channel.group.title(), count, members.get(0), otherCount(members, own)));
    }
    places.values().forEach(this::withWaiting);
  }

  /** The first rank with another number of calls than the first one has. */
  private static String otherCount(List<Integer> members, List<Places> places) {
    int other = 1;
    while (places.get(other).size == places.get(0).size) {
      other++;
    }
    return places.get(other).size + " on rank " + members.get(other);
  }

  /** The reason why calls cannot be matched; empty if they match. */
  private static Optional<String> fault(Channel channel, int[][] calls, RankTrace[] of, int count) {
    for (int i = 0; i < count; i++) {
      CallKind first = of[0].kinds().get(of[0].kindOf(calls[0][i]));
      for (int m = 1; m < of.length; m++) {
        CallKind kind = of[m].kinds().get(of[m].kindOf(calls[m][i]));
        if (!first.matches(kind)) {
          return Optional.of(
              "group %s: call %s is %s of %s bytes on rank %s and %s of %s bytes on rank %s; its times include waiting"
                  .formatted(
                      channel.group.title(),
                      i + 1,
                      first.name(),
                      first.bytes(),
                      channel.members().get(0),
                      kind.name(),
                      kind.bytes(),
                      channel.members().get(m)));
        }
      }
    }
    return Optional.empty();
  }

  private void joinAll(Channel channel, int[][] calls, RankTrace[] of, int count) {
    List<Integer> members = channel.members();
    int n = of.length;
    hasWaits |= n > 1;
    double[] offsets = offsets(calls, of, count);
    for (int m = 1; m < n; m++) {
      timeline.compare(of[m], of[0], offsets[m]);
    }
    Map<IntBuffer, SitesOfKind> ofNumbers = new HashMap<>();
    int[] numbers = new int[n];
    for (int i = 0; i < count; i++) {
      double arrival = Double.NEGATIVE_INFINITY;
      double before = Double.NEGATIVE_INFINITY;
      double end = Double.NEGATIVE_INFINITY;
      double starts = 0;
      int last = 0;
      for (int m = 0; m < n; m++) {
        double start = of[m].startUs(calls[m][i]) - offsets[m];
        starts += start;
        end = Math.max(end, of[m].endUs(calls[m][i]) - offsets[m]);
        numbers[m] = of[m].kindOf(calls[m][i]);
        if (start > arrival) {
          before = arrival;
          arrival = start;
          last = m;
        } else {
          before = Math.max(before, start);
        }
      }
      double wait = n > 1 ? (n * arrival - starts) / (n - 1) : 0;
      double time = Math.max(0, end - arrival);
      double covered = 0;
      double beside = 0;
      for (int m = 0; m < n; m++) {
        double from = arrival + offsets[m];
        double to = Math.max(from, of[m].endUs(calls[m][i]));
        covered += of[m].compute().covered(from, to) / n;
        beside = Math.max(beside, besideCalls(of[m], calls[m][i], from, to));
      }
      if (arrival > before && n > 1) {
        double[] sums = late.computeIfAbsent(members.get(last), key -> new double[2]);
        sums[0]++;
        sums[1] += wait;
      }
      waitedUs += wait * (n - 1);
      SitesOfKind sites = ofNumbers.get(IntBuffer.wrap(numbers));
      if (sites == null) {
        sites = sitesOf(joined(channel, of, numbers));
        ofNumbers.put(IntBuffer.wrap(numbers.clone()), sites);
      }
      int site =
          sites.add(
              covered > OVERLAP * time,
              beside > OVERLAP * time,
              Basis.ARRIVAL,
              n,
              time,
              wait,
              covered);
      for (int m = 0; m < n; m++) {
        double start = of[m].startUs(calls[m][i]) - offsets[m];
        timeline.add(of[m], calls[m][i], site, arrival - start);
      }
    }
  }

  /** The kind of a call, with the largest size of its ranks and what each sends to each. */
  private static JoinedKind joined(Channel channel, RankTrace[] of, int[] numbers) {
    List<CallKind> kinds = new ArrayList<>();
    for (int m = 0; m < of.length; m++) {
      kinds.add(of[m].kinds().get(numbers[m]));
    }
    CallKind largest =
        kinds.stream().max(Comparator.comparingLong(CallKind::bytes)).orElse(kinds.get(0));
    if (largest.isAlltoall()) {
      List<List<Long>> rows = kinds.stream().map(CallKind::row).toList();
      boolean isEven = rows.stream().flatMap(List::stream).distinct().count() == 1;
      PeerOperation operation = isEven ? PeerOperation.ALLTOALL : PeerOperation.ALLTOALLV;
      return new JoinedKind(
          largest.as(largest.name(), Optional.of(operation)), isEven ? List.of() : rows);
    }
    if (largest.operation().equals(Optional.of(PeerOperation.SENDRECV))) {
      return new JoinedKind(largest.as(largest.name(), largest.operation()), rows(channel, kinds));
    }
    return kinds.stream().allMatch(kind -> kind.bytes() == largest.bytes())
        ? new JoinedKind(largest, List.of())
        : new JoinedKind(
            largest.as(largest.name() + " of different sizes", Optional.empty()), List.of());
  }

  /**
   * Bytes that each rank sends in a call between some ranks; empty if a trace does not state them.
   */
  private static List<List<Long>> rows(Channel channel, List<CallKind> kinds) {
    if (kinds.stream().anyMatch(kind -> kind.sent().isEmpty())) {
      return List.of();
    }
    List<List<Long>> rows = new ArrayList<>();
    for (int member = 0; member < channel.group.size(); member++) {
      int place = channel.members().indexOf(channel.group.ranks().get(member));
      rows.add(place < 0 ? Collections.nCopies(channel.group.size(), 0L) : kinds.get(place).sent());
    }
    return rows;
  }

  /** The lead of a member's clock over the first one's; 0 where they are the same. */
  private static double[] offsets(int[][] calls, RankTrace[] of, int count) {
    double[] offsets = new double[of.length];
    int size = Math.min(CLOCK_SAMPLE, count);
    for (int m = 1; m < of.length && size > 0; m++) {
      double[] differences = new double[size];
      for (int i = 0; i < size; i++) {
        int at = (int) ((long) i * count / size);
        differences[i] = of[m].endUs(calls[m][at]) - of[0].endUs(calls[0][at]);
      }
      Arrays.sort(differences);
      double median = differences[size / 2];
      offsets[m] = Math.abs(median) > SAME_CLOCK_US ? median : 0;
    }
    return offsets;
  }

  /** The time of a call during which another one of the rank ran; of several the longest. */
  private static double besideCalls(RankTrace trace, int call, double from, double to) {
    double longest = 0;
    int first = Math.max(0, call - NEIGHBOURS);
    int last = Math.min(trace.size() - 1, call + NEIGHBOURS);
    for (int other = first; other <= last && trace.startUs(other) < to; other++) {
      if (other != call) {
        double common = Math.min(to, trace.endUs(other)) - Math.max(from, trace.startUs(other));
        longest = Math.max(longest, common);
      }
    }
    return longest;
  }
}
