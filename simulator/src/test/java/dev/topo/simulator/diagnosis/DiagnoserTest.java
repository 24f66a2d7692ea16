package dev.topo.simulator.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.fixture.TestJobs;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Diagnoses of the examples, and of runs that cannot be what they say. */
class DiagnoserTest {
  private static String example(String name) {
    return new Inputs().text(TestJobs.ROOT.resolve("examples").resolve(name), "a run");
  }

  private static Diagnosis diagnosis(String text) {
    return diagnosis(text, Optional.empty(), OptionalInt.empty());
  }

  private static Diagnosis diagnosis(
      String text, Optional<XmlDocument> machine, OptionalInt nodes) {
    return new Diagnoser(new JobEvaluator(SharedGraphs.GRAPHS, new Inputs()), () -> {})
        .diagnose(input(text, machine, nodes));
  }

  private static DiagnosisInput input(
      String text, Optional<XmlDocument> machine, OptionalInt nodes) {
    return new DiagnosisInput(
        List.of(new RunText("run", text)),
        Optional.empty(),
        machine,
        GpuSelection.ALL,
        nodes,
        OptionalInt.empty(),
        NcclSettings.DEFAULTS,
        Optional.empty());
  }

  @Test
  void eachLineIsReadOnce() {
    String text = example("sockets.log").repeat(5);
    AtomicLong lines = new AtomicLong();
    Diagnoser diagnoser =
        new Diagnoser(new JobEvaluator(SharedGraphs.GRAPHS, new Inputs()), lines::incrementAndGet);
    DiagnosisInput input = input(text, Optional.empty(), OptionalInt.empty());
    diagnoser.diagnose(input);
    diagnoser.cliffs(input);
    assertEquals(text.lines().count(), lines.get());
  }

  @Test
  void oneNicOfEightComesFirst() {
    Cause first = diagnosis(example("one-nic.txt")).causes().get(0);
    assertEquals(CauseKind.FEWER_NICS, first.kind());
    assertEquals("1 of 8 NICs", first.detail());
    assertFalse(first.confirm().isEmpty());
  }

  @Test
  void aHealthyRunIsAsExpected() {
    assertEquals(Health.AS_EXPECTED, diagnosis(example("healthy.txt")).verdict());
  }

  /** A log of an NVLink domain says 72 ranks on a node; a single tray is no such machine. */
  @Test
  void noMachineIsAssumedThatHasTooFewGpus() {
    String rack =
        example("healthy.txt").replace("node01", "node00").replace("H100 80GB HBM3", "GB200");
    List<String> basis = diagnosis(rack).basis().stream().map(SpecText::toString).toList();
    assertTrue(
        basis.stream()
            .anyMatch(
                line ->
                    line.contains(
                        "16 ranks on 1 node need 16 GPUs of each, machines with NVIDIA GB200 have 4: none is assumed")),
        basis.toString());
  }

  /** Two nodes of H100, named as GPUs whose NVLinks and NICs have half the rate. */
  @Test
  void aRunThatIsFasterThanTheMachineIsNotAsExpected() {
    Diagnosis fast = diagnosis(example("healthy.txt").replace("H100 80GB HBM3", "A100-SXM4-80GB"));
    assertEquals(Health.TOO_FAST, fast.verdict());
    Cause cause = fast.causes().get(0);
    assertEquals(CauseKind.TOO_FAST, cause.kind());
    String evidence = cause.evidence().toString();
    assertTrue(evidence.contains("faster than the links of this machine carry"), evidence);
  }

  /** As somebody makes a table of a wrong column: 16 ranks have 1.875 times as much busbw. */
  @Test
  void busbwInTheColumnOfAlgbwIsFound() {
    StringBuilder rows =
        new StringBuilder(
            "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n");
    for (long bytes = 1 << 20; bytes <= 1L << 32; bytes *= 4) {
      double timeUs = (60 + bytes / 232e3) / 1.875;
      rows.append("16,all_reduce,,,%d,%.1f,%.1f%n".formatted(bytes, timeUs, timeUs));
    }
    XmlDocument machine =
        new XmlReader().read(TestJobs.ROOT.resolve("topologies/dgx-h100.xml"), new Inputs());
    Diagnosis fast = diagnosis(rows.toString(), Optional.of(machine), OptionalInt.of(2));
    assertEquals(Health.TOO_FAST, fast.verdict());
    assertTrue(
        fast.causes().toString().contains("busbw may be in the column of algbw"),
        fast.causes().toString());
  }
}
