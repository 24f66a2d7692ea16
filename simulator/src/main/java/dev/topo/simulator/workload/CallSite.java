package dev.topo.simulator.workload;

import dev.topo.inspect.trace.CallKind;
import dev.topo.model.Quantiles;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.PeerOperation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * All calls of one kind with the same overlap, made by one group or by several groups {@linkplain
 * #together joined}. Immutable.
 */
public final class CallSite {
  /** What the times of a site measure. */
  public enum Basis {
    /** From the arrival of the last rank to the end. */
    ARRIVAL,
    /** Durations of kernels, which also wait for late ranks: not all ranks were traced. */
    WITH_WAITING,
    /** The trace has no times. */
    NONE
  }

  private final CallKind kind;
  private final List<List<Long>> sent;
  private final boolean overlapped;
  private final boolean concurrent;
  private final Basis basis;
  private final long count;
  private final int firsts;
  private final long rankCalls;
  private final float[] timesUs;
  private final float[] waitsUs;
  private final float[] coveredUs;
  private final List<CallSite> parts;

  CallSite(
      CallKind kind,
      List<List<Long>> sent,
      boolean overlapped,
      boolean concurrent,
      Basis basis,
      int firsts,
      long count,
      long rankCalls,
      float[] timesUs,
      float[] waitsUs,
      float[] coveredUs,
      List<CallSite> parts) {
    this.kind = kind;
    this.sent = List.copyOf(sent);
    this.overlapped = overlapped;
    this.concurrent = concurrent;
    this.basis = basis;
    this.firsts = firsts;
    this.count = count;
    this.rankCalls = rankCalls;
    this.timesUs = timesUs.clone();
    this.waitsUs = waitsUs.clone();
    this.coveredUs = coveredUs.clone();
    this.parts = List.copyOf(parts);
  }

  /**
   * Joins the calls of several sites to one site, which has the group of the first.
   *
   * @param sites sites that differ only in their groups, or also in what ran beside them
   */
  public static CallSite together(List<CallSite> sites) {
    CallSite first = sites.get(0);
    int firsts = sites.stream().mapToInt(site -> site.firsts).sum();
    return sites.size() == 1
        ? first
        : new CallSite(
            first.kind,
            first.sent,
            first.overlapped,
            first.concurrent,
            first.basis,
            firsts,
            sites.stream().mapToLong(CallSite::count).sum(),
            sites.stream().mapToLong(site -> site.rankCalls).sum(),
            together(sites, firsts, site -> site.timesUs),
            together(sites, firsts, site -> site.waitsUs),
            together(sites, firsts, site -> site.coveredUs),
            sites.stream().flatMap(site -> site.ofGroups().stream()).toList());
  }

  /** Joins the values of all sites, those of first calls before the others. */
  private static float[] together(
      List<CallSite> sites, int firsts, Function<CallSite, float[]> values) {
    int size = sites.stream().mapToInt(site -> site.timesUs.length).sum();
    float[] merged = new float[size];
    int first = 0;
    int other = firsts;
    for (CallSite site : sites) {
      float[] part = values.apply(site);
      System.arraycopy(part, 0, merged, first, site.firsts);
      System.arraycopy(part, site.firsts, merged, other, part.length - site.firsts);
      first += site.firsts;
      other += part.length - site.firsts;
    }
    return merged;
  }

  /** The sites of single groups: this site itself, or the sites that were joined to it. */
  List<CallSite> ofGroups() {
    return parts.isEmpty() ? List.of(this) : parts;
  }

  /** Number of groups that make the calls. */
  public int groups() {
    return (int) ofGroups().stream().map(site -> site.kind.group()).distinct().count();
  }

  /** The kind of the calls; of joined sites that of the first. */
  public CallKind kind() {
    return kind;
  }

  /**
   * Bytes that each rank of the group sends to each; empty if all parts are equal, or not all ranks
   * were traced.
   */
  public List<List<Long>> sent() {
    return sent;
  }

  /**
   * Names the call: its operation and, if it has {@link #sent} bytes, the direction of a send and
   * receive or the largest part that a rank sends to another.
   */
  public String title() {
    return kind.title() + traffic();
  }

  private String traffic() {
    long largest = 0;
    int count = 0;
    String path = "";
    for (int from = 0; from < sent.size(); from++) {
      for (int to = 0; to < sent.get(from).size(); to++) {
        long bytes = from == to ? 0 : sent.get(from).get(to);
        count += bytes > 0 ? 1 : 0;
        if (bytes > largest) {
          largest = bytes;
          path = from + " to " + to;
        }
      }
    }
    if (count == 0) {
      return "";
    }
    if (kind.operation().equals(Optional.of(PeerOperation.SENDRECV)) && sent.size() == 2) {
      return count == 1 ? " " + path : " both ways";
    }
    return ", " + QuantityFormat.size(largest) + " " + path;
  }

  /** True if kernels of the model's computation ran at the same time. */
  public boolean isOverlapped() {
    return overlapped;
  }

  /** True if another call of a rank ran at the same time. */
  public boolean isConcurrent() {
    return concurrent;
  }

  public Basis basis() {
    return basis;
  }

  /** Number of calls. */
  public long count() {
    return count;
  }

  /**
   * The mean fraction of the calls that a rank takes part in: groups without common ranks run
   * concurrently.
   *
   * @param nRanks number of ranks whose calls are known
   */
  double share(int nRanks) {
    return count == 0 ? 0 : (double) rankCalls / count / nRanks;
  }

  /** The values without those of first calls of the kind, if there are others. */
  private float[] counted(float[] values) {
    return values.length > firsts ? Arrays.copyOfRange(values, firsts, values.length) : values;
  }

  /**
   * The times of the calls in microseconds, without the first calls of the kind if there are
   * others.
   */
  public float[] countedUs() {
    return counted(timesUs).clone();
  }

  /** True if all times are of first calls of the kind, which set up connections. */
  public boolean isFirstOnly() {
    return firsts > 0 && timesUs.length == firsts;
  }

  /** The median time of a call; empty if there are no times. */
  public OptionalDouble medianUs() {
    return quantile(counted(timesUs), 0.5);
  }

  /** A quantile of the times, such as 0.5 for the median; empty if there are no times. */
  public OptionalDouble quantileUs(double part) {
    return quantile(counted(timesUs), part);
  }

  /** The median time that the first rank waited for the last one. */
  public OptionalDouble waitedUs() {
    return quantile(counted(waitsUs), 0.5);
  }

  /** The total time of all calls, first ones included, in microseconds. */
  public double totalUs() {
    return sum(timesUs);
  }

  /** The part of {@link #totalUs} in which nothing else ran, in the mean of the ranks. */
  public double exposedUs() {
    return exposedUs(1);
  }

  /**
   * The exposed time if each call took another time and the overlapping work stayed the same.
   *
   * @param factor factor of the time of each call
   */
  double exposedUs(double factor) {
    double exposed = 0;
    for (int i = 0; i < timesUs.length; i++) {
      exposed += Math.max(0, factor * timesUs[i] - coveredUs[i]);
    }
    return exposed;
  }

  /** The launch size of the kernel; empty if the trace does not state it. */
  public Optional<CallKind.LaunchSize> shape() {
    return kind.shape();
  }

  private static double sum(float[] values) {
    double sum = 0;
    for (float value : values) {
      sum += value;
    }
    return sum;
  }

  private static OptionalDouble quantile(float[] values, double part) {
    if (values.length == 0) {
      return OptionalDouble.empty();
    }
    double[] sorted = new double[values.length];
    Arrays.setAll(sorted, i -> values[i]);
    return OptionalDouble.of(Quantiles.of(sorted, part));
  }
}
