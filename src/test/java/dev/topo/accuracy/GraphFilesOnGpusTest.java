package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.advice.BetterGraph;
import dev.topo.simulator.advice.GraphAnswer;
import dev.topo.simulator.advice.GraphImprover;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Graph files of ours that real NCCL took on declared topologies, and what they gained there. */
class GraphFilesOnGpusTest {
  private static final Path MEASURED =
      Path.of(System.getProperty("topo.root")).resolve("src/test/resources/measured");

  private static final Path FOLDER = MEASURED.resolve("h200-x2-graph-files");

  /** From here on the host's launches do not matter. */
  private static final long LARGE = 4L << 20;

  /** Predictions of large calls through NVLink are off by this at most, those through the host. */
  private static final double NVLINK_ERROR = 0.2;

  private static final double HOST_ERROR = 0.4;

  private record Key(String topology, String graphs, Collective collective, long bytes) {}

  private static Map<Key, Double> measured() throws IOException {
    Map<Key, Double> times = new LinkedHashMap<>();
    List<String> lines = Files.readAllLines(FOLDER.resolve("times.csv"));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      Collective collective = Collective.valueOf(cells[2].toUpperCase(Locale.ROOT));
      times.put(
          new Key(cells[0], cells[1], collective, Long.parseLong(cells[3])),
          Double.valueOf(cells[4]));
    }
    return times;
  }

  private static double time(Map<Key, Double> times, Key key) {
    return Objects.requireNonNull(times.get(key), key::toString);
  }

  private static JobRequest request(String topology, boolean file, List<CollectiveCall> calls) {
    List<String> settings = new ArrayList<>(List.of("NCCL_NVLS_ENABLE=0"));
    if (!topology.equals("actual")) {
      settings.add("NCCL_TOPO_FILE=" + FOLDER.resolve(topology + ".topo.xml"));
    }
    if (file) {
      settings.add("NCCL_GRAPH_FILE=" + FOLDER.resolve(topology + ".graph.xml"));
    }
    Machine machine =
        new Machine(
            new TopologyReader()
                .read(MEASURED.resolve("h200-x2.topo.xml"), GpuSelection.ALL, new Diagnostics()),
            NcclSettings.parse(settings));
    return JobRequest.of(Job.ofEqual(machine, 1), calls);
  }

  private static List<CollectiveCall> calls(
      Map<Key, Double> times, String topology, long leastBytes) {
    return times.keySet().stream()
        .filter(key -> key.topology.equals(topology) && key.graphs.equals("nccl"))
        .filter(key -> key.bytes >= leastBytes)
        .map(key -> CollectiveCall.of(key.collective, key.bytes))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nvl1", "nvl3", "nvl4"})
  void filesAreFasterThanNcclsGraphsAsPredicted(String topology) throws IOException {
    Map<Key, Double> times = measured();
    List<CollectiveCall> calls = calls(times, topology, LARGE);
    JobResult before = new JobEvaluator().evaluate(request(topology, false, calls));
    JobResult after = new JobEvaluator().evaluate(request(topology, true, calls));
    double error = topology.equals("nvl1") ? HOST_ERROR : NVLINK_ERROR;
    for (CollectiveCall call : calls) {
      Key key = new Key(topology, "nccl", call.collective(), call.sizeBytes());
      double ofNccl = time(times, key);
      double ofFile = time(times, new Key(topology, "file", call.collective(), call.sizeBytes()));
      assertTrue(ofFile < ofNccl, call + " on " + topology);
      assertEquals(ofNccl, before.predictions().get(call).timeUs(), error * ofNccl, call::toString);
      assertEquals(ofFile, after.predictions().get(call).timeUs(), error * ofFile, call::toString);
    }
  }

  /** With one NVLink, too slow for NCCL to take it, NCCL's own graphs only lack channels. */
  @Test
  void throughTheHostASettingIsEnough() throws IOException {
    List<CollectiveCall> calls = calls(measured(), "nvl1", 0);
    GraphAnswer.None none =
        assertInstanceOf(
            GraphAnswer.None.class,
            new GraphImprover(new JobEvaluator()).improve(request("nvl1", false, calls)));
    assertTrue(none.reason().contains("NCCL_MIN_NCHANNELS="), none.reason());
  }

  /** The search may find other files than those that were measured, as good by its predictions. */
  @ParameterizedTest
  @ValueSource(strings = {"nvl3", "nvl4"})
  void aBetterGraphIsStillFound(String topology) throws IOException {
    List<CollectiveCall> calls = calls(measured(), topology, 0);
    BetterGraph better =
        assertInstanceOf(
            BetterGraph.class,
            new GraphImprover(new JobEvaluator()).improve(request(topology, false, calls)));
    JobResult ofFile = new JobEvaluator().evaluate(request(topology, true, calls));
    for (BetterGraph.CallGain gain : better.calls()) {
      assertTrue(
          gain.afterUs() <= 1.1 * ofFile.predictions().get(gain.call()).timeUs(), gain::toString);
    }
  }

  @Test
  void theDocumentSaysWhatTheyGained() throws IOException {
    Map<Key, Double> times = measured();
    AccuracyFile table =
        new AccuracyFile(
            "topology,collective,bytes,nccl_graphs_us,graph_file_us,gain_percent,predicted_gain_percent");
    for (String topology : List.of("nvl1", "nvl3", "nvl4", "actual")) {
      List<CollectiveCall> calls = calls(times, topology, LARGE);
      JobResult before = new JobEvaluator().evaluate(request(topology, false, calls));
      JobResult after = new JobEvaluator().evaluate(request(topology, true, calls));
      for (CollectiveCall call : calls) {
        if (call.sizeBytes() == 1L << 24 || call.sizeBytes() == 1L << 30) {
          double ofNccl =
              time(times, new Key(topology, "nccl", call.collective(), call.sizeBytes()));
          double ofFile =
              time(times, new Key(topology, "file", call.collective(), call.sizeBytes()));
          double predicted =
              before.predictions().get(call).timeUs() / after.predictions().get(call).timeUs();
          table.add(
              topology,
              call.collective().label(),
              call.sizeBytes(),
              String.format(Locale.ROOT, "%.1f", ofNccl),
              String.format(Locale.ROOT, "%.1f", ofFile),
              String.format(Locale.ROOT, "%.0f", 100 * (ofNccl / ofFile - 1)),
              String.format(Locale.ROOT, "%.0f", 100 * (predicted - 1)));
        }
      }
    }
    table.check("graph-files.csv");
  }
}
