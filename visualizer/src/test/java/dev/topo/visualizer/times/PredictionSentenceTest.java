package dev.topo.visualizer.times;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.PredictedCall;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PredictionSentenceTest {
  /** Few sizes were named one by one, the largest is meant; of a sweep 1 GiB, if it has that. */
  @ParameterizedTest
  @CsvSource({
    "24, 24, 16 MiB",
    "28, 33, 8 GiB",
    "27, 33, 1 GiB",
    "10, 34, 1 GiB",
    "10, 30, 1 GiB",
    "10, 28, 256 MiB"
  })
  void theSizeThatIsQuoted(int least, int most, String expected) {
    Path file = Path.of(System.getProperty("topo.root"), "topologies/dgx-h100.xml");
    Machine machine =
        new Machine(
            new TopologyReader().read(file, GpuSelection.ALL, new Diagnostics()),
            NcclSettings.DEFAULTS);
    JobResult result =
        new JobEvaluator().evaluate(JobRequest.of(Job.ofEqual(machine, 1), List.of()));
    List<PredictedCall> calls =
        IntStream.rangeClosed(least, most)
            .mapToObj(power -> CollectiveCall.of(Collective.ALL_REDUCE, 1L << power))
            .map(
                call ->
                    PredictedCall.ofChoice(
                        call, result.predictor().predict(call, false).orElseThrow()))
            .toList();
    String sentence =
        PredictionSentence.of(
            new CommunicatorPredictions("a job", result, calls, List.of(), List.of(), List.of()));
    assertEquals("AllReduce of " + expected + " on a job", sentence.replaceFirst(":.*", ""));
  }
}
