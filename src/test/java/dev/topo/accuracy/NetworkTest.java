package dev.topo.accuracy;

import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.evaluate.NetworkPredictor;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkConstant;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.network.NetworkModel;
import dev.topo.simulator.network.PublishedOperations;
import dev.topo.simulator.verdict.NetworkFit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

  private static final String TCP = "polaris-tcp";
  private static final String SOCKETS = "sockets";

  /** What each calibration rests on. */
  private static final Map<String, String> ORIGINS =
      Map.of(
          "rdma",
          "InfiniBand and RoCE: published runs of 9 clusters of A100, H100, H200, B200 and GB200 with ports of 200 and 400 Gb/s, NCCL 2.23 to 2.29 where stated; 2026-11-23",
          "slingshot",
          "published runs of CSCS Alps (4 GH200, 4 ports of 200 Gb/s, NCCL 2.23.4, aws-ofi-nccl 1.13.0) and ALCF Polaris (4 A100, 2 ports of 200 Gb/s, NCCL 2.21, plugin); 2026-11-23",
          "efa",
          "low quality: 13 published rows of AWS p4de, p5, p5en and p6-b200; 2026-11-23",
          SOCKETS,
          "TCP: two H200 as two hosts on one virtual interface, NCCL 2.28.9, 2026-11-22, every second size");

  /** Of fewer rows all may be in a range of 90 of 100. */
  private static final int FEW = 20;

  /** From where a fit to TCP starts: the CPU copies some GB/s. */
  private static final NetworkCalibration COPIED =
      NetworkCalibration.typical()
          .with(NetworkConstant.SHARE, 1)
          .with(NetworkConstant.SHARE_HOST, 1)
          .with(NetworkConstant.PORT, 4)
          .with(NetworkConstant.PORT_FLAGGED, 2);

  /** A prediction by a model that has not seen the row, or its cluster. */
  record Unseen(ClusterRow row, double error) {
    long bytesOfRank() {
      return row.bytes() / row.ranks();
    }
  }

  private static List<ClusterRow> rows = List.of();
  private static List<ClusterRow> sockets = List.of();

  @BeforeAll
  static void read() {
    rows = covered();
    sockets = ClusterRow.sockets().stream().filter(row -> row.predictedUs().isPresent()).toList();
  }

  private static List<ClusterRow> covered() {
    List<ClusterRow> all = new ArrayList<>(ClusterRow.all());
    if (!all.isEmpty()) {
      all.addAll(ClusterRow.published());
    }
    return all.stream().filter(row -> row.predictedUs().isPresent()).toList();
  }

  private static NetworkCalibration fit(List<ClusterRow> training) {
    return fit(training, NetworkCalibration.typical());
  }

  private static NetworkCalibration fit(List<ClusterRow> training, NetworkCalibration from) {
    return fit(training, from, Set.of());
  }

  private static NetworkCalibration fit(
      List<ClusterRow> training, NetworkCalibration from, Set<NetworkConstant> kept) {
    Map<String, Long> counts =
        training.stream()
            .collect(Collectors.groupingBy(row -> row.cluster().name(), Collectors.counting()));
    return NetworkFit.fit(
        training.stream()
            .map(
                row ->
                    new NetworkFit.Observation(
                        row.predictedUs().orElseThrow(),
                        row.timeUs(),
                        1.0 / counts.get(row.cluster().name())))
            .toList(),
        from,
        kept);
  }

  /** Of EFA too few rows are known for what NVLS reaches inside nodes, whose network is another. */
  private static NetworkCalibration fit(List<ClusterRow> training, String network) {
    if (!network.equals("efa")) {
      return fit(training);
    }
    NetworkConstant kept = NetworkConstant.SHARE_NVLS;
    NetworkCalibration from = NetworkCalibration.typical().with(kept, fitted("rdma").value(kept));
    return fit(training, from, Set.of(kept));
  }

  private static boolean isOf(ClusterRow row, String network) {
    return row.cluster().network().equals(network);
  }

  private static List<ClusterRow> sane(List<ClusterRow> of) {
    return of.stream().filter(row -> !row.contradicted()).toList();
  }

  /** Every second row of the sockets, the first included. */
  private static List<ClusterRow> half(boolean first) {
    return IntStream.range(0, sockets.size())
        .filter(i -> i % 2 == (first ? 0 : 1))
        .mapToObj(sockets::get)
        .toList();
  }

  private static NetworkCalibration fitted(String network) {
    NetworkCalibration computed =
        network.equals(SOCKETS)
            ? fit(half(true), COPIED)
            : fit(sane(rows).stream().filter(row -> isOf(row, network)).toList(), network);
    return computed.named(network, ORIGINS.get(network));
  }

  /**
   * What a cluster's rows are off by with a fit to the others of its network, or to all others
   * where there are none.
   *
   * @param twoNodes whether the fit has its rows of two nodes, which are then not counted
   */
  private static List<Unseen> leftOut(List<ClusterRow> from, String cluster, boolean twoNodes) {
    String network =
        from.stream()
            .filter(row -> row.cluster().name().equals(cluster))
            .findFirst()
            .orElseThrow()
            .cluster()
            .network();
    List<ClusterRow> training =
        sane(from).stream()
            .filter(row -> isOf(row, network))
            .filter(row -> !row.cluster().name().equals(cluster) || (twoNodes && row.nodes() == 2))
            .toList();
    NetworkModel model = new NetworkModel(fit(training, network));
    return from.stream()
        .filter(row -> row.cluster().name().equals(cluster) && !(twoNodes && row.nodes() == 2))
        .map(row -> new Unseen(row, error(row, model)))
        .toList();
  }

  private static double error(ClusterRow row, NetworkModel model) {
    return row.predictedUs().orElseThrow().applyAsDouble(model) / row.timeUs() - 1;
  }

  private static Map<String, List<Unseen>> leftOut(List<ClusterRow> from, boolean twoNodes) {
    Map<String, List<Unseen>> all = new LinkedHashMap<>();
    from.stream()
        .map(row -> row.cluster().name())
        .distinct()
        .filter(cluster -> !cluster.equals(TCP))
        .forEach(cluster -> all.put(cluster, leftOut(from, cluster, twoNodes)));
    all.values().removeIf(List::isEmpty);
    return all;
  }

  /** The rows that the table of spreads is computed from; none without the measurements. */
  static List<Unseen> unseen() {
    List<ClusterRow> from = covered();
    return leftOut(from, false).values().stream()
        .flatMap(List::stream)
        .filter(one -> !one.row.contradicted())
        .toList();
  }

  /** A percentile of absolute errors, every cluster with equal weight. */
  private static double percentile(Map<String, List<Unseen>> all, double part) {
    record Weighted(double off, double weight) {}
    List<Weighted> weighted = new ArrayList<>();
    all.values()
        .forEach(
            of -> {
              List<Unseen> sane = of.stream().filter(one -> !one.row.contradicted()).toList();
              sane.forEach(
                  one -> weighted.add(new Weighted(Math.abs(one.error), 1.0 / sane.size())));
            });
    weighted.sort(Comparator.comparingDouble(Weighted::off));
    double total = weighted.stream().mapToDouble(Weighted::weight).sum();
    double sum = 0;
    for (Weighted one : weighted) {
      sum += one.weight;
      if (sum >= part * total) {
        return one.off;
      }
    }
    throw new IllegalArgumentException("no rows");
  }

  private static String line(String name, Map<String, List<Unseen>> all) {
    long rows =
        all.values().stream().flatMap(List::stream).filter(one -> !one.row.contradicted()).count();
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.1f %% | %.1f %% |",
        name,
        rows,
        100 * percentile(all, 0.5),
        100 * percentile(all, 0.9));
  }

  private static Map<String, List<Unseen>> only(Map<String, List<Unseen>> all, boolean bound) {
    List<String> own =
        ClusterRow.all().stream().map(row -> row.cluster().name()).distinct().toList();
    Map<String, List<Unseen>> some = new LinkedHashMap<>(all);
    some.keySet().removeIf(name -> own.contains(name) != bound);
    return some;
  }

  private static List<String> table(Map<String, List<Unseen>> all) {
    List<String> lines = new ArrayList<>();
    all.forEach((name, of) -> lines.add(line(name, Map.of(name, of))));
    return lines;
  }

  private static Optional<KnownSpread> stated(Unseen one) {
    String basis = NetworkPredictor.BASIS + one.row.cluster().network();
    return KnownSpread.of(basis, Launch.EACH, one.bytesOfRank());
  }

  private static boolean isInside(Unseen one) {
    double off = one.error >= 0 ? one.error : 1 / (1 + one.error) - 1;
    return off <= stated(one).orElseThrow().part();
  }

  /** How many are in the stated range, by size class. */
  private static List<String> coverage(String network, List<Unseen> all) {
    Map<KnownSpread, List<Unseen>> classes =
        new TreeMap<>(Comparator.comparingLong(KnownSpread::fromBytes));
    all.stream()
        .filter(one -> isOf(one.row, network))
        .forEach(
            one ->
                stated(one)
                    .ifPresent(
                        known -> classes.computeIfAbsent(known, k -> new ArrayList<>()).add(one)));
    return classes.entrySet().stream()
        .map(
            one -> {
              long inside = one.getValue().stream().filter(NetworkTest::isInside).count();
              double part = (double) inside / one.getValue().size();
              boolean isMost = part <= 0.97 || one.getValue().size() < FEW;
              assertTrue(part >= 0.85 && isMost, network + " " + one.getKey() + " " + part);
              return String.format(
                  Locale.ROOT,
                  "| %s | %s | %.0f %% | %d | %.0f %% |",
                  network,
                  QuantityFormat.size(one.getKey().fromBytes()),
                  100 * one.getKey().part(),
                  one.getValue().size(),
                  100 * part);
            })
        .toList();
  }

  /** The operations of the rows of a network, which are those that ranges are stated for. */
  private static String operations(String network, List<Unseen> all) {
    Set<Operation> operations =
        all.stream()
            .map(Unseen::row)
            .filter(row -> isOf(row, network))
            .map(ClusterRow::operation)
            .collect(Collectors.toSet());
    assertEquals(operations, PublishedOperations.of(network), network);
    return operations.stream().map(Operation::label).sorted().collect(Collectors.joining(", "));
  }

  private static String byNodes(List<Unseen> all) {
    Map<Integer, List<Unseen>> nodes =
        all.stream()
            .filter(one -> one.bytesOfRank() >= SpreadTest.NETWORK_FROM_BYTES[1])
            .collect(Collectors.groupingBy(one -> one.row.nodes(), TreeMap::new, toList()));
    return nodes.entrySet().stream()
        .map(
            one ->
                String.format(
                    Locale.ROOT,
                    "| %d | %d | %.1f %% |",
                    one.getKey(),
                    one.getValue().size(),
                    100 * percentile(Map.of("", one.getValue()), 0.5)))
        .collect(Collectors.joining("\n"));
  }

  private static List<Unseen> socketsUnseen() {
    NetworkModel model = new NetworkModel(fitted(SOCKETS));
    return half(false).stream().map(row -> new Unseen(row, error(row, model))).toList();
  }

  private static List<Unseen> flat(Map<String, List<Unseen>> all) {
    return all.values().stream().flatMap(List::stream).toList();
  }

  @Test
  void calibrationsAreWhatTheFitsGive() throws IOException {
    assumeTrue(!rows.isEmpty() && !sockets.isEmpty(), "the measurements are not here");
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
    assumeTrue(!rows.isEmpty() && !sockets.isEmpty(), "the measurements are not here");
    Map<String, List<Unseen>> all = leftOut(rows, false);
    Map<String, List<Unseen>> two = leftOut(rows, true);
    Map<String, List<Unseen>> bound = only(all, true);
    String head = "| set | rows | median | 90 of 100 |\n|---|---|---|---|\n";
    Map<String, List<Unseen>> tcp = Map.of(SOCKETS, socketsUnseen());
    List<Unseen> contradicted = flat(all).stream().filter(one -> one.row.contradicted()).toList();
    String text =
        String.join(
            "\n",
            "# Times between nodes against published measurements",
            "",
            "Made by `NetworkTest` (`-Dgolden.update=true` writes it). Runs of nccl-tests of several nodes, from 1 MiB on, that others",
            "published, and the peak of curves that somebody fitted to runs. [clusters.csv](../topologies/clusters.csv) has the machine, NICs, settings and",
            "release of NCCL of each cluster. Errors are those of time, as a part of the measured one. Every cluster has the same weight.",
            "",
            "## A cluster that the fit has not seen",
            "",
            head + line("all clusters", bound),
            String.join("\n", table(bound)),
            "",
            "## With the cluster's own runs of two nodes in the fit: its runs of more nodes",
            "",
            head + line("all clusters", only(two, true)),
            String.join("\n", table(only(two, true))),
            "",
            "## Other published rows (src/test/resources/published), each cluster not seen",
            "",
            head + String.join("\n", table(only(all, false))),
            "",
            "## TCP",
            "",
            "Two H200 as two hosts on one interface, all algorithms, protocols and sizes; the fit has every second size, these are the others.",
            "",
            head + line("h200-x2-sockets", tcp),
            "",
            "## Not counted above",
            "",
            "Runs that contradict their neighbours, because a larger message took less time: "
                + contradicted.size()
                + " rows.",
            "",
            "| cluster | nodes | operation | bytes | measured | predicted |",
            "|---|---|---|---|---|---|",
            contradicted.stream().map(NetworkTest::contradicted).collect(Collectors.joining("\n")),
            "",
            "Calls that the model does not cover, inside one NVLink domain or by PAT: "
                + ClusterRow.all().stream().filter(row -> row.predictedUs().isEmpty()).count()
                + " rows.",
            "",
            "Plain TCP over Slingshot ("
                + TCP
                + "): "
                + rows.stream().filter(row -> row.cluster().name().equals(TCP)).count()
                + " rows, by the calibration sockets:",
            "",
            head + line(TCP, Map.of(TCP, byShipped(TCP))),
            "",
            "## The stated range",
            "",
            "How many of the rows of clusters that the fit has not seen are in the range that `topo predict` states for 90 of 100, by size",
            "divided by ranks; where rows are of four clusters or more, the range has every cluster with the same weight, so that it holds",
            "for a cluster rather than for the one with most rows. From 2 to 10 nodes errors do not grow with nodes (second table, rows of",
            "4 MiB a rank and more); [runs collected afterwards](accuracy-outside.md) are counted by themselves. A range",
            "is stated up to 32 nodes, because of more than 10 nodes there are two published times only.",
            "",
            "| network | from | range | rows | inside |\n|---|---|---|---|---|",
            Stream.of("rdma", "slingshot", "efa")
                .flatMap(network -> coverage(network, unseen(all)).stream())
                .collect(Collectors.joining("\n")),
            "",
            "| nodes | rows | median |\n|---|---|---|",
            byNodes(unseen(bound)),
            "",
            "No range is stated for other operations than those of these rows, nor where GPUs of a node have no NVLink:",
            "",
            "| network | operations |\n|---|---|",
            Stream.of("rdma", "slingshot", "efa")
                .map(network -> "| %s | %s |".formatted(network, operations(network, unseen(all))))
                .collect(Collectors.joining("\n")),
            "");
    Path file = ROOT.resolve("docs/accuracy-network.md");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, text);
    }
    assertEquals(text.lines().count(), Files.readAllLines(file).size());
    assertTrue(percentile(bound, 0.5) <= 0.10, line("all", bound));
    assertTrue(percentile(bound, 0.9) <= 0.25, line("all", bound));
    Map<String, List<Unseen>> own = only(two, true);
    print("clusters that the fit has not seen (10 / 25 %)", bound);
    print("with runs of two nodes in the fit (6 / 15 %)", own);
    print("TCP, sizes not in the fit (15 % median)", tcp);
    assertTrue(percentile(own, 0.5) <= 0.06, line("all", own));
    assertTrue(percentile(own, 0.9) <= 0.15, line("all", own));
    assertTrue(percentile(tcp, 0.5) <= 0.15, line(SOCKETS, tcp));
  }

  private static void print(String set, Map<String, List<Unseen>> rows) {
    System.out.printf(
        "between nodes, %s: %d rows, median %.1f %%, 90 of 100 %.1f %%%n",
        set, unseen(rows).size(), 100 * percentile(rows, 0.5), 100 * percentile(rows, 0.9));
  }

  private static List<Unseen> unseen(Map<String, List<Unseen>> all) {
    return flat(all).stream().filter(one -> !one.row.contradicted()).toList();
  }

  private static List<Unseen> byShipped(String cluster) {
    NetworkModel model = new NetworkModel(fitted(SOCKETS));
    return sane(rows).stream()
        .filter(row -> row.cluster().name().equals(cluster))
        .map(row -> new Unseen(row, error(row, model)))
        .toList();
  }

  private static String contradicted(Unseen one) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %s | %d | %.0f us | %.0f us |",
        one.row.cluster().name(),
        one.row.nodes(),
        one.row.operation().label(),
        one.row.bytes(),
        one.row.timeUs(),
        one.row.timeUs() * (1 + one.error));
  }
}
