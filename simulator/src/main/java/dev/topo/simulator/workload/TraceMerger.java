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
 * Joins the traces of ranks by matching calls: all ranks of a communicator make the same calls in
 * the same order, and a single send matches a receive on one other rank. A call lasts from the
 * arrival of its last rank to the end of its last kernel. For a single use.
 */
public final class TraceMerger {
  /** A call counts as overlapped if something else runs during more than this fraction of it. */
  private static final double OVERLAP = 0.02;

  /**
   * Clocks of the GPUs of one host differ by less. As the kernels of a call end nearly together, a
   * larger median difference between their ends is one of clocks.
   */
  private static final double SAME_CLOCK_US = 100;

  /** Largest number of calls by which clocks are compared. */
  private static final int CLOCK_SAMPLE = 1001;

  /**
   * Number of calls before and after a call that are checked for overlap with it: more than a GPU
   * usually has communicators.
   */
  private static final int NEIGHBOURS = 8;

  private final List<RankTrace> traces;
  private final CallTimeline timeline;
  private final Map<JoinedKind, SitesOfKind> kinds = new LinkedHashMap<>();
  private final List<SiteTimes> sites = new ArrayList<>();

  /** Number of calls in which a rank was last, and the sum of the others' mean waits, by rank. */
  private final Map<Integer, double[]> late = new TreeMap<>();

  private final List<String> notes = new ArrayList<>();
  private double waitedUs;
  private boolean hasWaits;

  /** The kind of a call, and the bytes that each rank sends. */
  private record JoinedKind(CallKind kind, List<List<Long>> sent) {}

  /**
   * The sites of a kind. They are found without comparing kinds, which is slow as a group may have
   * thousands of ranks.
   */
  private final class SitesOfKind {
    private final JoinedKind kind;
    private final @Nullable SiteTimes[] byOverlap = new SiteTimes[4 * Basis.values().length];
    private boolean hasFirst;

    SitesOfKind(JoinedKind kind) {
      this.kind = kind;
    }

    /**
     * Adds a call.
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
      int index = 4 * basis.ordinal() + (overlapped ? 2 : 0) + (concurrent ? 1 : 0);
      SiteTimes times = byOverlap[index];
      if (times == null) {
        times = new SiteTimes(sites.size(), kind, overlapped, concurrent, basis);
        sites.add(times);
        byOverlap[index] = times;
      }
      return times;
    }
  }

  /** A sequence of calls to match: those of a communicator, or those between two of its ranks. */
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
  private static final class RankCalls {
    private final RankTrace trace;
    private int[] calls = new int[16];
    private int size;

