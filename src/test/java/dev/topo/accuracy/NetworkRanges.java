package dev.topo.accuracy;

import dev.topo.accuracy.NetworkFits.Unseen;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.KnownSpread;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Ranges between nodes. A stratum is a network, a kind of node count and a class of sizes divided
 * by the ranks. Its range is what nine in ten times of clusters that no fit has seen are off by,
 * each cluster with one vote. A stratum with few times or clusters takes the times of a wider one.
 */
final class NetworkRanges {
  /** Strata with fewer times, or of fewer clusters, say nothing of others. */
  private static final int LEAST_TIMES = 16;

  static final int LEAST_CLUSTERS = 4;

  /** A cluster with fewer rows counts less than others. */
  static final double ROWS_OF_CLUSTER = 8;

  private static final double HELD = 0.9;

  /** Classes of the size of a call divided by the ranks. */
  static final List<Long> FROM_BYTES =
      List.of(0L, 4L << 10, 64L << 10, 1L << 20, 4L << 20, KnownSpread.LARGE);

  /** What a time of a cluster is off by, as a part of the shorter of both times. */
  record Off(double part, String cluster) {}

  /**
   * A time between nodes that are no NVLink domains of several hosts.
   *
   * @param part suffix of the network's name for the number of nodes
   * @param sizes index of the class of sizes
   */
  record Time(String network, String part, int sizes, Off off, Unseen of) {
    static Time of(Unseen one) {
      String network = one.row().cluster().network();
      int sizes = (int) FROM_BYTES.stream().filter(from -> from <= one.bytesOfRank()).count() - 1;
      return new Time(
          network,
          SpreadTest.basis(one).substring(KnownSpread.NETWORK.length() + network.length()),
          sizes,
          new Off(SpreadTest.ofShorter(one.error()), one.row().cluster().site()),
          one);
    }

    String cluster() {
      return off.cluster;
    }

    Operation operation() {
      return of.row().operation();
    }

    /** Whether the other is of the same stratum. */
    boolean isLike(Time other) {
      return isOf(other.network, other.part, other.sizes);
    }

    private boolean isOf(String otherNetwork, String otherPart, int otherSizes) {
      return network.equals(otherNetwork) && part.equals(otherPart) && sizes == otherSizes;
    }
  }

  private final List<Time> times;

  private NetworkRanges(List<Time> times) {
    this.times = times;
  }

  static NetworkRanges of(List<Unseen> all) {
    return new NetworkRanges(
        all.stream()
            .map(Time::of)
            .filter(one -> !one.part.equals(KnownSpread.DOMAIN))
            .filter(one -> !one.network.equals(NetworkFits.SOCKETS))
            .toList());
  }

  List<Time> times() {
    return times;
  }

  /** The number of times of a stratum itself. */
  int own(String network, String part, int sizes) {
    return (int) times.stream().filter(one -> one.isOf(network, part, sizes)).count();
  }

  /** The range of a stratum, as a part. */
  double part(String network, String part, int sizes) {
    Stream<Predicate<Time>> strata =
        Stream.of(
            one -> one.isOf(network, part, sizes),
            one -> one.network.equals(network) && one.sizes == sizes,
            one -> one.part.equals(part) && one.sizes == sizes,
            one -> one.sizes == sizes,
            one -> Math.abs(one.sizes - sizes) <= 1);
    return strata
        .map(stratum -> times.stream().filter(stratum).toList())
        .filter(NetworkRanges::areMany)
        .mapToDouble(NetworkRanges::held)
        .findFirst()
        .orElseThrow();
  }

  private static boolean areMany(List<Time> some) {
    return some.size() >= LEAST_TIMES
        && some.stream().map(Time::cluster).distinct().count() >= LEAST_CLUSTERS;
  }

  private static double held(List<Time> some) {
    return rounded(held(some.stream().map(Time::off)));
  }

  /** What nine in ten are off by at most, each cluster with one vote. */
  static double held(Stream<Off> some) {
    List<Off> sorted = some.sorted(Comparator.comparingDouble(Off::part)).toList();
    Map<String, Integer> rows = new HashMap<>();
    sorted.forEach(one -> rows.merge(one.cluster, 1, Integer::sum));
    double total = sorted.stream().mapToDouble(one -> weight(one, rows)).sum();
    double sum = 0;
    double part = 0;
    for (Off one : sorted) {
      if (sum < HELD * total) {
        part = one.part;
      }
      sum += weight(one, rows);
    }
    return part;
  }

  private static double weight(Off one, Map<String, Integer> rows) {
    return 1 / Math.max(ROWS_OF_CLUSTER, Objects.requireNonNull(rows.get(one.cluster)));
  }

  /** A part as the table has it: up to three digits. */
  static double rounded(double part) {
    return Math.ceil(1000 * part) / 1000;
  }

  /** A time with the range that the other clusters give. */
  record Held(Time time, double part) {
    boolean isInside() {
      return time.off.part <= part;
    }

    /** The interval score of a range that holds nine in ten, on a logarithmic scale. */
    double score() {
      double beyond = Math.max(0, Math.log1p(time.off.part) - Math.log1p(part));
      return 2 * Math.log1p(part) + 2 / (1 - HELD) * beyond;
    }
  }

  /** Every time with a range made without its cluster. */
  List<Held> leftOut() {
    Map<String, NetworkRanges> others = new HashMap<>();
    Map<String, Double> parts = new HashMap<>();
    return times.stream()
        .map(
            time ->
                new Held(
                    time,
                    parts.computeIfAbsent(
                        time.cluster() + "|" + time.network + time.part + "|" + time.sizes,
                        key ->
                            others
                                .computeIfAbsent(time.cluster(), this::without)
                                .part(time.network, time.part, time.sizes))))
        .toList();
  }

  private NetworkRanges without(String cluster) {
    return new NetworkRanges(times.stream().filter(one -> !one.cluster().equals(cluster)).toList());
  }
}
