package dev.topo.simulator.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The nodes of a run whose measurements list two hosts. */
class NodeCountTest {
  private static final Path RUN = Path.of(System.getProperty("topo.root"), "examples/healthy.txt");

  private static NodeCount count(OptionalInt stated, int hostsOfMachine) {
    return count(new Inputs().text(RUN, "a run"), stated, hostsOfMachine);
  }

  private static NodeCount count(String text, OptionalInt stated, int hostsOfMachine) {
    DiagnosisInput input =
        new DiagnosisInput(
            List.of(new RunText("run.txt", text)),
            Optional.empty(),
            Optional.empty(),
            GpuSelection.ALL,
            stated,
            OptionalInt.empty(),
            NcclSettings.DEFAULTS,
            Optional.empty());
    RunFacts facts = RunFacts.of(input.texts(), () -> {});
    return NodeCount.of(input, facts, RunMeasurements.read(input, facts), hostsOfMachine);
  }

  @Test
  void hostsAreNodesUnlessAMachineHasSeveral() {
    assertEquals(OptionalInt.of(2), count(OptionalInt.empty(), 1).nodes());
    assertEquals(OptionalInt.of(1), count(OptionalInt.empty(), 2).nodes());
    assertEquals(OptionalInt.of(1), count(OptionalInt.of(1), 2).nodes());
    assertEquals(OptionalInt.of(1), count(OptionalInt.of(2), 2).nodes());
  }

  @Test
  void contradictionsAreRefused() {
    assertRefused("lists 2 hosts, nodes states 3", OptionalInt.of(3), 1);
    assertRefused("lists 2 hosts, nodes states 3", OptionalInt.of(3), 2);
    assertRefused("NVLink domain of 3 hosts", OptionalInt.empty(), 3);
  }

  private static void assertRefused(String words, OptionalInt stated, int hostsOfMachine) {
    TopologyFormatException refused =
        assertThrows(TopologyFormatException.class, () -> count(stated, hostsOfMachine));
    assertTrue(String.valueOf(refused.getMessage()).contains(words), refused.getMessage());
  }

  @Test
  void nodesMayHaveOneName() {
    String text = new Inputs().text(RUN, "a run").replace("node01", "node00");
    NodeCount count = count(text, OptionalInt.of(2), 1);
    assertEquals(OptionalInt.of(2), count.nodes());
    assertEquals(
        "[run.txt lists 1 host: nodes 2 holds if hosts have one name]", count.notes().toString());
  }
}
