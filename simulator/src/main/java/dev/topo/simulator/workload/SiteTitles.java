package dev.topo.simulator.workload;

import dev.topo.inspect.trace.CallKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Titles of a job's calls in a table. If two rows would look the same, the name in the trace is
 * added, as for a barrier, which is an AllReduce.
 */
public final class SiteTitles {
  /** What the columns of a table show of a site. */
  private record Row(
      String title, CallKind kind, boolean overlapped, boolean concurrent, CallSite.Basis basis) {
    static Row of(CallSite site) {
      CallKind kind = site.kind().as("", site.kind().operation());
      return new Row(site.title(), kind, site.isOverlapped(), site.isConcurrent(), site.basis());
    }
  }

  private final Map<Row, Long> counts;

  private SiteTitles(Map<Row, Long> counts) {
    this.counts = counts;
  }

  /** Determines the titles of all sites of a table. */
  public static SiteTitles of(List<CallSite> sites) {
    Map<Row, Long> counts = new HashMap<>();
    sites.forEach(site -> counts.merge(Row.of(site), 1L, Long::sum));
    return new SiteTitles(counts);
  }

  /** Returns the title of one of the sites. */
  public String of(CallSite site) {
    String name = site.kind().name();
    return counts.getOrDefault(Row.of(site), 0L) > 1 && !name.equals(site.title())
        ? site.title() + " (" + name + ")"
        : site.title();
  }
}