    RankCalls(RankTrace trace) {
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
   * Joins the traces of a job.
   *
   * @param traces the traces of its ranks, one for each rank; or one trace with the calls of all
   * @param worldSize number of ranks of the job
   */
  public static Workload join(List<RankTrace> traces, int worldSize) {
    return join(traces, worldSize, new CallTimeline(List.of()));
  }

  /**
   * Joins the traces of a job, and adds the calls to a timeline.
   *
   * @param timeline timeline of the same traces, without calls yet
   */
  public static Workload join(List<RankTrace> traces, int worldSize, CallTimeline timeline) {
    return new TraceMerger(traces, timeline).workload(worldSize);
  }

  private Workload workload(int worldSize) {
    traces.stream().flatMap(trace -> trace.notes().stream()).distinct().forEach(notes::add);
    traces.stream().flatMap(TraceMerger::withoutCalls).forEach(notes::add);
    Map<Channel, Map<Integer, RankCalls>> channels = new LinkedHashMap<>();
    for (RankTrace trace : traces) {
      if (trace.rank().isEmpty() || trace.times() == Times.NONE) {
        addUntimed(trace);
      } else {
        collect(trace, trace.rank().getAsInt(), channels);
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

  /** Notes that the trace of a rank has no calls. */
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

  private static void collect(
      RankTrace trace, int rank, Map<Channel, Map<Integer, RankCalls>> channels) {
    @Nullable RankCalls[] ofKind = new RankCalls[trace.kinds().size()];
    for (int call = 0; call < trace.size(); call++) {
      int kind = trace.kindOf(call);
      RankCalls rankCalls = ofKind[kind];
      if (rankCalls == null) {
        rankCalls =
            channels
                .computeIfAbsent(Channel.of(trace.kinds().get(kind), rank), key -> new TreeMap<>())
                .computeIfAbsent(rank, key -> new RankCalls(trace));
        ofKind[kind] = rankCalls;
      }
      rankCalls.add(call);
    }
  }

  /**
   * Adds the calls of a trace without times. Traces of several ranks contain the same calls, so
   * counts are not added up.
   */
  private void addUntimed(RankTrace trace) {
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

  /** Adds calls of one rank that could not be matched; their times include waiting. */
  private void addUnmatched(RankCalls rankCalls) {
    RankTrace trace = rankCalls.trace;
    @Nullable SitesOfKind[] ofKind = new SitesOfKind[trace.kinds().size()];
    for (int i = 0; i < rankCalls.size; i++) {
      int call = rankCalls.calls[i];
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

  /**
   * Joins the calls of a channel if all of its ranks were traced and their calls match; otherwise
   * adds those of each rank.
   */
  private void join(Channel channel, Map<Integer, RankCalls> rankCalls) {
    List<Integer> members = channel.members();
    List<RankCalls> ofMembers =
        members.stream()
            .flatMap(rank -> Optional.ofNullable(rankCalls.get(rank)).stream())
            .toList();
    int count = ofMembers.isEmpty() ? 0 : ofMembers.get(0).size;
    if (count > 0
        && ofMembers.size() == members.size()
        && ofMembers.stream().allMatch(member -> member.size == count)) {
      int[][] calls = ofMembers.stream().map(member -> member.calls).toArray(int[][]::new);
      RankTrace[] memberTraces =
          ofMembers.stream().map(member -> member.trace).toArray(RankTrace[]::new);
      Optional<String> fault = fault(channel, calls, memberTraces, count);
      if (fault.isEmpty()) {
        joinAll(channel, calls, memberTraces, count);
        return;
      }
      notes.add(fault.get());
    } else if (count > 0 && ofMembers.size() == members.size()) {
      notes.add(
          "group %s: %s calls on rank %s, %s; its times include waiting"
              .formatted(
                  channel.group.title(), count, members.get(0), otherCount(members, ofMembers)));
    }
    rankCalls.values().forEach(this::addUnmatched);
  }

  /** Describes the first member whose number of calls differs from that of the first. */
  private static String otherCount(List<Integer> members, List<RankCalls> rankCalls) {
    int other = 1;
    while (rankCalls.get(other).size == rankCalls.get(0).size) {
      other++;
    }
    return rankCalls.get(other).size + " on rank " + members.get(other);
  }

  /** Describes why calls cannot be matched; empty if they match. */
  private static Optional<String> fault(
      Channel channel, int[][] calls, RankTrace[] memberTraces, int count) {
    for (int i = 0; i < count; i++) {
      CallKind first = memberTraces[0].kinds().get(memberTraces[0].kindOf(calls[0][i]));
      for (int m = 1; m < memberTraces.length; m++) {
        CallKind kind = memberTraces[m].kinds().get(memberTraces[m].kindOf(calls[m][i]));
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

  private void joinAll(Channel channel, int[][] calls, RankTrace[] memberTraces, int count) {
    List<Integer> members = channel.members();
    int n = memberTraces.length;
    hasWaits |= n > 1;
    double[] offsets = offsets(calls, memberTraces, count);
    for (int m = 1; m < n; m++) {
      timeline.compare(memberTraces[m], memberTraces[0], offsets[m]);
    }
    Map<IntBuffer, SitesOfKind> sitesByKinds = new HashMap<>();
    int[] kindNumbers = new int[n];
    for (int i = 0; i < count; i++) {
      double arrival = Double.NEGATIVE_INFINITY;
      double secondArrival = Double.NEGATIVE_INFINITY;
      double end = Double.NEGATIVE_INFINITY;
      double starts = 0;
      int last = 0;
      for (int m = 0; m < n; m++) {
        double start = memberTraces[m].startUs(calls[m][i]) - offsets[m];
        starts += start;
        end = Math.max(end, memberTraces[m].endUs(calls[m][i]) - offsets[m]);
        kindNumbers[m] = memberTraces[m].kindOf(calls[m][i]);
        if (start > arrival) {
          secondArrival = arrival;
          arrival = start;
          last = m;
        } else {
          secondArrival = Math.max(secondArrival, start);
        }
      }
      double wait = n > 1 ? (n * arrival - starts) / (n - 1) : 0;
      double time = Math.max(0, end - arrival);
      double covered = 0;
      double beside = 0;
      for (int m = 0; m < n; m++) {
        double from = arrival + offsets[m];
        double to = Math.max(from, memberTraces[m].endUs(calls[m][i]));
        covered += memberTraces[m].compute().covered(from, to) / n;
        beside = Math.max(beside, besideCalls(memberTraces[m], calls[m][i], from, to));
      }
      if (arrival > secondArrival && n > 1) {
        double[] sums = late.computeIfAbsent(members.get(last), key -> new double[2]);
        sums[0]++;
        sums[1] += wait;
      }
      waitedUs += wait * (n - 1);
      SitesOfKind sites = sitesByKinds.get(IntBuffer.wrap(kindNumbers));
      if (sites == null) {
        sites = sitesOf(joined(channel, memberTraces, kindNumbers));
        sitesByKinds.put(IntBuffer.wrap(kindNumbers.clone()), sites);
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
        double start = memberTraces[m].startUs(calls[m][i]) - offsets[m];
        timeline.add(memberTraces[m], calls[m][i], site, arrival - start);
      }
    }
  }

  /**
   * Derives the kind of a joined call: the largest size of its ranks, and the bytes that each sends
   * to each.
   */
  private static JoinedKind joined(Channel channel, RankTrace[] memberTraces, int[] kindNumbers) {
    List<CallKind> kinds = new ArrayList<>();
    for (int m = 0; m < memberTraces.length; m++) {
      kinds.add(memberTraces[m].kinds().get(kindNumbers[m]));
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
   * Bytes that each rank of the group sends to each in a call of some members; empty if a trace
   * does not state them.
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

  /**
   * The lead of each member's clock over that of the first, in microseconds; 0 if both have one
   * clock.
   */
  private static double[] offsets(int[][] calls, RankTrace[] memberTraces, int count) {
    double[] offsets = new double[memberTraces.length];
    int size = Math.min(CLOCK_SAMPLE, count);
    for (int m = 1; m < memberTraces.length && size > 0; m++) {
      double[] differences = new double[size];
      for (int i = 0; i < size; i++) {
        int at = (int) ((long) i * count / size);
        differences[i] = memberTraces[m].endUs(calls[m][at]) - memberTraces[0].endUs(calls[0][at]);
      }
      Arrays.sort(differences);
      double median = differences[size / 2];
      offsets[m] = Math.abs(median) > SAME_CLOCK_US ? median : 0;
    }
    return offsets;
  }

  /** The longest time for which another call of the rank ran during a call. */
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
