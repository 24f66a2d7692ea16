package dev.topo.accuracy;

import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.evaluate.CallPlanner;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.simulator.verdict.CalibrationFit.FitObservation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A published busbw, with a shipped machine or a file beside the rows that has the same hardware.
 * Rows are those of published tables of busbw whose machine is known, those from 16 KiB on of the
 * reference results for 8 H100 (NVIDIA/dgxc-benchmarking), all sizes of its source for WRX90, and
 * RTX 4090 with a driver that allows P2P (tinygrad/open-gpu-kernel-modules issue 17), and seven RTX
 * PRO 6000 of its source for the rate between two EPYC 9005 (local-inference-lab/rtx6kpro
 * hardware/pcie-bandwidth.md @88f3cd56: 41.3 to 41.7 GB/s); processes drive one GPU each. Of the
 * files beside the rows those of WRX90 and Turin are by their descriptions
 * (local-inference-lab/rtx6kpro); bus ids of Turin are invented. That of RTX 4090 has the bus ids
 * of the log and a CPU as in NVIDIA/nccl issue 814.
 */
record PublishedRow(
    String machine,
    String topology,
    String edit,
    String gpus,
    int nodes,
    String env,
    String calibration,
    Use use,
    Collective collective,
    String algorithm,
    String protocol,
    long sizeBytes,
    double busbwGBps,
    String quality,
    String whyNot) {
  /** What a row was used for before it is compared with its prediction. */
  enum Use {
    /** Nothing. */
    NONE("no"),
    /** Its calibration is fitted to it. */
    FITTED("yes"),
    /** A number in links.txt is chosen by it, so it is no evidence. */
    LINKS("links");

    private final String label;

    Use(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }

    static Use of(String cell) {
      String label = cell.isEmpty() ? NONE.label : cell;
      return Arrays.stream(values())
          .filter(use -> use.label.equals(label))
          .findFirst()
          .orElseThrow();
    }
  }

  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Map<String, Communicator> COMMUNICATORS = new ConcurrentHashMap<>();

  static List<PublishedRow> all() {
    try {
      List<PublishedRow> rows = new ArrayList<>();
      List<String> lines =
          Files.readAllLines(ROOT.resolve("src/test/resources/published/rows.csv"));
      for (String line : lines.subList(1, lines.size())) {
        String[] cells = line.split(",", -1);
        rows.add(
            new PublishedRow(
                cells[0],
                cells[1],
                cells[2],
                cells[3],
                Integer.parseInt(cells[4]),
                cells[5],
                cells[6],
                Use.of(cells[7]),
                Collective.ofLabel(cells[8].replace("_", "")).orElseThrow(),
                cells[9],
                cells[10],
                Long.parseLong(cells[11]),
                Double.parseDouble(cells[12]),
                cells[13],
                cells[14]));
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Those of the rows that a calibration is fitted to. */
  static List<FitObservation> fittedTo(String calibration, Predicate<PublishedRow> taken) {
    return all().stream()
        .filter(
            row ->
                row.use == Use.FITTED && row.calibration().equals(calibration) && taken.test(row))
        .map(row -> new FitObservation(row.shape().orElseThrow(), row.timeUs(), 1, 0))
        .toList();
  }

  private Optional<CallShape> shape() {
    return planner().shape(call(), forced(), false);
  }

  /** The host that it was measured on; sources that do not name it have one for each machine. */
  String host() {
    return topology.startsWith("..") ? topology : machine;
  }

  boolean canBePredicted() {
    return whyNot.isEmpty();
  }

  private Communicator communicator() {
    String key = topology + edit + gpus + nodes + env;
    Communicator known = COMMUNICATORS.get(key);
    if (known == null) {
      known = Communicator.of(Job.ofEqual(new Machine(read(), settings()), nodes));
      COMMUNICATORS.put(key, known);
    }
    return known;
  }

  private NcclSettings settings() {
    return env.isEmpty() ? NcclSettings.DEFAULTS : NcclSettings.parse(List.of(env.split(";")));
  }

  private Topology read() {
    GpuSelection selection = GpuSelection.ALL;
    if (!gpus.isEmpty()) {
      Set<Integer> devs =
          Arrays.stream(gpus.split("-")).map(Integer::valueOf).collect(Collectors.toSet());
      selection = GpuSelection.of(devs);
    }
    if (hosts() > 1) {
      return domain(selection);
    }
    Path file = ROOT.resolve("topologies").resolve(topology);
    try {
      if (edit.isEmpty()) {
        return new TopologyReader().read(file, selection, new Diagnostics());
      }
      String[] sides = edit.split("=>", 2);
      Path edited = Files.createTempFile("topo", ".xml");
      Files.writeString(edited, Files.readString(file).replace(sides[0], sides[1]));
      Topology topologyRead = new TopologyReader().read(edited, selection, new Diagnostics());
      Files.delete(edited);
      return topologyRead;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Hosts of one NVLink domain, which the machine states after an asterisk. */
  int hosts() {
    int at = topology.indexOf('*');
    return at < 0 ? 1 : Integer.parseInt(topology.substring(at + 1));
  }

  private Topology domain(GpuSelection selection) {
    String file = topology.substring(0, topology.indexOf('*'));
    try {
      byte[] bytes = Files.readAllBytes(ROOT.resolve("topologies").resolve(file));
      XmlElement system = new XmlReader().read(bytes, file).root();
      XmlElement fused = NvlinkDomain.fuse(Collections.nCopies(hosts(), system));
      return new TopologyReader()
          .map(new XmlDocument(List.of(), fused, List.of()), selection, new Diagnostics());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Communicator job() {
    return communicator();
  }

  CallPlanner planner() {
    return new CallPlanner(communicator(), Optional.empty(), 1);
  }

  CollectiveCall call() {
    return CollectiveCall.of(collective, sizeBytes);
  }

  Optional<Pair> forced() {
    return algorithm.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Pair(
                Algorithm.ofLabel(algorithm).orElseThrow(),
                Protocol.ofLabel(protocol).orElseThrow()));
  }

  Optional<CollectivePrediction> predict(Calibration constants) {
    CallPredictor predictor = new CallPredictor(planner(), new TimingModel(constants));
    Optional<Pair> pair = forced();
    return pair.isPresent()
        ? predictor.predict(call(), pair.get().algorithm(), pair.get().protocol(), false)
        : predictor.predict(call(), false);
  }

  /** The time by NCCL's own model. */
  Optional<CollectivePrediction> predictByNccl() {
    return CallPredictor.of(planner(), Optional.empty()).predict(call(), forced(), false);
  }

  /** The time behind the busbw. */
  double timeUs() {
    int nRanks = communicator().facts().nRanks();
    return collective.busbwGBps(sizeBytes, 1, nRanks) / busbwGBps;
  }
}
