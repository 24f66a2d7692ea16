package dev.topo.accuracy;

import dev.topo.accuracy.NetworkFits.Unseen;
import dev.topo.accuracy.SpreadTest.Entry;
import dev.topo.model.Quantiles;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.calibration.KnownSpread;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Ranges between nodes. A stratum is a network, a kind of node count, a class of sizes divided by
 * the ranks, and whether NCCL chooses LL128, which some clusters do not use. Its range is what nine
 * in ten times of clusters that no fit has seen are off by, each cluster with one vote. Times of
 * neighbouring strata count in part, so that a stratum with few clusters of its own is not decided
 * by one of them.
 */
final class NetworkRanges {
  /** Fewer clusters say nothing of others. */
  static final int LEAST_CLUSTERS = 4;

  /**
   * The weights of times of another number of nodes, and of another network, a neighbouring class
   * of sizes or another protocol. They were not fitted; tenths instead change scores by 3 %.
   */
  private static final double OTHER_NODES = 0.5;

  private static final double OTHER_STRATUM = 0.25;

  /** A cluster whose times by LL128 exceed the predicted ones by more, in the median, is slower. */
  private static final double SLOWER = 0.2;

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
   * @param protocol suffix for LL128; empty for other protocols
   * @param sizes index of the class of sizes
   */
  record Time(String network, String part, String protocol, int sizes, Off off, Unseen of) {
    static Time of(Unseen one) {
      String network = one.row().cluster().network();
      int sizes = (int) FROM_BYTES.stream().filter(from -> from <= one.bytesOfRank()).count() - 1;
      return new Time(
          network,
          SpreadTest.basis(one).substring(KnownSpread.NETWORK.length() + network.length()),
          protocol(one),
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

    private static String protocol(Unseen one) {
      return one.row().algorithm().endsWith(Protocol.LL128.label()) ? KnownSpread.LL128 : "";
    }

    /** The stratum: its entry in the table without the size. */
    Stratum stratum() {
      return new Stratum(network, part, protocol, sizes);
    }
  }

  /** What has a range of its own. */
  record Stratum(String network, String part, String protocol, int sizes) {
    String basis() {
      return KnownSpread.NETWORK + network + part + protocol;
    }

    /** How much a time of another stratum says of this one; 1 for its own. */
    double weight(Stratum other) {
      int apart = Math.abs(sizes - other.sizes);
      return (network.equals(other.network) ? 1 : OTHER_STRATUM)
          * (part.equals(other.part) ? 1 : OTHER_NODES)
          * (protocol.equals(other.protocol) ? 1 : OTHER_STRATUM)
          * (apart == 0 ? 1 : apart == 1 ? OTHER_STRATUM : 0);
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
  int own(Stratum stratum) {
    return (int) times.stream().filter(one -> one.stratum().equals(stratum)).count();
  }

  /** The range of a stratum, as a part. */
  double part(Stratum stratum) {
    return rounded(held(times.stream(), Time::off, one -> stratum.weight(one.stratum())));
  }

  /** What nine in ten are off by at most, each cluster with one vote. */
  static double held(Stream<Off> some) {
    return held(some, off -> off, off -> 1);
  }

  private static <T> double held(Stream<T> some, Function<T, Off> off, ToDoubleFunction<T> weight) {
    List<T> sorted =
        some.filter(one -> weight.applyAsDouble(one) > 0)
            .sorted(Comparator.comparingDouble(one -> off.apply(one).part))
            .toList();
    Map<String, Long> rows =
        sorted.stream()
            .collect(Collectors.groupingBy(one -> off.apply(one).cluster, Collectors.counting()));
    ToDoubleFunction<T> vote =
        one ->
            weight.applyAsDouble(one)
                / Math.max(
                    ROWS_OF_CLUSTER, Objects.requireNonNull(rows.get(off.apply(one).cluster)));
    double total = sorted.stream().mapToDouble(vote).sum();
    double sum = 0;
    double part = 0;
    for (T one : sorted) {
      if (sum < HELD * total) {
        part = off.apply(one).part;
      }
      sum += vote.applyAsDouble(one);
    }
    return part;
  }

  /**
   * The clusters that take longer by LL128 than others with the median of their excess, and the
   * other clusters with their range.
   */
  Map<String, Entry> kinds() {
    List<Time> ofLl128 =
        times.stream().filter(one -> one.protocol.equals(KnownSpread.LL128)).toList();
    Map<String, Double> excess =
        ofLl128.stream()
            .collect(
                Collectors.groupingBy(
                    Time::cluster,
                    Collectors.collectingAndThen(
                        Collectors.toList(), NetworkRanges::medianExcess)));
    List<Double> slower = excess.values().stream().filter(part -> part > SLOWER).toList();
    double usual =
        held(
            ofLl128.stream()
                .filter(one -> Objects.requireNonNull(excess.get(one.cluster())) <= SLOWER)
                .map(Time::off));
    return Map.of(
        KnownSpread.SLOWER,
        new Entry(rounded(Quantiles.of(slower, 0.5)), slower.size()),
        KnownSpread.USUAL,
        new Entry(rounded(usual), excess.size() - slower.size()));
  }

  /** By how much the times of a cluster are above the predicted ones, in the median. */
  private static double medianExcess(List<Time> some) {
    return Quantiles.of(some.stream().map(one -> 1 / (1 + one.of.error()) - 1).toList(), 0.5);
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
    Map<String, Map<Stratum, Double>> parts = new HashMap<>();
    return times.stream()
        .map(
            time ->
                new Held(
                    time,
                    parts
                        .computeIfAbsent(time.cluster(), key -> new HashMap<>())
                        .computeIfAbsent(
                            time.stratum(),
                            stratum ->
                                others
                                    .computeIfAbsent(time.cluster(), this::without)
                                    .part(stratum))))
        .toList();
  }

  private NetworkRanges without(String cluster) {
    return new NetworkRanges(times.stream().filter(one -> !one.cluster().equals(cluster)).toList());
  }
}
