package dev.topo.accuracy;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.NetworkModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The measured times of clusters, fits of the constants of a network to them, and what fits are off
 * by at the clusters that they have not seen.
 */
final class NetworkFits {
  static final String SOCKETS = "sockets";

  /** Plain TCP over Slingshot, which is judged only. */
  static final String TCP = "polaris-tcp";

  private static final long MIB = 1 << 20;

  /**
   * Judged, but in no fit of other clusters and in no range: the four ports of 100 Gb/s of the
   * first instances with EFA, and a run whose small calls take ten times as long as those of
   * another run on the same machines.
   */
  private static final Set<String> OF_THEIR_KIND = Set.of("AWS p4de", "b200-roce/slow");

  /** Of networks that send all messages alike. */
  private static final Set<NetworkConstant> SENT_ALIKE =
      Set.of(
          NetworkConstant.EAGER,
          NetworkConstant.HOP_EAGER,
          NetworkConstant.MATCH,
          NetworkConstant.ASK);

  /**
   * Of Slingshot, where messages of LL that use a buffer again ask first, and what that takes holds
   * the rest. What asking takes is that of the older plugin: runs of alps by a newer one take half
   * as long by LL and say nothing of polaris.
   */
  private static final Set<NetworkConstant> KNOWN_OF_SLINGSHOT =
      Set.of(NetworkConstant.COPY_LL, NetworkConstant.REUSE, NetworkConstant.ASK);

  /**
   * Of EFA, of which too few clusters have times that depend on them alone: when messages are sent
   * without asking, hops by LL128 and of NVLSTree, and the part of the line rate, as large calls of
   * p5 wait for NVLink as long as for the ports.
   */
  private static final Set<NetworkConstant> KNOWN_OF_EFA =
      Set.of(
          NetworkConstant.EAGER,
          NetworkConstant.HOP_EAGER,
          NetworkConstant.MATCH,
          NetworkConstant.ASK,
          NetworkConstant.COPY_LL,
          NetworkConstant.STEP_LL128,
          NetworkConstant.HOP_NVLS,
          NetworkConstant.SHARE,
          NetworkConstant.SHARE_NVLS);

  /** Of TCP, whose messages are all sent alike and copied by the CPU. */
  private static final Set<NetworkConstant> KNOWN_OF_SOCKETS =
      Set.of(
          NetworkConstant.EAGER,
          NetworkConstant.HOP_EAGER,
          NetworkConstant.MATCH,
          NetworkConstant.ASK,
          NetworkConstant.COPY_LL,
          NetworkConstant.STEP);

  /**
   * From where a fit to TCP starts: the CPU copies some GB/s. A hop of a ring stays what its
   * smallest calls take, because the fit has two minima.
   */
  private static final NetworkCalibration COPIED =
      NetworkCalibration.typical()
          .with(NetworkConstant.SHARE, 1)
          .with(NetworkConstant.SHARE_HOST, 1)
          .with(NetworkConstant.COPY_LL, 1)
          .with(NetworkConstant.PORT, 4)
          .with(NetworkConstant.PORT_FLAGGED, 2)
          .with(NetworkConstant.STEP, 20)
          .with(NetworkConstant.HOP_TREE, 20)
          .with(NetworkConstant.STEP_LL128, 14)
          .with(NetworkConstant.STEP_LL, 14);

  /** One way of a message over EFA beyond one over InfiniBand, as its ping-pong tests show. */
  private static final double EFA_US = 15;

  /**
   * From where one to EFA starts: each hop takes one way more than with InfiniBand. Messages up to
   * 8 KiB are sent without asking ({@code OFI_NCCL_EAGER_MAX_SIZE} of aws-ofi-nccl); by LL larger
   * ones, which ask first, take two.
   */
  private static final NetworkCalibration EFA =
      plus(
              EFA_US,
              NetworkConstant.STEP,
              NetworkConstant.STEP_LL128,
              NetworkConstant.STEP_LL,
              NetworkConstant.HOP_TREE,
              NetworkConstant.HOP_NVLS)
          .with(NetworkConstant.STEP_LL, NetworkConstant.STEP_LL.typical() + 2 * EFA_US)
          .with(NetworkConstant.SHARE_PEERS, 0.89)
          .with(NetworkConstant.HOP_EAGER, NetworkConstant.STEP_LL.typical() + EFA_US)
          .with(NetworkConstant.EAGER, 8192)
          .with(NetworkConstant.COPY_LL, 1);

