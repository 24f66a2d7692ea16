package dev.topo.accuracy;

import dev.topo.model.Topology;
import dev.topo.model.fixture.ReferenceData;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.connect.Connection;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.rules.MixedProfile;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.evaluate.CallPlanner;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.network.NetworkCall;
import dev.topo.simulator.network.NetworkModel;
import dev.topo.simulator.network.NetworkPlanner;
import dev.topo.simulator.timing.TimingModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A time that somebody published of a cluster of several nodes, with what the model derives for it.
 *
 * @param cluster its name in topologies/clusters.csv
 * @param timeUs the measured time
 * @param contradicted whether a larger message of the same runs took a seventh less time
 * @param predictedUs the time by a model of the network; empty where the model does not cover it
 * @param ncclUs the time by NCCL's own model; empty for sends and receives
 * @param inDomainUs the time inside one NVLink domain of several hosts; empty for others
 * @param calibration the constants of its nodes
 * @param algorithm NCCL's algorithm, or that it has none
 * @param connection the ranks and nodes of the cluster
 */
record ClusterRow(
    Cluster cluster,
    int nodes,
    int ranks,
    Operation operation,
    long bytes,
    double timeUs,
    boolean contradicted,
    Optional<ToDoubleFunction<NetworkModel>> predictedUs,
    OptionalDouble ncclUs,
    OptionalDouble inDomainUs,
    String calibration,
    String algorithm,
    Connection connection) {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Map<Connection, NetworkPlanner> NETWORKS =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /** What a time and that of a larger message differ by, as repeated runs do. */
  private static final double NOISE = 1.15;

  /**
   * Published rows that are of a cluster above, of a network of another kind, or of a number of
   * nodes or NICs that is not stated.
   */
  private static final List<String> NOT_TAKEN =
      List.of("OCI", "GCP A3 Mega", "GCP A3 High", "Azure ND H100 v5 baseline", "KAUST");

  /** Above this size a fitted curve is at its peak. */
  private static final long CURVE_BYTES = 1L << 34;

  /** A line of topologies/clusters.csv. */
  record Cluster(
      String name,
      String topology,
      int gpus,
      int domainNodes,
      String network,
      String nccl,
      String env) {
    /** The machines, whatever the settings: what comes before a slash. */
    String site() {
      return name.split("/", -1)[0];
    }
  }

  private record Series(Cluster cluster, int nodes, int ranks, Operation operation) {}

  /** The measured rows of several nodes; none where the measurements are not there. */
  static List<ClusterRow> all() {
    return from(2);
  }

  /** The measured rows from a number of nodes on. */
  static List<ClusterRow> from(int leastNodes) {
    Optional<Path> first = ReferenceData.ifGiven("measured/clusters");
    Optional<Path> second = ReferenceData.ifGiven("measured/clusters-2");
    if (first.isEmpty() || second.isEmpty()) {
      return List.of();
    }
    List<Path> measured = List.of(first.get(), second.get());
    Map<String, Cluster> clusters = clusters();
    Map<Series, Map<Long, Double>> series = new LinkedHashMap<>();
    for (String line : lines(measured, "runs.csv")) {
      // The only commas inside a cell are followed by a space.
      String[] cells = line.split(",(?! )", -1);
      String name = name(cells[0].replace("\"", ""), cells[4], cells[5]);
      Cluster cluster = clusters.get(name);
      if (cluster != null && Integer.parseInt(cells[1]) >= leastNodes) {
        add(series, cluster, cells[3], cells[1], cells[2], cells[6], Double.parseDouble(cells[7]));
      }
    }
    for (String line : lines(measured, "h100-roce-curves.csv")) {
      String[] cells = line.split(",", -1);
      int ranks = Integer.parseInt(cells[1]) * Integer.parseInt(cells[2]);
      double timeUs = CURVE_BYTES / Double.parseDouble(cells[4]) * 1e-3;
      if (Integer.parseInt(cells[1]) >= leastNodes) {
        add(
            series,
            clusters.get("curves"),
            cells[0],
            cells[1],
            String.valueOf(ranks),
            String.valueOf(CURVE_BYTES),
            timeUs);
      }
    }
    List<ClusterRow> rows = new ArrayList<>();
    series.forEach((of, times) -> rows.addAll(rows(of, times)));
    return rows;
  }

  private static void add(
      Map<Series, Map<Long, Double>> series,
      Cluster cluster,
      String operation,
      String nodes,
      String ranks,
      String bytes,
      double timeUs) {
    Series of =
        new Series(
            cluster,
            Integer.parseInt(nodes),
            Integer.parseInt(ranks),
            Operation.ofName(operation).orElseThrow());
    series.computeIfAbsent(of, key -> new LinkedHashMap<>()).put(Long.parseLong(bytes), timeUs);
  }

  private static String name(String machine, String nccl, String setting) {
    if (machine.startsWith("polaris")) {
      return switch (setting) {
        case "setting 1" -> "polaris-tcp";
        case "setting 5" -> "polaris";
        default -> nccl.equals("2.18") ? "polaris/2.18" : "polaris/" + setting;
      };
    }
    if (machine.startsWith("sophia")) {
      return "sophia/" + setting;
    }
    if (machine.startsWith("AWS p5")) {
      return "AWS p5/" + setting.replace("log ", "");
    }
    if (setting.startsWith("Running and Observing")) {
      return "b200-roce/slow";
    }
    Map<String, String> names =
        Map.of(
            "alps", "alps",
            "h100-cluster01", "h100-cluster01",
            "NVIDIA B200", "b200-roce",
            "8xH100 (OCI)", "oci-h100",
            "GB200 NVL72 (OCI)", "oci-gb200",
            "GB200 NVL72 (CoreWeave)", "coreweave-gb200",
            "NVIDIA A100", "oci-a100",
            "8xH100 (NVIDIA", "reference");
    return names.entrySet().stream()
        .filter(one -> machine.startsWith(one.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Cluster> clusters() {
    return lines(ROOT.resolve("topologies/clusters.csv")).stream()
        .map(line -> line.split(",", -1))
        .map(
            c ->
                new Cluster(
                    c[0], c[1], Integer.parseInt(c[2]), Integer.parseInt(c[3]), c[6], c[8], c[9]))
        .collect(Collectors.toMap(Cluster::name, one -> one));
  }

  private static List<String> lines(List<Path> folders, String name) {
    return folders.stream().flatMap(folder -> lines(folder.resolve(name)).stream()).toList();
  }

  private static List<String> lines(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      return lines.subList(1, lines.size());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<ClusterRow> rows(Series of, Map<Long, Double> times) {
    Prepared prepared = new Prepared(of);
    List<ClusterRow> rows = new ArrayList<>();
    times.forEach(
        (bytes, timeUs) -> {
          boolean contradicted =
              times.entrySet().stream()
                  .anyMatch(other -> other.getKey() > bytes && NOISE * other.getValue() < timeUs);
          Optional<Choice> choice = prepared.choice(bytes);
          rows.add(
              new ClusterRow(
                  of.cluster,
                  of.nodes,
                  of.ranks,
                  of.operation,
                  bytes,
                  timeUs,
                  contradicted,
                  prepared.time(bytes, choice),
                  ncclUs(choice),
                  prepared.inDomainUs(bytes),
                  prepared.timing.calibration().name(),
                  choice
                      .map(one -> one.algorithm().label() + " " + one.protocol().label())
                      .orElse("peers"),
                  prepared.calls.communicator().connection()));
        });
    return rows;
  }

  private static OptionalDouble ncclUs(Optional<Choice> choice) {
    return choice.map(one -> OptionalDouble.of(one.timeUs())).orElse(OptionalDouble.empty());
  }

  /** What does not depend on the size. */
  private static final class Prepared {
    private static final Map<String, Topology> READ = new ConcurrentHashMap<>();
    private static final Map<String, Communicator> COMMUNICATORS = new ConcurrentHashMap<>();

    private final Series of;
    private final CallPlanner calls;
    private final Optional<NetworkPlanner> network;
    private final TimingModel timing;

    Prepared(Series of) {
      this.of = of;
      NcclProfile profile = profile(of.cluster.nccl);
      int hosts = Math.min(of.cluster.domainNodes, of.nodes);
      NcclSettings settings =
          of.cluster.env.isEmpty()
              ? NcclSettings.DEFAULTS
              : NcclSettings.parse(List.of(of.cluster.env.split(";")));
      Topology topology = read(of.cluster, of.ranks / of.nodes, hosts, profile);
      Job job = Job.ofEqual(new Machine(topology, settings), of.nodes / hosts);
      Communicator communicator =
          COMMUNICATORS.computeIfAbsent(
              of.cluster + " " + of.nodes + " " + of.ranks,
              key -> Communicator.of(job, GraphSearch::findAll, profile));
      this.calls = new CallPlanner(communicator, Optional.empty(), 1);
      this.network =
          communicator.connection().nNodes() > 1
              ? Optional.of(
                  new NetworkPlanner(
                      communicator.connection(), settings, Optional.empty(), 1, Optional.empty()))
              : Optional.empty();
      this.timing =
          new TimingModel(
              CalibrationChoice.of(topology)
                  .calibration()
                  .orElseGet(() -> CalibrationFile.shipped("h200-nvswitch").orElseThrow()));
    }

    private static NcclProfile profile(String version) {
      NcclRelease release = NcclRelease.parse(version);
      return release.compareTo(ReleaseRules.oldest()) < 0
          ? MixedProfile.older(version)
          : ReleaseRules.of(release).profile();
    }

    private static Topology read(Cluster cluster, int gpus, int hosts, NcclProfile profile) {
      return READ.computeIfAbsent(
          cluster.topology + gpus + hosts + profile,
          key -> {
            XmlElement system = system(cluster.topology);
            XmlElement domain =
                hosts == 1 ? system : NvlinkDomain.fuse(Collections.nCopies(hosts, system));
            GpuSelection selection =
                gpus == cluster.gpus
                    ? GpuSelection.ALL
                    : GpuSelection.of(IntStream.range(0, gpus).boxed().collect(Collectors.toSet()));
            return new TopologyReader(UnknownElements.REJECTED, profile)
                .map(new XmlDocument(List.of(), domain, List.of()), selection, new Diagnostics());
          });
    }

    private static XmlElement system(String topology) {
      Path file = ROOT.resolve("topologies").resolve(topology);
      try {
        return new XmlReader().read(Files.readAllBytes(file), topology).root();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    OptionalDouble inDomainUs(long bytes) {
      if (of.cluster.domainNodes == 1 || network.isPresent()) {
        return OptionalDouble.empty();
      }
      CallPredictor predictor = new CallPredictor(calls, timing);
      if (of.operation instanceof PeerOperation peers) {
        return PeerPredictor.of(predictor)
            .flatMap(one -> one.predict(peers, bytes, false))
            .map(one -> OptionalDouble.of(one.timeUs()))
            .orElse(OptionalDouble.empty());
      }
      return predictor
          .predict(CollectiveCall.of((Collective) of.operation, bytes), false)
          .map(one -> OptionalDouble.of(one.timeUs()))
          .orElse(OptionalDouble.empty());
    }

    Optional<Choice> choice(long bytes) {
      return of.operation instanceof Collective collective
          ? calls.choice(CollectiveCall.of(collective, bytes), Optional.empty())
          : Optional.empty();
    }

    Optional<ToDoubleFunction<NetworkModel>> time(long bytes, Optional<Choice> choice) {
      return network.flatMap(
          between ->
              of.operation instanceof PeerOperation peers
                  ? between.call(peers, bytes).map(one -> model -> model.time(one).kernelUs())
                  : ClusterRow.time(
                      calls,
                      between,
                      timing,
                      CollectiveCall.of((Collective) of.operation, bytes),
                      choice.orElseThrow()));
    }
  }

  /** The time of a collective by a model of the network; empty where it does not cover it. */
  private static Optional<ToDoubleFunction<NetworkModel>> time(
      CallPlanner calls,
      NetworkPlanner network,
      TimingModel timing,
      CollectiveCall call,
      Choice choice) {
    return calls.insideNodes(call, choice, false).stream()
        .findFirst()
        .map(
            shape -> {
              int local = calls.communicator().facts().maxLocalRanks();
              NetworkCall between =
                  network.call(choice.algorithm(), shape, timing.inNode(shape, local));
              return model -> model.time(between).kernelUs();
            });
  }

  /**
   * Two H200 as two hosts over TCP on one interface of one machine, of every algorithm and protocol
   * and all sizes.
   */
  static List<ClusterRow> sockets() {
    Path file = ReferenceData.of("measured/h200-x2-sockets").resolve("sweeps.csv");
    Cluster cluster = new Cluster("h200-x2-sockets", "", 1, 1, "sockets", "", "");
    Topology topology =
        new TopologyReader()
            .read(
                ROOT.resolve("src/test/resources/measured/h200-x2.topo.xml"),
                GpuSelection.of(Set.of(0)),
                new Diagnostics());
    Job job = Job.ofEqual(new Machine(topology, NcclSettings.DEFAULTS), 2);
    CallPlanner calls = new CallPlanner(Communicator.of(job), Optional.empty(), 1);
    TimingModel timing = new TimingModel(CalibrationFile.shipped("h200-nvswitch").orElseThrow());
    List<ClusterRow> rows = new ArrayList<>();
    for (String line : lines(file)) {
      String[] cells = line.split(",", -1);
      Operation operation = Operation.ofName(cells[2]).orElseThrow();
      long bytes = Long.parseLong(cells[3]);
      Optional<Pair> forced =
          cells[0].isEmpty()
              ? Optional.empty()
              : Optional.of(
                  new Pair(
                      Algorithm.ofLabel(cells[0]).orElseThrow(),
                      Protocol.ofLabel(cells[1]).orElseThrow()));
      double timeUs = Double.parseDouble(cells[4]);
      rows.add(of(cluster, 2, operation, bytes, timeUs, false, calls, timing, forced));
    }
    return rows;
  }

  /**
   * A row of a job by a network.
   *
   * @param timing the constants of its nodes
   * @param forced the algorithm and protocol that were set; empty where NCCL chose
   */
  static ClusterRow of(
      Cluster cluster,
      int nodes,
      Operation operation,
      long bytes,
      double timeUs,
      boolean contradicted,
      CallPlanner calls,
      TimingModel timing,
      Optional<Pair> forced) {
    Connection connection = calls.communicator().connection();
    NetworkPlanner network = planner(calls);
    Optional<Choice> choice =
        operation instanceof Collective collective
            ? calls.choice(CollectiveCall.of(collective, bytes), forced)
            : Optional.empty();
    Optional<ToDoubleFunction<NetworkModel>> time =
        operation instanceof PeerOperation peers
            ? network.call(peers, bytes).map(one -> model -> model.time(one).kernelUs())
            : choice.flatMap(
                one ->
                    time(
                        calls,
                        network,
                        timing,
                        CollectiveCall.of((Collective) operation, bytes),
                        one));
    return new ClusterRow(
        cluster,
        nodes,
        connection.nRanks(),
        operation,
        bytes,
        timeUs,
        contradicted,
        time,
        ncclUs(choice),
        OptionalDouble.empty(),
        timing.calibration().name(),
        choice.map(one -> one.algorithm().label() + " " + one.protocol().label()).orElse("peers"),
        connection);
  }

  private static NetworkPlanner planner(CallPlanner calls) {
    return NETWORKS.computeIfAbsent(
        calls.communicator().connection(),
        key ->
            new NetworkPlanner(
                key,
                calls.communicator().job().machines().get(0).settings(),
                Optional.empty(),
                1,
                Optional.empty()));
  }

  /** The rows of src/test/resources/published of several nodes that are of no cluster above. */
  static List<ClusterRow> published() {
    List<ClusterRow> rows = new ArrayList<>();
    for (PublishedRow row : PublishedRow.all()) {
      boolean isOther = NOT_TAKEN.stream().anyMatch(name -> row.machine().startsWith(name));
      if (row.nodes() < 2 || !row.canBePredicted() || isOther) {
        continue;
      }
      CallPlanner calls = row.planner();
      Cluster cluster =
          new Cluster(
              row.machine().split(";")[0],
              row.topology(),
              calls.communicator().connection().maxLocalRanks(),
              1,
              row.machine().startsWith("AWS") ? "efa" : "rdma",
              "",
              "");
      rows.add(
          of(
              cluster,
              row.nodes(),
              row.collective(),
              row.sizeBytes(),
              row.timeUs(),
              false,
              calls,
              new TimingModel(CalibrationFile.shipped(row.calibration()).orElseThrow()),
              row.forced()));
    }
    return rows;
  }
}
