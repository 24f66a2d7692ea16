package dev.topo.simulator.workload;

import dev.topo.simulator.workload.CallSite.Basis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The communication of a job: its calls by site, those with the longest total time first, and its
 * step.
 *
 * @param files the traces
 * @param worldSize number of ranks of the job
 * @param tracedRanks number of ranks with a trace of their own; 0 if one trace has the calls of all
 *     ranks
 * @param ncclVersion NCCL's version; empty if no trace states it
 * @param sites the calls
 * @param step the communication of a step; empty if the traces have no times
 * @param late ranks that others waited for, the most expensive first
 * @param notes facts missing from the traces, in words
 */
public record Workload(
    List<String> files,
    int worldSize,
    int tracedRanks,
    Optional<String> ncclVersion,
    List<CallSite> sites,
    Optional<Step> step,
    List<LateRank> late,
    List<String> notes) {
  public Workload {
    files = List.copyOf(files);
    sites = List.copyOf(sites);
    late = List.copyOf(late);
    notes = List.copyOf(notes);
  }

  /** Returns this workload with another note. */
  public Workload with(String note) {
    List<String> more = new ArrayList<>(notes);
    more.add(note);
    return new Workload(files, worldSize, tracedRanks, ncclVersion, sites, step, late, more);
  }

  /** Number of ranks whose calls are known. */
  int knownRanks() {
    return tracedRanks > 0 ? tracedRanks : worldSize;
  }

  /**
   * True if the traces contain the work that overlaps with calls, so that exposed time is known.
   */
  public boolean hasExposure() {
    return step.isPresent() && step.get().exposedUs().isPresent();
  }

  /** True if calls have times that include waiting, as not all of their ranks were traced. */
  public boolean hasUnmatched() {
    return sites.stream()
        .anyMatch(site -> site.basis() == Basis.WITH_WAITING && site.kind().group().size() != 1);
  }

  /**
   * The communication of a step, in the mean of the ranks. Times are in microseconds.
   *
   * @param count steps in the traces
   * @param isMarked whether the traces mark steps; otherwise everything is one step
   * @param timeUs time of a step, from the first kernel to the last
   * @param communicationUs time during which a call runs, waiting included
   * @param exposedUs time during which only calls run; empty if the traces do not show what else
   *     runs
   * @param waitedUs time for which kernels wait for late ranks, in calls whose ranks were all
   *     traced; empty if there are no such calls
   */
  public record Step(
      int count,
      boolean isMarked,
      double timeUs,
      double communicationUs,
      OptionalDouble exposedUs,
      OptionalDouble waitedUs) {}

  /**
   * A rank that others wait for.
   *
   * @param rank the rank in the job
   * @param calls number of calls in which it came last
   * @param waitedUs total time for which the others waited for it in these calls, in their mean
   */
  public record LateRank(int rank, int calls, double waitedUs) {}
}