  /**
   * From where one to Slingshot starts: small messages are sent at once; the larger ones of all
   * channels wait for the receiver and for each other, as those of rings of many channels show.
   */
  private static final NetworkCalibration SLINGSHOT =
      NetworkCalibration.typical()
          .with(NetworkConstant.STEP, 140)
          .with(NetworkConstant.STEP_LL128, 40)
          .with(NetworkConstant.STEP_LL, 25)
          .with(NetworkConstant.COPY_LL, 1)
          .with(NetworkConstant.EAGER, 2500)
          .with(NetworkConstant.HOP_TREE, 25)
          .with(NetworkConstant.MATCH, 7)
          .with(NetworkConstant.ASK, 10)
          .with(NetworkConstant.SHARE_BRIDGE, 0.76)
          .with(NetworkConstant.SHARE_HOST, 0.264)
          .with(NetworkConstant.PEERS_FIRST, 0.1);

  /**
   * A prediction by a model that has not seen the row, or its cluster.
   *
   * @param us the predicted time
   */
  record Unseen(ClusterRow row, double us) {
    /** What the prediction is off by, as a part of the measured time. */
    double error() {
      return us / row.timeUs() - 1;
    }

    long bytesOfRank() {
      return row.bytes() / row.ranks();
    }
  }

  /** Rows by the place of a size. */
  enum Band {
    SMALL("below 64 KiB", 0),
    MIDDLE("64 KiB to 1 MiB", 64 << 10),
    LARGE("from 1 MiB", MIB);

    final String label;
    private final long from;

    Band(String label, long from) {
      this.label = label;
      this.from = from;
    }

    static Band of(ClusterRow row) {
      return row.bytes() >= LARGE.from ? LARGE : row.bytes() >= MIDDLE.from ? MIDDLE : SMALL;
    }
  }

  private record Group(String cluster, int nodes, String operation, int size) {
    /** Sizes that differ by less than a factor of 16 count as one. */
    static Group of(ClusterRow row) {
      int size = (Long.SIZE - Long.numberOfLeadingZeros(row.bytes())) / 4;
      return new Group(row.cluster().name(), row.nodes(), row.operation().ncclTestsName(), size);
    }
  }

  private final List<ClusterRow> rows;
  private final List<ClusterRow> sockets;
  private final Map<Site, NetworkCalibration> without = new ConcurrentHashMap<>();

  NetworkFits() {
    List<ClusterRow> all = new ArrayList<>(ClusterRow.all());
    if (!all.isEmpty()) {
      all.addAll(ClusterRow.published());
      all.addAll(OutsideRow.betweenNodes());
    }
    rows = all.stream().filter(row -> row.predictedUs().isPresent()).toList();
    sockets = ClusterRow.sockets().stream().filter(row -> row.predictedUs().isPresent()).toList();
  }

  private static NetworkCalibration plus(double us, NetworkConstant... constants) {
    NetworkCalibration sum = NetworkCalibration.typical();
    for (NetworkConstant constant : constants) {
      sum = sum.with(constant, sum.value(constant) + us);
    }
    return sum;
  }

  /** Whether the measurements of clusters are there. */
  boolean isMeasured() {
    return !rows.isEmpty();
  }

  /** The rows that the model of the network covers. */
  List<ClusterRow> rows() {
    return rows;
  }

  /** A fit to all clusters of a network, which is shipped. */
  NetworkCalibration fitted(String network) {
    return network.equals(SOCKETS)
        ? fit(half(true), COPIED, KNOWN_OF_SOCKETS)
        : fit(network, row -> true);
  }

  /** Whether a row tells of others of its network. */
  static boolean isOfKnownKind(ClusterRow row) {
    return !OF_THEIR_KIND.contains(row.cluster().name());
  }

  private NetworkCalibration fit(String network, Predicate<ClusterRow> taken) {
    List<ClusterRow> training =
        rows.stream()
            .filter(row -> row.cluster().network().equals(network) && !row.contradicted())
            .filter(NetworkFits::isOfKnownKind)
            .filter(taken)
            .toList();
    return switch (network) {
      case "efa" -> fit(training, EFA, KNOWN_OF_EFA);
      case "slingshot" -> fit(training, SLINGSHOT, KNOWN_OF_SLINGSHOT);
      default -> fit(training, NetworkCalibration.typical(), SENT_ALIKE);
    };
  }

  private static NetworkCalibration fit(
      List<ClusterRow> training, NetworkCalibration from, Set<NetworkConstant> kept) {
    return NetworkFit.fit(observations(training), from, kept);
  }

