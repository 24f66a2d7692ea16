package dev.topo.simulator.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlReader;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs that were measured on two and four H200, which nothing was wrong with, and declared ones.
 */
class MeasuredRunsTest {
  private static final Path MEASURED =
      Path.of(System.getProperty("topo.root"), "src/test/resources/measured");

  private static Diagnosis diagnosis(String file, String machine) {
    return new Diagnoser(new JobEvaluator(), () -> {})
        .diagnose(
            new DiagnosisInput(
                List.of(new RunText(file, new Inputs().text(MEASURED.resolve(file), "a run"))),
                Optional.empty(),
                Optional.of(new XmlReader().read(MEASURED.resolve(machine), new Inputs())),
                GpuSelection.ALL,
                OptionalInt.empty(),
                OptionalInt.empty(),
                NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0")),
                Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "h200-x2.csv, h200-x2.topo.xml",
    "h200-x4.csv, h200-x4.topo.xml",
    "h200-x2-threads.csv, h200-x2.topo.xml",
    "h200-x4-threads.csv, h200-x4.topo.xml",
    "h200-x2-processes/default.csv, h200-x2.topo.xml",
    "h200-x4-run/all_reduce.nccl-tests.txt, h200-x4.topo.xml",
    "h200-x4-run/all_gather.nccl-tests.txt, h200-x4.topo.xml",
    "h200-x4-run/reduce_scatter.nccl-tests.txt, h200-x4.topo.xml",
    "h200-x4-run/broadcast.nccl-tests.txt, h200-x4.topo.xml",
    "h200-x4-run/reduce.nccl-tests.txt, h200-x4.topo.xml",
    "h200-x4-run/all_reduce.topo-run.txt, h200-x4.topo.xml",
    "h200-x4-run/all_reduce.processes.json, h200-x4.topo.xml",
    "h200-x4-run/verify.json, h200-x4.topo.xml",
    "h200-x4-run/x2.all_reduce.mpirun.json, h200-x4.topo.xml",
    "h200-x4-run/x2.all_reduce.graph.json, h200-x4.topo.xml"
  })
  void aHealthyRunIsNotAccused(String file, String machine) {
    Diagnosis diagnosis = diagnosis(file, machine);
    assertEquals(List.of(), diagnosis.causes());
    assertEquals(Health.AS_EXPECTED, diagnosis.verdict(), diagnosis.summary());
  }

  @ParameterizedTest
  @CsvSource({"declared-chain.csv", "declared-pairs2s.csv", "declared-nvs6-amd.csv"})
  void aRunByAnotherTopologyFileIsNotAsExpected(String file) {
    assertNotEquals(Health.AS_EXPECTED, diagnosis(file, "h200-x4.topo.xml").verdict());
  }

  /** Two GPUs without NVLink, and times of two with. */
  @Test
  void aRunOfAFasterMachineIsNotAsExpected() {
    Diagnosis diagnosis = diagnosis("h200-x2.csv", "../../../../topologies/rtx4090-2.xml");
    assertEquals(Health.TOO_FAST, diagnosis.verdict(), diagnosis.summary());
    assertEquals(CauseKind.TOO_FAST, diagnosis.causes().get(0).kind());
  }
}
