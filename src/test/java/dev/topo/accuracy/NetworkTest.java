package dev.topo.accuracy;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.topo.accuracy.NetworkFits.Band;
import dev.topo.accuracy.NetworkFits.Calibrated;
import dev.topo.accuracy.NetworkFits.Unseen;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.evaluate.NetworkPredictor;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkConstant;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.network.PublishedOperations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Times between nodes against those of clusters that the fit of the network has not seen, and the
 * calibrations of networks and docs/accuracy-network.md, which follow from them.
 */
@Tag("slow")
class NetworkTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String RESOURCES =
      "simulator/src/main/resources/dev/topo/simulator/network/";

  private static final List<String> FITTED = List.of("rdma", "slingshot", "efa");

  /** What each calibration rests on. */
  private static final Map<String, String> ORIGINS =
      Map.of(
          "rdma",
          "InfiniBand and RoCE: published runs of 11 clusters of A100, H100, H200, B200 and GB200 with ports of 200 and 400 Gb/s, NCCL 2.22 to 2.29 where stated; 2026-11-27",
          "slingshot",
          "published runs of CSCS Alps (4 GH200, 4 ports of 200 Gb/s, NCCL 2.23.4, aws-ofi-nccl 1.13.0) and ALCF Polaris (4 A100, 2 ports of 200 Gb/s, NCCL 2.21, two settings of the plugin); 2026-11-27",
          "efa",
          "published runs of AWS p5 (NCCL 2.20 and 2.22), and 10 rows of p5en and p6-b200; 2026-11-27",
          NetworkFits.SOCKETS,
          "TCP: two H200 as two hosts on one virtual interface, NCCL 2.28.9, 2026-11-22, every second size");

  /** Of fewer rows all may be in a range of 90 of 100, or three more be outside. */
  private static final int FEW = 20;

  /** Of fewer rows neither a median nor a part says much. */
  private static final int LEAST_ROWS = 8;

  /** By so much a calibration may be worse on more nodes than what it started from. */
  private static final double NO_WORSE = 0.01;

  /** By so much a simpler predictor may be better. */
  private static final double BETTER = 0.03;

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

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }

  private static String errors(List<Unseen> all) {
    return all.size() + " | " + percents(all);
  }

  private static String percents(List<Unseen> all) {
    return percent(NetworkFits.percentile(all, 0.5))
        + " | "
        + percent(NetworkFits.percentile(all, 0.9));
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

  /** A line for each cluster and kind of nodes, those with the largest medians first. */
  private static String table(List<Unseen> all) {
    return by(all, one -> one.row().cluster().name() + (isMany(one) ? ", 33 nodes and more" : ""))
        .entrySet()
        .stream()
        .sorted(Comparator.comparingDouble(one -> -NetworkFits.percentile(one.getValue(), 0.5)))
        .map(
            one ->
                "| %s | %s | %s | %s |"
                    .formatted(
                        one.getKey(),
                        one.getValue().get(0).row().cluster().network(),
                        errors(one.getValue()),
                        baseline(one.getValue(), baselines::nccl)))
        .collect(Collectors.joining("\n"));
  }

  private static boolean isMany(Unseen one) {
    return one.row().nodes() > NetworkPredictor.FEW_NODES;
  }

  private static String baseline(List<Unseen> all, Function<ClusterRow, OptionalDouble> time) {
    List<Unseen> other = other(all, time);
    return other.isEmpty() ? "- | -" : percents(other);
  }

  /** The same rows, predicted by something else. */
  private static List<Unseen> other(
      List<Unseen> all, Function<ClusterRow, OptionalDouble> predictor) {
    return all.stream()
        .filter(one -> predictor.apply(one.row()).isPresent())
        .map(one -> new Unseen(one.row(), predictor.apply(one.row()).orElseThrow()))
        .toList();
  }

  /** A line for each network and place of sizes: topo and simpler predictors, on the same rows. */
  private static String baselineTable(List<Unseen> all) {
    List<String> lines = new ArrayList<>();
    for (Band band : Band.values()) {
      by(of(band, all), one -> one.row().cluster().network())
          .forEach((network, rows) -> lines.add(baselineLine(band.label + ", " + network, rows)));
      lines.add(baselineLine(band.label + ", all", of(band, all)));
    }
    return String.join("\n", lines);
  }

  private static String baselineLine(String name, List<Unseen> rows) {
    return "| %s | %s | %s | %s | %s |"
        .formatted(
            name,
            errors(rows),
            baseline(rows, baselines::nccl),
            baseline(rows, baselines::alphaBeta),
            baseline(rows, baselines::lineRate));
  }

  /** Groups of rows where a simpler predictor is better by more than its median may be. */
  private static List<String> worse(List<Unseen> all) {
    List<String> lines = new ArrayList<>();
    by(
            all,
            one ->
                "%s | %s | %s"
                    .formatted(
                        one.row().cluster().name(),
                        one.row().operation().label(),
                        Band.of(one.row()).label))
        .forEach(
            (name, rows) -> {
              double own = NetworkFits.percentile(rows, 0.5);
              better(own, "NCCL", other(rows, baselines::nccl))
                  .or(() -> better(own, "alpha-beta", other(rows, baselines::alphaBeta)))
                  .ifPresent(
                      other ->
                          lines.add(
                              "| %s | %d | %s | %s |"
                                  .formatted(name, rows.size(), percent(own), other)));
            });
    return lines;
  }

  private static Optional<String> better(double own, String name, List<Unseen> other) {
    return Optional.of(other)
        .filter(rows -> rows.size() >= LEAST_ROWS)
        .map(rows -> NetworkFits.percentile(rows, 0.5))
        .filter(median -> median < own - BETTER)
        .map(median -> name + " " + percent(median));
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

  private static Stream<Stated> stated(OutsideRow row) {
    return SpreadTest.basis(row).stream()
        .flatMap(
            basis -> Stated.of(basis, row.operation(), row.bytes() / row.ranks(), row.ratio() - 1));
  }

  /** How many are in the stated range, by size class. */
  private static List<String> coverage(List<Unseen> all) {
    Map<String, List<Stated>> groups =
        Stream.concat(
                all.stream()
                    .flatMap(
                        one ->
                            Stated.of(
                                SpreadTest.basis(one),
                                one.row().operation(),
                                one.bytesOfRank(),
                                one.error())),
                OutsideRow.all().stream().flatMap(NetworkTest::stated))
            .collect(groupingBy(Stated::name, TreeMap::new, toList()));
    List<String> lines = new ArrayList<>();
    groups.forEach(
        (name, rows) -> {
          KnownSpread range = rows.get(0).range;
          long inside = rows.stream().filter(Stated::isInside).count();
          double part = (double) inside / rows.size();
          // One row more or less decides nothing.
          boolean isMost = part >= 0.85 && (inside - 1.0) / rows.size() <= 0.97;
          boolean isFew = rows.size() < FEW && part >= 0.7 || rows.size() < LEAST_ROWS;
          assertTrue(isMost || isFew, name + " " + part);
          lines.add(
              String.format(
                  Locale.ROOT,
                  "| %s | %s | %s | %.0f %% | %d | %.0f %% |",
                  range.basis(),
                  rows.get(0).operation(),
                  QuantityFormat.size(range.fromBytes()),
                  100 * range.part(),
                  rows.size(),
                  100 * part));
        });
    return lines;
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
    assumeTrue(fits.isMeasured(), "the measurements are not here");
    for (String network : NetworkFile.SHIPPED) {
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
  void theDocumentIsWhatUnseenClustersGive() throws IOException {
    assumeTrue(fits.isMeasured(), "the measurements are not here");
    List<Unseen> every = fits.leftOut();
    List<Unseen> all = counted(every);
    Map<String, Calibrated> calibrated = fits.calibrated();
    List<Unseen> tcp = fits.socketsLeftOut();
    List<Unseen> plainTcp = tcpOverSlingshot();
    List<String> worse = worse(all);
    String head =
        "| cluster | network | rows | median | 90 of 100 | NCCL's model | 90 of 100 |\n|---|---|---|---|---|---|---|\n";
    String text =
        String.join(
            "\n",
            "# Times between nodes against published measurements",
            "",
            "Made by `NetworkTest` (`-Dgolden.update=true` writes it). Runs of nccl-tests of several nodes that others published, and the",
            "peak of curves that somebody fitted to runs. [clusters.csv](../topologies/clusters.csv) has the machine, NICs, settings and",
            "release of NCCL of each cluster; what follows a slash are settings. Errors are those of time, as a part of the measured one.",
            "Each row is predicted by a fit to the clusters of its network that have other machines. The values from which fits start",
            "were chosen with these rows in view. [Runs collected afterwards](accuracy-outside.md) are in no fit.",
            "",
            "## From 1 MiB",
            "",
            head + table(of(Band.LARGE, all)),
            "",
            "## From 64 KiB to 1 MiB",
            "",
            head + table(of(Band.MIDDLE, all)),
            "",
            "## Below 64 KiB",
            "",
            head + table(of(Band.SMALL, all)),
            "",
            "## Beside simpler predictors",
            "",
            "Median and 90 of 100 of the same rows: by topo, by NCCL's own model (no sends and receives), by alpha-beta (a latency for each",
            "round of a tree, the median of all small calls of the network, and the line rate of a node's ports), and by 85 % of that line rate.",
            "",
            "| sizes and network | rows | topo | | NCCL | | alpha-beta | | 85 % of line rate | |\n|---|---|---|---|---|---|---|---|---|---|",
            baselineTable(all),
            "",
            "Groups of eight rows and more in which NCCL's model or alpha-beta is better by more than 3 points:",
            "",
            "| cluster | operation | sizes | rows | topo | better |\n|---|---|---|---|---|---|",
            String.join("\n", worse),
            "",
            "## With the cluster's own runs of two nodes",
            "",
            "The runs of more nodes, from 1 MiB: by a fit to other clusters, and by `topo calibrate` from there with the runs of two nodes.",
            "",
            "| cluster | rows | median before | 90 of 100 | median after | 90 of 100 |\n|---|---|---|---|---|---|",
            calibrated.entrySet().stream()
                .map(
                    one ->
                        "| %s | %s | %s |"
                            .formatted(
                                one.getKey(),
                                errors(large(one.getValue().before())),
                                percents(large(one.getValue().after()))))
                .collect(Collectors.joining("\n")),
            "",
            "## Inside one NVLink domain of several hosts",
            "",
            "The part of NVLink that NVLS and NVLSTree reach in racks of GB200 (`nvls.tree.efficiency`) was chosen with these rows in view.",
            "",
            "| cluster | hosts | rows | median | 90 of 100 |\n|---|---|---|---|---|",
            racks(),
            "",
            "## TCP",
            "",
            "Two H200 as two hosts on one interface, all algorithms, protocols and sizes: the fit has every second size, these are the",
            "others. And plain TCP over Slingshot, by the same constants.",
            "",
            "| set | rows | median | 90 of 100 |\n|---|---|---|---|",
            "| h200-x2-sockets | " + errors(tcp) + " |",
            "| " + NetworkFits.TCP + " | " + errors(plainTcp) + " |",
            "",
            "## Not counted",
            "",
            "Rows of a size whose time is more than 15 % above that of a larger one of the same runs: "
                + (every.size() - all.size())
                + ". Calls that the",
            "model of the network does not cover, inside one NVLink domain or by PAT: "
                + ClusterRow.all().stream().filter(row -> row.predictedUs().isEmpty()).count()
                + ".",
            "",
            "## The stated range",
            "",
            "How many rows are in the range that `topo predict` states for 90 of 100, by size divided by ranks: these rows and the runs",
            "collected afterwards. Where they are of four clusters or more, the range has every cluster with the same weight; where they are",
            "of fewer, it holds 95 of 100. `.two` are jobs of two nodes, `.many` of more than "
                + NetworkPredictor.FEW_NODES
                + " nodes, `.domain` those of several NVLink domains.",
            "",
            "| range | operations | from | part | rows | inside |\n|---|---|---|---|---|---|",
            String.join("\n", coverage(ofKnownKind(all))),
            "",
            "No range is stated for other operations than these, nor where GPUs of a node have no NVLink:",
            "",
            "| network | operations |\n|---|---|",
            FITTED.stream()
                .map(network -> "| %s | %s |".formatted(network, operations(network, all)))
                .collect(Collectors.joining("\n")),
            "");
    Path file = ROOT.resolve("docs/accuracy-network.md");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, text);
    }
    assertEquals(text.lines().count(), Files.readAllLines(file).size());
    calibrated.forEach(
        (cluster, one) ->
            assertTrue(
                NetworkFits.percentile(large(one.after()), 0.5)
                    <= NetworkFits.percentile(large(one.before()), 0.5) + NO_WORSE,
                cluster + " is worse with its own runs"));
    List<Unseen> large = of(Band.LARGE, all);
    List<Unseen> from64KiB = Stream.concat(large.stream(), of(Band.MIDDLE, all).stream()).toList();
    check("from 1 MiB, clusters alike", 0.10, 0.40, large, NetworkFits::percentileOfClusters);
    check("from 64 KiB", 0.15, 0.50, from64KiB, NetworkFits::percentile);
    check("TCP, sizes not in the fit", 0.15, 1, tcp, NetworkFits::percentile);
    List<Unseen> small = of(Band.SMALL, all);
    double ofNccl = NetworkFits.percentile(other(small, baselines::nccl), 0.5);
    check("below 64 KiB (NCCL)", ofNccl, 1, small, NetworkFits::percentile);
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

  private static String racks() {
    return by(
            ClusterRow.from(1).stream()
                .flatMap(row -> row.inDomainUs().stream().mapToObj(us -> new Unseen(row, us)))
                .toList(),
            one -> "%s | %d".formatted(one.row().cluster().name(), one.row().nodes()))
        .entrySet()
        .stream()
        .map(one -> "| %s | %s |".formatted(one.getKey(), errors(one.getValue())))
        .collect(Collectors.joining("\n"));
  }

  private static List<Unseen> tcpOverSlingshot() {
    List<ClusterRow> rows =
        fits.rows().stream()
            .filter(row -> row.cluster().name().equals(NetworkFits.TCP) && !row.contradicted())
            .toList();
    return NetworkFits.unseen(rows, fitted(NetworkFits.SOCKETS));
  }
}