  /**
   * Every cluster counts alike, one of few rows by their number, and in it every operation, number
   * of nodes and place of sizes.
   */
  private static List<NetworkFit.Observation> observations(List<ClusterRow> training) {
    Map<Group, Long> sizes = training.stream().collect(groupingBy(Group::of, counting()));
    Map<String, Long> rowsOf =
        training.stream().collect(groupingBy(row -> row.cluster().site(), counting()));
    Map<String, Set<Group>> groups = new LinkedHashMap<>();
    training.forEach(
        row ->
            groups
                .computeIfAbsent(row.cluster().site(), key -> new LinkedHashSet<>())
                .add(Group.of(row)));
    return training.stream()
        .map(
            row ->
                new NetworkFit.Observation(
                    row.predictedUs().orElseThrow(),
                    row.timeUs(),
                    Math.min(1, rowsOf.get(row.cluster().site()) / NetworkRanges.ROWS_OF_CLUSTER)
                        / groups.get(row.cluster().site()).size()
                        / sizes.get(Group.of(row))))
        .toList();
  }

  /** The rows of every cluster, each predicted by a fit to the other clusters of its network. */
  List<Unseen> leftOut() {
    return sites().flatMap(site -> unseen(rowsOf(site::has), fitWithout(site)).stream()).toList();
  }

  /** A cluster on a network. */
  private record Site(String name, String network) {
    static Site of(ClusterRow row) {
      return new Site(row.cluster().site(), row.cluster().network());
    }

    boolean has(ClusterRow row) {
      return of(row).equals(this);
    }
  }

  private Stream<Site> sites() {
    return rows.stream().map(Site::of).distinct().filter(site -> !site.name.equals(TCP));
  }

  private List<ClusterRow> rowsOf(Predicate<ClusterRow> taken) {
    return rows.stream().filter(taken).toList();
  }

  /** A fit to the other clusters of the network of a site, which several questions need. */
  private NetworkCalibration fitWithout(Site site) {
    return without.computeIfAbsent(
        site,
        key ->
            key.network.equals(SOCKETS)
                ? fitted(SOCKETS)
                : fit(key.network, row -> !row.cluster().site().equals(key.name)));
  }

  /**
   * Rows of more than two nodes of the clusters that have rows of two.
   *
   * @param before by a fit to other clusters
   * @param after by that fit and the rows of two nodes
   */
  record Calibrated(List<Unseen> before, List<Unseen> after) {}

  Map<String, Calibrated> calibrated() {
    Map<String, Calibrated> all = new LinkedHashMap<>();
    for (Site site : sites().toList()) {
      NetworkCalibration base = fitWithout(site);
      rowsOf(site::has).stream()
          .collect(groupingBy(row -> row.cluster().name(), LinkedHashMap::new, toList()))
          .forEach(
              (cluster, own) -> {
                List<ClusterRow> two = own.stream().filter(row -> row.nodes() == 2).toList();
                List<ClusterRow> more = own.stream().filter(row -> row.nodes() > 2).toList();
                if (!two.isEmpty() && !more.isEmpty()) {
                  NetworkCalibration after = NetworkFit.fitNear(observations(two), base);
                  all.put(cluster, new Calibrated(unseen(more, base), unseen(more, after)));
                }
              });
    }
    return all;
  }

  /** Predictions of rows with some constants. */
  static List<Unseen> unseen(List<ClusterRow> rows, NetworkCalibration constants) {
    NetworkModel model = new NetworkModel(constants);
    return rows.stream()
        .map(row -> new Unseen(row, row.predictedUs().orElseThrow().applyAsDouble(model)))
        .toList();
  }

  /** The rows of TCP of every second size, by a fit to the others. */
  List<Unseen> socketsLeftOut() {
    return unseen(half(false), fitted(SOCKETS));
  }

  /** Every second row of the sockets, the first included. */
  private List<ClusterRow> half(boolean first) {
    return IntStream.range(0, sockets.size())
        .filter(i -> i % 2 == (first ? 0 : 1))
        .mapToObj(sockets::get)
        .toList();
  }

  /** A percentile of absolute errors, every row with the same weight. */
  static double percentile(List<Unseen> all, double part) {
    List<Double> off = all.stream().map(one -> Math.abs(one.error())).sorted().toList();
    return off.get((int) Math.max(0, Math.ceil(part * off.size()) - 1));
  }

  /** A percentile of absolute errors, every cluster with the same weight. */
  static double percentileOfClusters(List<Unseen> all, double part) {
    Map<String, Long> counts =
        all.stream().collect(groupingBy(one -> one.row.cluster().site(), counting()));
    List<Unseen> sorted =
        all.stream().sorted(Comparator.comparingDouble(one -> Math.abs(one.error()))).toList();
    double sum = 0;
    for (Unseen one : sorted) {
      sum += 1.0 / counts.get(one.row.cluster().site());
      if (sum >= part * counts.size()) {
        return Math.abs(one.error());
      }
    }
    throw new IllegalArgumentException("no rows");
  }
}
