package dev.topo.accuracy;

import dev.topo.accuracy.OutsideRow.Cluster;
import dev.topo.accuracy.PublishedRow.Use;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.Prediction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A published time of a shipped machine, a line of machines.csv. */
record MachineRow(
    String machine,
    String topology,
    String gpus,
    int nodes,
    String nccl,
    String env,
    Operation operation,
    String bytes,
    String timeUs,
    Use use,
    String source) {
  private record Job(Cluster cluster, int nodes) {}

  private static final Path FILE =
      Path.of(System.getProperty("topo.root"), "src/test/resources/published/machines.csv");

  private static final Map<Job, CallPredictor> PREDICTORS = new ConcurrentHashMap<>();

  static List<MachineRow> all() {
    try {
      return Files.readAllLines(FILE).stream().skip(1).map(MachineRow::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MachineRow parse(String line) {
    String[] c = line.split(",", -1);
    return new MachineRow(
        c[0],
        c[1],
        c[2],
        Integer.parseInt(c[3]),
        c[4],
        c[5],
        Operation.ofName(c[6]).orElseThrow(),
        c[7],
        c[8],
        Use.of(c[9]),
        c[10]);
  }

  double measuredUs() {
    return Double.parseDouble(timeUs);
  }

  Prediction predict() {
    Cluster cluster = new Cluster(machine, topology, "", gpus, 1, 1, nccl, env, "", "", source);
    return PREDICTORS
        .computeIfAbsent(new Job(cluster, nodes), job -> job.cluster.predictor(job.nodes, ""))
        .predict(Call.of(operation.ncclTestsName(), bytes))
        .orElseThrow();
  }
}
