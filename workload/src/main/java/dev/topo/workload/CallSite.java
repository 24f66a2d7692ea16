package dev.topo.workload;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.PeerOperation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** All calls of one kind that ran alike: beside other kernels, or by themselves. Immutable. */
public final class CallSite {
  /** How the times of a site are to be read. */
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
  private final long rankCalls;
  private final boolean hasFirst;
  private final float[] timesUs;
  private final float[] waitsUs;
  private final float[] coveredUs;

  CallSite(
      CallKind kind,
      List<List<Long>> sent,
      boolean overlapped,
      boolean concurrent,
      Basis basis,
      boolean hasFirst,
      long count,
      long rankCalls,
      float[] timesUs,
      float[] waitsUs,
      float[] coveredUs) {
    this.kind = kind;
    this.sent = List.copyOf(sent);
    this.overlapped = overlapped;
    this.concurrent = concurrent;
    this.basis = basis;
    this.hasFirst = hasFirst;
    this.count = count;
    this.rankCalls = rankCalls;
    this.timesUs = timesUs.clone();
    this.waitsUs = waitsUs.clone();
    this.coveredUs = coveredUs.clone();
  }

  /** The kind of the calls, of the first of the ranks. */
  public CallKind kind() {
    return kind;
  }

  /**
   * What each rank of the group sends to each, in bytes; empty where parts are equal, or not all
   * ranks were traced.
   */
  public List<List<Long>> sent() {
    return sent;
  }

  /**
   * The call for people: its operation, and of sends and receives which way they go, or the largest
   * part that goes to another rank where parts differ.
   */
  public String title() {
    return kind.title() + traffic();
  }

  private String traffic() {
    long largest = 0;
    int count = 0;
    String way = "";
    for (int from = 0; from < sent.size(); from++) {
      for (int to = 0; to < sent.get(from).size(); to++) {
        long bytes = from == to ? 0 : sent.get(from).get(to);
        count += bytes > 0 ? 1 : 0;
        if (bytes > largest) {
          largest = bytes;
          way = from + " to " + to;
        }
      }
    }
    if (count == 0) {
      return "";
    }
    if (kind.operation().equals(Optional.of(PeerOperation.SENDRECV)) && sent.size() == 2) {
      return count == 1 ? " " + way : " both ways";
    }
    return ", " + QuantityFormat.size(largest) + " " + way;
  }

  /** Whether kernels of the model's computation ran at the same time. */
  public boolean isOverlapped() {
    return overlapped;
  }

  /** Whether another call of a rank ran at the same time. */
  public boolean isConcurrent() {
    return concurrent;
  }

  /** How the times are to be read. */
  public Basis basis() {
    return basis;
  }

  /** Number of calls. */
  public long count() {
    return count;
  }

  /**
   * The part of its calls that a rank makes, in the mean: groups that share no rank run at once.
   *
   * @param nRanks the ranks whose calls are known
   */
  public double share(int nRanks) {
    return count == 0 ? 0 : (double) rankCalls / count / nRanks;
  }

  /** The times that count: without the first call of the kind, where there are others. */
  private float[] counted(float[] values) {
    return hasFirst && values.length > 1 ? Arrays.copyOfRange(values, 1, values.length) : values;
  }

  /** The times of the calls, without the first one of the kind where there are others. */
  public float[] countedUs() {
    return counted(timesUs).clone();
  }

  /** Whether the only time is that of the first call of the kind, which sets up connections. */
  public boolean isFirstOnly() {
    return hasFirst && timesUs.length == 1;
  }

  /** The median time of a call. */
  public OptionalDouble medianUs() {
    return quantile(counted(timesUs), 0.5);
  }

  /** The time that a part of the calls do not exceed. */
  public OptionalDouble quantileUs(double part) {
    return quantile(counted(timesUs), part);
  }

  /** The median time that the first rank waited for the last one. */
  public OptionalDouble waitedUs() {
    return quantile(counted(waitsUs), 0.5);
  }

  /** The time of all calls together, the first one included. */
  public double totalUs() {
    return sum(timesUs);
  }

  /** The part of {@link #totalUs} in which nothing else ran, in the mean of the ranks. */
  public double exposedUs() {
    return exposedUs(1);
  }

  /**
   * The same if each call took another time while what runs beside it stays.
   *
   * @param factor how many times as long
   */
  public double exposedUs(double factor) {
    double exposed = 0;
    for (int i = 0; i < timesUs.length; i++) {
      exposed += Math.max(0, factor * timesUs[i] - coveredUs[i]);
    }
    return exposed;
  }

  /** What ranks waited for the last one in all calls together, in the mean of the ranks. */
  public double totalWaitsUs() {
    return sum(waitsUs);
  }

  /** The launch of the kernel; empty where the trace has none. */
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

  /** Of an even number of values the mean of the two in the middle. */
  private static OptionalDouble quantile(float[] values, double part) {
    if (values.length == 0) {
      return OptionalDouble.empty();
    }
    float[] sorted = values.clone();
    Arrays.sort(sorted);
    double place = part * (sorted.length - 1);
    int low = (int) place;
    int high = Math.min(low + 1, sorted.length - 1);
    return OptionalDouble.of(sorted[low] + (place - low) * (sorted[high] - sorted[low]));
  }
}
