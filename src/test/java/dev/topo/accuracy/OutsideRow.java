package dev.topo.accuracy;

import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditParser;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.Topology;
import dev.topo.model.fixture.ReferenceData;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.calibration.OwnTimes;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.network.NetworkFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * A published time that was collected afterwards, with what the command predicts for it. No
 * constant of a node is fitted to such times; those between nodes are in the fits of networks.
 *
 * @param ranks GPUs of all nodes
 * @param network the calibration that the time is by; empty where it is by no network
 * @param contradicted whether a larger message of the same runs took less time
 * @param predictedUs the time; empty where no model covers it
 * @param part what 90 of 100 such times are off by at most, as stated; empty if nothing is
 * @param calibration the constants of its nodes
 * @param between the row as one of a cluster of several nodes; empty where it is by no network
 */
record OutsideRow(
    Cluster cluster,
    int nodes,
    int ranks,
    Optional<String> network,
    Operation operation,
    long bytes,
    double timeUs,
    boolean contradicted,
    OptionalDouble predictedUs,
    OptionalDouble part,
    String calibration,
    Optional<ClusterRow> between) {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path FOLDER = ROOT.resolve("src/test/resources/published");
  private static final CSVFormat CSV =
      CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get();
  private static final String BLIND = "measured/blind-1";

  /** Machines of several sets. */
  private static final List<String> SITES =
      List.of(
          "aicr-b200",
          "aicr-rtxpro",
          "alps",
          "ctc-h200",
          "kalavai",
          "l40s",
          "ntests290",
          "slinky-b200");

  private static List<OutsideRow> read = List.of();
  private static List<OutsideRow> blind = List.of();

  /**
   * Where runs are from: a line of outside-clusters.csv.
   *
   * @param network calibration of the network; empty where the command chooses it
   * @param notCounted why its rows are listed only; empty where they count
   */
  record Cluster(
      String name,
      String topology,
      String edits,
      String gpus,
      int gpusPerProcess,
      int domainNodes,
      String nccl,
      String env,
      String network,
      String notCounted,
      String source) {
    /** The machines, whatever the run: what comes before a slash. */
    String site() {
      return name.split("/", -1)[0];
    }

    boolean isCounted() {
      return notCounted.isEmpty();
    }

    /** A set of {@code measured/blind-1}, with the options of the command that predicts it. */
    static Cluster of(CSVRecord set) {
      List<String> options = List.of(set.get("options").split(" +"));
      String name = set.get("set");
      String site = SITES.stream().filter(name::startsWith).findFirst().orElse(name);
      String topology = set.get("topo_file");
      return new Cluster(
          site + "/" + name,
          topology.replaceFirst("^topologies/", ""),
          "",
          String.join("-", values(options, "--gpus")).replace(',', '-'),
          options.contains("--cuda-graph")
              ? 0
              : values(options, "--ranks-per-process").stream()
                  .mapToInt(Integer::parseInt)
                  .findFirst()
                  .orElse(1),
          1,
          values(options, "--nccl").get(0).replace("2.19.4", "2.19.3"),
          String.join(";", values(options, "--env")),
          String.join("", values(options, "--network")),
          set.get("flag"),
          set.get("source"));
    }

    private static List<String> values(List<String> options, String name) {
      return IntStream.range(0, options.size() - 1)
          .filter(i -> options.get(i).equals(name))
          .mapToObj(i -> options.get(i + 1))
          .toList();
    }

    private NcclProfile profile() {
      return nccl.isEmpty()
          ? NcclProfile.DEFAULT
          : ReleaseRules.of(NcclRelease.parse(nccl)).profile();
    }

    private NcclSettings settings(String algorithm) {
      List<String> all = new ArrayList<>(env.isEmpty() ? List.of() : List.of(env.split(";")));
      if (!algorithm.isEmpty()) {
        all.add("NCCL_ALGO=" + algorithm);
        if (!algorithm.startsWith("NVLS")) {
          all.add("NCCL_NVLS_ENABLE=0");
        }
      }
      return NcclSettings.parse(all);
    }

    CallPredictor predictor(int nodes, String algorithm) {
      return predictor(nodes, algorithm, Optional.empty());
    }

    /** A predictor whose times are corrected by measured ones. */
    CallPredictor predictor(int nodes, String algorithm, Optional<OwnTimes> own) {
      int hosts = Math.min(domainNodes, nodes);
      XmlElement system = system();
      XmlElement domain =
          hosts == 1 ? system : NvlinkDomain.fuse(Collections.nCopies(hosts, system));
      GpuSelection selection =
          gpus.isEmpty()
              ? GpuSelection.ALL
              : GpuSelection.of(
                  Arrays.stream(gpus.split("-")).map(Integer::valueOf).collect(Collectors.toSet()));
      Topology machine =
          new TopologyReader(UnknownElements.REJECTED, profile())
              .map(new XmlDocument(List.of(), domain, List.of()), selection, new Diagnostics());
      Job job = Job.ofEqual(new Machine(machine, settings(algorithm)), nodes / hosts);
      JobRequest request =
          JobRequest.of(job, profile(), List.of()).withGpusPerProcess(gpusPerProcess);
      if (!network.isEmpty()) {
        request = request.withNetwork(NetworkFile.shipped(network).orElseThrow());
      }
      return new JobEvaluator()
          .evaluate(
              own.isEmpty()
                  ? request
                  : request.withCalibration(
                      SelectedCalibration.corrected(
                          CalibrationChoice.of(machine).calibration(), "own", own.get())))
          .predictor();
    }

    private XmlElement system() {
      Path file =
          topology.startsWith("topo/")
              ? ReferenceData.ifGiven(BLIND).orElseThrow().resolve(topology)
              : ROOT.resolve("topologies").resolve(topology);
      try {
        XmlDocument document = new XmlReader().read(Files.readAllBytes(file), topology);
        EditedMachine machine = EditedMachine.of(document, NcclSettings.DEFAULTS);
        return edits.isEmpty()
            ? document.root()
            : new EditApplier(
                    path -> {
                      throw new IllegalStateException(path.toString());
                    },
                    edited -> {})
                .apply(machine, EditParser.parse(edits, "outside-clusters.csv"))
                .seen()
                .root();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private record Series(Cluster cluster, int nodes, Operation operation, String algorithm) {}

  private record Time(OptionalDouble us, OptionalDouble part) {
    static final Time NONE = new Time(OptionalDouble.empty(), OptionalDouble.empty());
  }

  /** The predicted time as a part of the measured one. */
  double ratio() {
    return predictedUs.orElseThrow() / timeUs;
  }

  /** What the time is off by, as a part of the shorter one. */
  double off() {
    return Math.max(ratio(), 1 / ratio()) - 1;
  }

  boolean isInside() {
    return off() <= part.orElseThrow();
  }

  static List<Cluster> clusters() {
    return lines("outside-clusters.csv").stream()
        // The only commas inside a cell are followed by a space.
        .map(line -> line.replace("\"", "").split(",(?! )", -1))
        .map(
            c ->
                new Cluster(
                    c[0],
                    c[1],
                    c[2],
                    c[3],
                    Integer.parseInt(c[4]),
                    Integer.parseInt(c[5]),
                    c[6],
                    c[7],
                    c[8],
                    c[9],
                    c[10]))
        .toList();
  }

  /** All rows, in the order of the file. */
  static synchronized List<OutsideRow> all() {
    if (read.isEmpty()) {
      Map<String, Cluster> clusters = new HashMap<>();
      clusters().forEach(one -> clusters.put(one.name(), one));
      Map<Series, Map<Long, Double>> series = new LinkedHashMap<>();
      for (String line : lines("outside.csv")) {
        String[] c = line.split(",", -1);
        Operation operation = Operation.ofName(c[3]).orElseThrow();
        Cluster cluster = Optional.ofNullable(clusters.get(c[0])).orElseThrow();
        series
            .computeIfAbsent(
                new Series(cluster, Integer.parseInt(c[1]), operation, c[4]),
                key -> new LinkedHashMap<>())
            .put(Long.parseLong(c[5]), Double.parseDouble(c[6]));
      }
      read = rows(series);
    }
    return read;
  }

  /** The rows of {@code measured/blind-1}; none where it is not given. */
  static synchronized List<OutsideRow> blind() {
    Optional<Path> folder = ReferenceData.ifGiven(BLIND);
    if (blind.isEmpty() && folder.isPresent()) {
      Map<Series, Map<Long, Double>> series = new LinkedHashMap<>();
      try (CSVParser rows = CSV.parse(Files.newBufferedReader(folder.get().resolve("rows.csv")))) {
        for (CSVRecord row : rows) {
          Series of =
              new Series(
                  Cluster.of(row),
                  Integer.parseInt(row.get("nodes")),
                  Operation.ofName(row.get("collective")).orElseThrow(),
                  "");
          series
              .computeIfAbsent(of, key -> new LinkedHashMap<>())
              .put(Long.parseLong(row.get("bytes")), Double.parseDouble(row.get("time_us")));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      blind = rows(series);
    }
    return blind;
  }

  /** The rows between nodes that count, of clusters whose network has a calibration. */
  static List<ClusterRow> betweenNodes() {
    return Stream.concat(all().stream(), blind().stream())
        .filter(row -> row.cluster.isCounted())
        .flatMap(row -> row.between.stream())
        .toList();
  }

  private static List<OutsideRow> rows(Map<Series, Map<Long, Double>> series) {
    Map<String, CallPredictor> predictors = new HashMap<>();
    List<OutsideRow> rows = new ArrayList<>();
    series.forEach((of, times) -> rows.addAll(rows(of, times, predictors)));
    return List.copyOf(rows);
  }

  private static List<OutsideRow> rows(
      Series of, Map<Long, Double> times, Map<String, CallPredictor> predictors) {
    CallPredictor predictor =
        predictors.computeIfAbsent(
            of.cluster.name() + " " + of.nodes + " " + of.algorithm,
            key -> of.cluster.predictor(of.nodes, of.algorithm));
    List<OutsideRow> rows = new ArrayList<>();
    times.forEach(
        (bytes, timeUs) -> {
          boolean contradicted =
              times.entrySet().stream()
                  .anyMatch(other -> other.getKey() > bytes && other.getValue() < timeUs);
          Time time = time(of, predictor, bytes);
          rows.add(
              new OutsideRow(
                  of.cluster,
                  of.nodes,
                  predictor.planner().communicator().connection().nRanks(),
                  time.us.isPresent()
                      ? predictor.network().map(one -> one.calibration().name())
                      : Optional.empty(),
                  of.operation,
                  bytes,
                  timeUs,
                  contradicted,
                  time.us,
                  time.part,
                  predictor.model().calibration().name(),
                  between(of, predictor, bytes, timeUs, contradicted)));
        });
    return rows;
  }

  private static Optional<ClusterRow> between(
      Series of, CallPredictor predictor, long bytes, double timeUs, boolean contradicted) {
    return predictor
        .network()
        .map(
            network -> {
              Cluster from = of.cluster;
              ClusterRow.Cluster cluster =
                  new ClusterRow.Cluster(
                      from.name,
                      from.topology,
                      predictor.planner().communicator().connection().maxLocalRanks(),
                      from.domainNodes,
                      network.calibration().name(),
                      from.nccl,
                      from.env);
              return ClusterRow.of(
                  cluster,
                  of.nodes,
                  of.operation,
                  bytes,
                  timeUs,
                  contradicted,
                  predictor.planner(),
                  predictor.model(),
                  Optional.empty());
            });
  }

  private static Time time(Series of, CallPredictor predictor, long bytes) {
    if (of.operation instanceof PeerOperation peers) {
      Optional<PeerPrediction> time =
          PeerPredictor.of(predictor).flatMap(one -> one.predict(peers, bytes, false));
      return time.map(one -> new Time(OptionalDouble.of(one.timeUs()), one.spread()))
          .orElse(Time.NONE);
    }
    CollectiveCall call = CollectiveCall.of((Collective) of.operation, bytes);
    return predictor
        .predict(call, false)
        .map(one -> new Time(OptionalDouble.of(one.timeUs()), one.spread()))
        .orElse(Time.NONE);
  }

  private static List<String> lines(String file) {
    try {
      List<String> lines = Files.readAllLines(FOLDER.resolve(file));
      return lines.subList(1, lines.size());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
