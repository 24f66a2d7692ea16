package dev.topo.simulator.workload;

import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.RankTrace.Times;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The site and the waiting time of each call, for ranks whose traces have start times; {@link
 * TraceMerger} fills it. Stored in columns, as a job has millions of calls. Times are in
 * microseconds.
 */
public final class CallTimeline {
  private final List<RankTrace> traces;
  private final Map<RankTrace, Row> rows = new HashMap<>();
  private List<CallSite> sites = List.of();

  private static final class Row {
    private final int[] siteOf;
    private final float[] waits;
    private double aheadUs;
    private boolean isCompared;

    Row(int size) {
      siteOf = new int[size];
      waits = new float[size];
    }
  }

  /** Creates a timeline without calls. */
  public CallTimeline(List<RankTrace> rankTraces) {
    this.traces =
        rankTraces.stream()
            .filter(trace -> trace.rank().isPresent() && trace.size() > 0)
            .filter(trace -> trace.times() == Times.START_AND_DURATION)
            .sorted(Comparator.comparingInt(trace -> trace.rank().getAsInt()))
            .toList();
    traces.forEach(trace -> rows.put(trace, new Row(trace.size())));
    traces.stream().limit(1).forEach(first -> row(first).isCompared = true);
  }

  /** The traces of ranks whose calls have start times, in the order of ranks. */
  public List<RankTrace> traces() {
    return traces;
  }

  /** The site of a call. */
  public CallSite site(RankTrace trace, int call) {
    return sites.get(row(trace).siteOf[call]);
  }

  /**
   * Time for which the rank waited in a call for the last rank; 0 if the calls of the ranks could
   * not be matched.
   */
  public double waitUs(RankTrace trace, int call) {
    return row(trace).waits[call];
  }

  /** Start of a call's kernel, by the clock of the first trace. */
  public double startUs(RankTrace trace, int call) {
    return trace.startUs(call) - aheadUs(trace);
  }

  /** Lead of a rank's clock over that of the first trace; 0 if unknown. */
  public double aheadUs(RankTrace trace) {
    return row(trace).aheadUs;
  }

  /** True if the clock of a rank could be compared with that of the first trace. */
  public boolean isCompared(RankTrace trace) {
    return row(trace).isCompared;
  }

  private Row row(RankTrace trace) {
    Row row = rows.get(trace);
    if (row == null) {
      throw new IllegalArgumentException(trace.file() + " has no starts of calls");
    }
    return row;
  }

  /** Adds a call of a site, by the site's number. */
  void add(RankTrace trace, int call, int site, double waitUs) {
    Row row = rows.get(trace);
    if (row != null) {
      row.siteOf[call] = site;
      row.waits[call] = (float) waitUs;
    }
  }

  /**
   * Sets the lead of a rank's clock over another one's, unless it is known already or that of the
   * other is unknown.
   */
  void compare(RankTrace trace, RankTrace other, double aheadUs) {
    Row row = rows.get(trace);
    Row from = rows.get(other);
    if (row != null && from != null && from.isCompared && !row.isCompared) {
      row.aheadUs = from.aheadUs + aheadUs;
      row.isCompared = true;
    }
  }

  /** Sets the sites, in the order of their numbers. */
  void complete(List<CallSite> numbered) {
    sites = List.copyOf(numbered);
  }
}
