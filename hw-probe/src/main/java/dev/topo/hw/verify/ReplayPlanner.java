package dev.topo.hw.verify;

import dev.topo.hw.run.ReplayCall;
import dev.topo.hw.run.ReplayPlan;
import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.CallTimeline;
import dev.topo.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plans a replay: the calls of a traced job in the order of their start times. If traces have no
 * start times, each kind of calls occurs once in a round.
 */
public final class ReplayPlanner {
  /**
   * Maximum number of calls in a round. A longer job is cut after them; each kind of call that
   * occurs only later is replayed once.
   */
  static final int MAX_STEPS = 10_000;

  private final Workload workload;
  private final CallTimeline timeline;
  private final Map<ProcessGroup, Integer> groups = new LinkedHashMap<>();
  private final Map<ReplayCall, Integer> calls = new LinkedHashMap<>();

  /**
   * Creates a planner for a job.
   *
   * @param timeline complete timeline of the same traces
   */
  public ReplayPlanner(Workload workload, CallTimeline timeline) {
    this.workload = workload;
    this.timeline = timeline;
  }

  /**
   * Plan of the replay.
   *
   * @param hasGaps whether GPUs stay idle between calls for as long as in the job
   * @param rounds number of repetitions of the calls
   */
  public PlannedReplay plan(boolean hasGaps, int rounds) {
    List<PlannedReplay.Site> sites = workload.sites().stream().map(this::site).toList();
    List<ReplayPlan.Step> steps = steps(sites, hasGaps);
    ReplayPlan plan =
        new ReplayPlan(
            workload.worldSize(),
            groups.keySet().stream().map(ProcessGroup::ranks).toList(),
            List.copyOf(calls.keySet()),
            steps,
            rounds);
    return new PlannedReplay(plan, sites);
  }

  private PlannedReplay.Site site(CallSite site) {
    CallParts parts = CallParts.of(site);
    if (!parts.reason().isEmpty()) {
      return new PlannedReplay.Site(Optional.empty(), parts.reason());
    }
    CallKind kind = site.kind();
    int group = groups.computeIfAbsent(kind.group(), key -> groups.size());
    String name = kind.title() + " of " + QuantityFormat.size(kind.bytes());
    int call =
        calls.computeIfAbsent(new ReplayCall(name, group, parts.parts()), key -> calls.size());
    return new PlannedReplay.Site(Optional.of(call), "");
  }

  /**
   * Call of the job.
   *
   * @param arrivalUs arrival time of its last rank
   */
  private record TracedCall(int call, double arrivalUs, double endUs) {}

  private List<ReplayPlan.Step> steps(List<PlannedReplay.Site> sites, boolean hasGaps) {
    Map<CallSite, Integer> callOf = new HashMap<>();
    for (int i = 0; i < sites.size(); i++) {
      CallSite site = workload.sites().get(i);
      sites.get(i).call().ifPresent(call -> callOf.put(site, call));
    }
    Set<Integer> traced =
        timeline.traces().stream()
            .map(trace -> trace.rank().orElse(-1))
            .collect(Collectors.toSet());
    List<TracedCall> replayedCalls =
        timeline.traces().stream()
            .flatMap(trace -> firstCalls(trace, traced, callOf))
            .sorted(Comparator.comparingDouble(TracedCall::arrivalUs))
            .limit(MAX_STEPS)
            .toList();
    List<ReplayPlan.Step> steps = new ArrayList<>();
    double end = Double.POSITIVE_INFINITY;
    for (TracedCall replayed : replayedCalls) {
      double gap = hasGaps ? Math.max(0, replayed.arrivalUs - end) : 0;
      steps.add(new ReplayPlan.Step(replayed.call, gap));
      end = steps.size() == 1 ? replayed.endUs : Math.max(end, replayed.endUs);
    }
    Set<Integer> replayedKinds =
        replayedCalls.stream().map(TracedCall::call).collect(Collectors.toSet());
    for (int call = 0; call < calls.size(); call++) {
      if (!replayedKinds.contains(call)) {
        steps.add(new ReplayPlan.Step(call, 0));
      }
    }
    return steps;
  }

  /** Calls in a trace in which no lower traced rank takes part, so that each call counts once. */
  private Stream<TracedCall> firstCalls(
      RankTrace trace, Set<Integer> traced, Map<CallSite, Integer> callOf) {
    int rank = trace.rank().orElse(-1);
    List<TracedCall> first = new ArrayList<>();
    for (int i = 0; i < trace.size() && first.size() < MAX_STEPS; i++) {
      Integer call = callOf.get(timeline.site(trace, i));
      if (call != null && isFirst(trace.kinds().get(trace.kindOf(i)), rank, traced)) {
        double start = timeline.startUs(trace, i);
        first.add(
            new TracedCall(call, start + timeline.waitUs(trace, i), start + trace.durationUs(i)));
      }
    }
    return first.stream();
  }

  private static boolean isFirst(CallKind kind, int rank, Set<Integer> traced) {
    List<Integer> ranks = kind.group().ranks();
    Stream<Integer> members =
        kind.isPair() && kind.peer() < ranks.size()
            ? Stream.of(rank, ranks.get(kind.peer()))
            : ranks.stream();
    return members.filter(traced::contains).allMatch(member -> member >= rank);
  }
}
