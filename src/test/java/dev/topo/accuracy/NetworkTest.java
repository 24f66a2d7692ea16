package dev.topo.accuracy;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.accuracy.NetworkFits.Band;
import dev.topo.accuracy.NetworkFits.Calibrated;
import dev.topo.accuracy.NetworkFits.Unseen;
import dev.topo.accuracy.NetworkRanges.Held;
import dev.topo.accuracy.NetworkRanges.Time;
import dev.topo.model.Quantiles;
import dev.topo.model.fixture.DocumentTables;
import dev.topo.model.fixture.ReferenceData;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.evaluate.NetworkPredictor;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.network.NetworkFile.PublishedOperations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Times between nodes against those of clusters that the fit of the network has not seen, and the
 * calibrations of networks and the files of docs/accuracy, which follow from them.
 */
@Tag("slow")
class NetworkTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String RESOURCES =
      "simulator/src/main/resources/dev/topo/simulator/network/";

  static final List<String> FITTED = List.of("rdma", "slingshot", "efa");

  /** What each calibration rests on. */
  private static final Map<String, String> ORIGINS =
      Map.of(
          "rdma",
          "InfiniBand and RoCE: 1,041 published times of 34 clusters of A100, H100, H200, B200, GB200, GB300, L40S and GB10 with ports of 200 and 400 Gb/s, NCCL 2.19 to 2.30 where stated; 2026-11-30",
          "slingshot",
          "580 published times of CSCS Alps (4 GH200, 4 ports of 200 Gb/s, NCCL 2.23.4 to 2.30.7), ALCF Polaris (4 A100, 2 ports of 200 Gb/s, NCCL 2.18 and 2.21, two settings of the plugin) and a system of HPE with GH200; 2026-11-30",
          "efa",
          "241 published times of AWS p5 (NCCL 2.20 to 2.28), p5en and p6-b200; 2026-11-30",
          NetworkFits.SOCKETS,
          "TCP: two H200 as two hosts on one virtual interface, NCCL 2.28.9, 2026-11-22, every second size");

  /** Parts of the times that ranges hold which are made without their cluster. */
  private static final double LEAST_INSIDE = 0.85;

  private static final double MOST_INSIDE = 0.95;

  /** Of fewer rows neither a median nor a part says much. */
  private static final int LEAST_ROWS = 8;

  /** By so much a calibration may be worse on more nodes than what it started from. */
  private static final double NO_WORSE = 0.01;

  /** By so much a simpler predictor may be better. */
  private static final double BETTER = 0.03;

  /** Bounds of the median and the 90th percentile of a cluster of up to 32 nodes, from 1 MiB. */
  private static final Map<String, List<Double>> BOUNDS =
      Map.of(
          "rdma",
          List.of(0.10, 0.28),
          "slingshot",
          List.of(0.08, 0.25),
          "efa",
          List.of(0.06, 0.20));

  private static NetworkFits fits = new NetworkFits();
  private static NetworkBaselines baselines = new NetworkBaselines(List.of());

  @BeforeAll
  static void read() {
    baselines = new NetworkBaselines(fits.rows());
  }

  private static NetworkCalibration fitted(String network) {
    return fits.fitted(network).named(network, ORIGINS.get(network));
  }

  /** The rows that the table of spreads is computed from; none without the measurements. */
  static List<Unseen> unseen() {
    return fits.isMeasured() ? ofKnownKind(counted(fits.leftOut())) : List.of();
  }

  private static List<Unseen> ofKnownKind(List<Unseen> all) {
    return all.stream().filter(one -> NetworkFits.isOfKnownKind(one.row())).toList();
  }

  private static List<Unseen> counted(List<Unseen> all) {
    return all.stream().filter(one -> !one.row().contradicted()).toList();
  }

  private static String median(List<Unseen> all) {
    return all.isEmpty() ? "" : AccuracyFile.percent(NetworkFits.percentile(all, 0.5));
  }

  private static String percentile90(List<Unseen> all) {
    return all.isEmpty() ? "" : AccuracyFile.percent(NetworkFits.percentile(all, 0.9));
  }

  private static <K extends Comparable<K>> Map<K, List<Unseen>> by(
      List<Unseen> all, Function<Unseen, K> key) {
    return all.stream().collect(groupingBy(key, TreeMap::new, toList()));
  }

  private static List<Unseen> of(Band band, List<Unseen> all) {
    return all.stream().filter(one -> Band.of(one.row()) == band).toList();
  }

  private static List<Unseen> large(List<Unseen> all) {
    return of(Band.LARGE, counted(all));
  }

  /** A row for each cluster and kind of nodes. */
  private static void addClusters(AccuracyFile file, Band band, List<Unseen> all) {
    by(
            of(band, all).stream().filter(one -> !isTcp(one)).toList(),
            one -> one.row().cluster().name() + (isMany(one) ? "; 33 nodes and more" : ""))
        .forEach(
            (cluster, rows) ->
                add(
                    file,
                    band.label,
                    cluster,
                    rows.get(0).row().cluster().network(),
                    rows,
                    other(rows, baselines::nccl)));
  }

  private static void add(
      AccuracyFile file,
      String sizes,
      String cluster,
      String network,
      List<Unseen> rows,
      List<Unseen> nccl) {
    file.add(
        sizes,
        cluster,
        network,
        rows.size(),
        median(rows),
        percentile90(rows),
        median(nccl),
        percentile90(nccl));
  }

  private static boolean isTcp(Unseen one) {
    return one.row().cluster().network().equals(NetworkFits.SOCKETS);
  }

  private static boolean isMany(Unseen one) {
    return one.row().nodes() > NetworkPredictor.FEW_NODES;
  }

  /** The same rows, predicted by something else. */
  private static List<Unseen> other(
      List<Unseen> all, Function<ClusterRow, OptionalDouble> predictor) {
    return all.stream()
        .filter(one -> predictor.apply(one.row()).isPresent())
        .map(one -> new Unseen(one.row(), predictor.apply(one.row()).orElseThrow()))
        .toList();
  }

  /** A row for each network and place of sizes: topo and simpler predictors, on the same rows. */
  private static AccuracyFile simpler(List<Unseen> all) {
    AccuracyFile file =
        new AccuracyFile(
            "sizes,network,rows,median_percent,p90_percent,nccl_median_percent,nccl_p90_percent,"
                + "alpha_beta_median_percent,alpha_beta_p90_percent,line_rate_median_percent,line_rate_p90_percent,with_range,in_range");
    for (Band band : Band.values()) {
      by(of(band, all), one -> one.row().cluster().network())
          .forEach((network, rows) -> addSimpler(file, band, network, rows));
      addSimpler(file, band, "all", of(band, all));
    }
    return file;
  }

  private static void addSimpler(AccuracyFile file, Band band, String network, List<Unseen> rows) {
    List<Object> cells = new ArrayList<>(List.of(band.label, network, rows.size()));
    cells.addAll(List.of(median(rows), percentile90(rows)));
    List<Function<ClusterRow, OptionalDouble>> predictors =
        List.of(baselines::nccl, baselines::alphaBeta, baselines::lineRate);
    for (Function<ClusterRow, OptionalDouble> predictor : predictors) {
      List<Unseen> other = other(rows, predictor);
      cells.addAll(List.of(median(other), percentile90(other)));
    }
    List<Stated> stated = ofKnownKind(rows).stream().flatMap(NetworkTest::stated).toList();
    cells.add(stated.size());
    cells.add(stated.stream().filter(Stated::isInside).count());
    file.add(cells.toArray());
  }

  /** Groups of rows where a simpler predictor is better by more than its median may be. */
  private static AccuracyFile worse(List<Unseen> all) {
    AccuracyFile file =
        new AccuracyFile(
            "cluster,operation,sizes,rows,median_percent,better,better_median_percent");
    by(
            all,
            one ->
                "%s,%s,%s"
                    .formatted(
                        one.row().cluster().name(),
                        one.row().operation().label(),
                        Band.of(one.row()).label))
        .forEach(
            (name, rows) -> {
              double own = NetworkFits.percentile(rows, 0.5);
              String[] of = name.split(",", -1);
              better(own, "NCCL", other(rows, baselines::nccl))
                  .or(() -> better(own, "alpha-beta", other(rows, baselines::alphaBeta)))
                  .ifPresent(
                      better ->
                          file.add(
                              of[0],
                              of[1],
                              of[2],
                              rows.size(),
                              AccuracyFile.percent(own),
                              better.name(),
                              AccuracyFile.percent(better.median())));
            });
    return file;
  }

  private record Better(String name, double median) {}

  private static Optional<Better> better(double own, String name, List<Unseen> other) {
    return Optional.of(other)
        .filter(rows -> rows.size() >= LEAST_ROWS)
        .map(rows -> NetworkFits.percentile(rows, 0.5))
        .filter(median -> median < own - BETTER)
        .map(median -> new Better(name, median));
  }

  /** A time between nodes and the range that is stated for it. */
  private record Stated(KnownSpread range, boolean isInside) {
    static Stream<Stated> of(String basis, Operation operation, long bytesOfRank, double error) {
      double off = SpreadTest.ofShorter(error);
      return KnownSpread.of(basis, Launch.EACH, operation, bytesOfRank).stream()
          .map(range -> new Stated(range, off <= range.part()));
    }

    String name() {
      return "%s %s %012d".formatted(range.basis(), operation(), range.fromBytes());
    }

    String operation() {
      return range.operation().map(Operation::label).orElse("all");
    }
  }

  private static Stream<Stated> stated(Unseen one) {
    Time time = Time.of(one);
    String basis =
        time.part().equals(KnownSpread.DOMAIN) ? SpreadTest.basis(one) : time.stratum().basis();
    return Stated.of(basis, one.row().operation(), one.bytesOfRank(), one.error());
  }

  /** How many times are in ranges made without their cluster, by network and size. */
  private static AccuracyFile coverage(List<Unseen> all) {
    AccuracyFile file =
        new AccuracyFile(
            "network,sizes,times,clusters,in_range_percent,in_range_percent_of_clusters,median_range_percent,interval_score");
    List<Held> held = NetworkRanges.of(all).leftOut();
    for (String network : FITTED) {
      List<Held> own = held.stream().filter(one -> one.time().network().equals(network)).toList();
      addHeld(file, network, "all", own);
      for (Band band : Band.values()) {
        addHeld(
            file,
            network,
            band.label,
            own.stream().filter(one -> Band.of(one.time().of().row()) == band).toList());
      }
      double inside = own.stream().filter(Held::isInside).count() / (double) own.size();
      assertTrue(inside >= LEAST_INSIDE && inside <= MOST_INSIDE, network + " " + inside);
    }
    return file;
  }

  private static void addHeld(AccuracyFile file, String network, String sizes, List<Held> held) {
    Map<String, List<Held>> clusters =
        held.stream().collect(groupingBy(one -> one.time().cluster()));
    file.add(
        network,
        sizes,
        held.size(),
        clusters.size(),
        AccuracyFile.percent(mean(held, one -> one.isInside() ? 1 : 0)),
        AccuracyFile.percent(
            mean(clusters.values(), of -> mean(of, one -> one.isInside() ? 1 : 0))),
        AccuracyFile.percent(Quantiles.of(held.stream().map(Held::part).toList(), 0.5)),
        String.format(Locale.ROOT, "%.2f", mean(clusters.values(), of -> mean(of, Held::score))));
  }

  private static <T> double mean(Collection<T> all, ToDoubleFunction<T> value) {
    return all.stream().mapToDouble(value).average().orElseThrow();
  }

  /** The operations of the rows of a network, which are those that ranges are stated for. */
  private static String operations(String network, List<Unseen> all) {
    Set<Operation> operations =
        all.stream()
            .map(Unseen::row)
            .filter(row -> row.cluster().network().equals(network))
            .map(ClusterRow::operation)
            .collect(Collectors.toSet());
    assertTrue(PublishedOperations.of(network).containsAll(operations), network);
    return PublishedOperations.of(network).stream()
        .map(Operation::label)
        .sorted()
        .collect(Collectors.joining(", "));
  }

  @Test
  void calibrationsAreWhatTheFitsGive() throws IOException {
    for (String network : fits.isMeasured() ? NetworkFile.SHIPPED : List.of(NetworkFits.SOCKETS)) {
      NetworkCalibration computed = fitted(network);
      Path file = ROOT.resolve(RESOURCES + network + ".properties");
      if (Boolean.getBoolean("golden.update")) {
        Files.writeString(file, NetworkFile.write(computed));
      }
      NetworkCalibration shipped = NetworkFile.read(Files.readString(file), file.toString());
      assertEquals(computed.origin(), shipped.origin());
      for (NetworkConstant constant : NetworkConstant.values()) {
        double value = computed.value(constant);
        assertEquals(value, shipped.value(constant), 0.02 * value, network + " " + constant);
      }
    }
  }

  @Test
  void theFilesAreWhatUnseenClustersGive() throws IOException {
    ReferenceData.given("measured/clusters");
    List<Unseen> every = fits.leftOut();
    List<Unseen> all = counted(every);
    Map<String, Calibrated> calibrated = fits.calibrated();
    List<Unseen> tcp = fits.socketsLeftOut();
    List<Unseen> plainTcp = tcpOverSlingshot();
    AccuracyFile clusters =
        new AccuracyFile(
            "sizes,cluster,network,rows,median_percent,p90_percent,nccl_median_percent,nccl_p90_percent");
    for (Band band : Band.values()) {
      addClusters(clusters, band, all);
    }
    racks().forEach((name, rows) -> add(clusters, "all", name, "NVLink domain", rows, List.of()));
    add(clusters, "every second", "h200-x2-sockets", NetworkFits.SOCKETS, tcp, List.of());
    add(clusters, "all", NetworkFits.TCP, NetworkFits.SOCKETS, plainTcp, List.of());
    by(all.stream().filter(NetworkTest::isTcp).toList(), one -> one.row().cluster().name())
        .forEach((name, rows) -> add(clusters, "all", name, NetworkFits.SOCKETS, rows, List.of()));
    clusters.checkNearly("networks.csv");
    simpler(all).checkNearly("networks-simpler.csv");
    worse(all).checkNearly("networks-worse.csv");
    calibrated(calibrated).checkNearly("networks-own-runs.csv");
    coverage(ofKnownKind(all)).checkNearly("ranges-between-nodes.csv");
    DocumentTables.check(
        "docs/accuracy.md",
        Map.of(
            "operations between nodes",
            "| network | operations |\n|---|---|\n"
                + FITTED.stream()
                    .map(network -> "| %s | %s |\n".formatted(network, operations(network, all)))
                    .collect(Collectors.joining())));
    // The page states both.
    assertEquals(111, every.size() - all.size(), "rows above those of larger sizes");
    assertEquals(
        10,
        ClusterRow.all().stream().filter(row -> row.predictedUs().isEmpty()).count(),
        "rows that the model does not cover");
    calibrated.forEach(
        (cluster, one) ->
            by(counted(one.before()), before -> Band.of(before.row()))
                .forEach(
                    (band, before) ->
                        assertTrue(
                            NetworkFits.percentile(of(band, counted(one.after())), 0.5)
                                <= NetworkFits.percentile(before, 0.5) + NO_WORSE,
                            cluster + " is worse with its own runs " + band.label)));
    List<Unseen> large = of(Band.LARGE, all);
    List<Unseen> from64KiB = Stream.concat(large.stream(), of(Band.MIDDLE, all).stream()).toList();
    Set<String> older =
        ClusterRow.all().stream().map(row -> row.cluster().name()).collect(Collectors.toSet());
    by(ofKnownKind(large), unseen -> unseen.row().cluster().name())
        .forEach(
            (cluster, rows) -> {
              // Of clusters collected afterwards the files state the errors.
              if (older.contains(cluster)) {
                checkCluster(cluster, rows);
              }
            });
    check("from 1 MiB, clusters alike", 0.10, 0.40, large, NetworkFits::percentileOfClusters);
    check("from 64 KiB", 0.15, 0.50, from64KiB, NetworkFits::percentile);
    check("TCP, sizes not in the fit", 0.15, 1, tcp, NetworkFits::percentile);
    List<Unseen> small = of(Band.SMALL, all);
    double ofNccl = NetworkFits.percentile(other(small, baselines::nccl), 0.5);
    check("below 64 KiB (NCCL)", ofNccl, 1, small, NetworkFits::percentile);
  }

  private static void checkCluster(String cluster, List<Unseen> all) {
    List<Unseen> rows = all.stream().filter(unseen -> !isMany(unseen)).toList();
    if (rows.size() >= LEAST_ROWS) {
      List<Double> bounds =
          Objects.requireNonNull(BOUNDS.get(rows.get(0).row().cluster().network()));
      check(cluster + " from 1 MiB", bounds.get(0), bounds.get(1), rows, NetworkFits::percentile);
    }
  }

  private interface Percentile {
    double of(List<Unseen> all, double part);
  }

  private static void check(
      String set, double median, double most, List<Unseen> rows, Percentile percentile) {
    double half = percentile.of(rows, 0.5);
    double ninety = percentile.of(rows, 0.9);
    System.out.printf(
        "between nodes, %s: %d rows, median %.1f %% (%.0f), 90 of 100 %.1f %% (%.0f)%n",
        set, rows.size(), 100 * half, 100 * median, 100 * ninety, 100 * most);
    assertTrue(half <= median && ninety <= most, set);
  }

  /** Runs of more than two nodes, before and after those of two are in the fit. */
  private static AccuracyFile calibrated(Map<String, Calibrated> calibrated) {
    AccuracyFile file =
        new AccuracyFile(
            "cluster,rows,before_median_percent,before_p90_percent,after_median_percent,after_p90_percent");
    calibrated.forEach(
        (cluster, one) -> {
          List<Unseen> before = large(one.before());
          List<Unseen> after = large(one.after());
          file.add(
              cluster,
              before.size(),
              median(before),
              percentile90(before),
              median(after),
              percentile90(after));
        });
    return file;
  }

  /** Rows inside one NVLink domain, by cluster and number of hosts. */
  private static Map<String, List<Unseen>> racks() {
    return by(
        ClusterRow.from(1).stream()
            .flatMap(row -> row.inDomainUs().stream().mapToObj(us -> new Unseen(row, us)))
            .toList(),
        one -> "%s; hosts: %d".formatted(one.row().cluster().name(), one.row().nodes()));
  }

  private static List<Unseen> tcpOverSlingshot() {
    List<ClusterRow> rows =
        fits.rows().stream()
            .filter(row -> row.cluster().name().equals(NetworkFits.TCP) && !row.contradicted())
            .toList();
    return NetworkFits.unseen(rows, fitted(NetworkFits.SOCKETS));
  }
}
