package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** AllReduce of 1 GiB on four H200, with the topology of the machine and with declared ones. */
class DeclaredMachineTest {
  private static final CollectiveCall CALL = CollectiveCall.of(Collective.ALL_REDUCE, 1L << 30);
  private static final String FOUR = "h200-x4.topo.xml";

  private static Machine machine(String file, String... settings) {
    NcclSettings all =
        NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"))
            .with(NcclSettings.parse(List.of(settings)));
    return new Machine(MeasuredSets.topology(file), all);
  }

  private static CollectivePrediction predicted(
      Machine machine, Optional<Machine> actual, int perProcess) {
    JobRequest request =
        JobRequest.of(Job.ofEqual(machine, 1), List.of())
            .withActual(actual)
            .withGpusPerProcess(perProcess);
    return new JobEvaluator(SharedGraphs.GRAPHS, new Inputs())
        .evaluate(request)
        .predictor()
        .predict(CALL, false)
        .orElseThrow();
  }

  /** 355 GB/s were measured (docs/accuracy.md). */
  @Test
  void theTopologyOfTheMachineReachesWhatWasMeasured() {
    CollectivePrediction prediction = predicted(machine(FOUR), Optional.empty(), 1);
    assertEquals("Ring/Simple", prediction.launchName());
    assertEquals(24, prediction.mostChannels());
    assertEquals(355, prediction.busbwGBps(), 0.05 * 355);
  }

  /** The declared machine rules channels and choices, the actual one the time. */
  @ParameterizedTest
  @CsvSource({"chain, 156.7", "nvs6-amd, 189.7", "pairs2s, 64.0"})
  void aWrongTopologyFileCostsWhatWasMeasured(String declared, double measuredGBps) {
    CollectivePrediction prediction =
        predicted(machine("declared-" + declared + ".topo.xml"), Optional.of(machine(FOUR)), 4);
    assertEquals(measuredGBps, prediction.busbwGBps(), 0.1 * measuredGBps);
  }

  /** 157 and 64 GB/s were measured. */
  @ParameterizedTest
  @CsvSource({"chain, 157", "pairs2s, 64"})
  void aDeclaredMachineIsTimedOnTheActualOne(String declared, double measuredGBps) {
    String file = MeasuredSets.FOLDER.resolve("declared-" + declared + ".topo.xml").toString();
    CollectivePrediction prediction =
        predicted(machine(FOUR, "NCCL_TOPO_FILE=" + file), Optional.empty(), 1);
    assertEquals(measuredGBps, prediction.busbwGBps(), 0.1 * measuredGBps);
    assertEquals(Source.CALIBRATION, prediction.source());
  }
}
