package dev.topo.accuracy;

import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditParser;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.Topology;
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

/**
 * A published time that no constant is fitted to, with what the command predicts for it.
 *
 * @param ranks GPUs of all nodes
 * @param network the calibration that the time is by; empty where it is by no network
 * @param contradicted whether a larger message of the same runs took less time
 * @param predictedUs the time; empty where no model covers it
 * @param part what 90 of 100 such times are off by at most, as stated; empty if nothing is
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
    OptionalDouble part) {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path FOLDER = ROOT.resolve("src/test/resources/published");
  private static List<OutsideRow> read = List.of();

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
      return new JobEvaluator().evaluate(request).predictor();
    }

    private XmlElement system() {
      Path file = ROOT.resolve("topologies").resolve(topology);
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
      Map<String, CallPredictor> predictors = new HashMap<>();
      List<OutsideRow> rows = new ArrayList<>();
      series.forEach((of, times) -> rows.addAll(rows(of, times, predictors)));
      read = List.copyOf(rows);
    }
    return read;
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
                  time.part));
        });
    return rows;
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
