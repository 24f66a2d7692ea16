package dev.topo.simulator.variant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditParser;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.edit.NicPlacement;
import dev.topo.inspect.edit.NicPlacements;
import dev.topo.model.fixture.RandomCases;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Placements that symmetry makes equal are counted once; NCCL's search goes by the order of the
 * file, so that it could find different graphs for them. It does not, as far as this looks.
 */
class PlacementSymmetryTest {
  private static final Path TOPOLOGIES =
      Path.of(System.getProperty("topo.root")).resolve("topologies");
  private static final int SWITCHES = 8;

  private final XmlDocument machine =
      new XmlReader().read(TOPOLOGIES.resolve("dgx-h100.xml"), new Inputs());

  private EditedMachine edited(List<Edit> edits) {
    return new EditApplier(file -> machine, any -> {})
        .apply(EditedMachine.of(machine, NcclSettings.DEFAULTS), edits);
  }

  private static Score score(EditedMachine edited) {
    Machine seen =
        new Machine(
            new TopologyReader().map(edited.seen(), GpuSelection.ALL, new Diagnostics()),
            edited.settings());
    JobRequest request =
        JobRequest.of(Job.ofEqual(seen, 2), List.of()).withCalibration(SelectedCalibration.none());
    WhatIfOutcome outcome = new WhatIfOutcome("", 0, new JobEvaluator().evaluate(request));
    return outcome.score(CollectiveCall.of(Collective.ALL_REDUCE, 1L << 30));
  }

  /** Puts the cards of the machine at the switches, in order. */
  private EditedMachine withLoads(List<Integer> loads, List<String> switches) {
    StringBuilder edits = new StringBuilder();
    int card = 0;
    for (int s = 0; s < SWITCHES; s++) {
      for (int n = 0; n < loads.get(s); n++) {
        edits.append("move nic:mlx5_" + card++ + " to " + switches.get(s) + "\n");
      }
    }
    return edited(EditParser.parse(edits.toString(), "edits"));
  }

  private static String canonical(List<Integer> loads) {
    List<Integer> left = new ArrayList<>(loads.subList(0, SWITCHES / 2));
    List<Integer> right = new ArrayList<>(loads.subList(SWITCHES / 2, SWITCHES));
    Collections.sort(left);
    Collections.sort(right);
    List<String> halves = new ArrayList<>(List.of(left.toString(), right.toString()));
    Collections.sort(halves);
    return halves.toString();
  }

  @Test
  @Tag("slow")
  void ncclFindsAsMuchForPlacementsThatAreEqual() {
    List<NicPlacement> placements =
        new NicPlacements(machine, OptionalInt.empty()).nearest(2000).placements();
    List<String> switches =
        placements.get(0).loads().stream().map(NicPlacement.Load::place).toList();
    Map<String, Score> scores = new HashMap<>();
    for (NicPlacement placement : placements) {
      String key = canonical(placement.loads().stream().map(NicPlacement.Load::cards).toList());
      assertEquals(null, scores.put(key, score(edited(placement.moves()))), key);
    }
    long seed = Long.getLong("test.seed", 42);
    Random random = new Random(seed);
    int iterations = RandomCases.count(20, 60);
    for (int i = 0; i < iterations; i++) {
      List<Integer> loads = new ArrayList<>(Collections.nCopies(SWITCHES, 0));
      for (int card = 0; card < SWITCHES; ) {
        int at = random.nextInt(SWITCHES);
        if (loads.get(at) < 2) {
          loads.set(at, loads.get(at) + 1);
          card++;
        }
      }
      Score one = score(withLoads(loads, switches));
      Score ofClass = scores.get(canonical(loads));
      assertTrue(ofClass != null, loads + " is in no class, seed " + seed);
      assertEquals(ofClass.ringGBps(), one.ringGBps(), loads + ", seed " + seed);
      assertEquals(ofClass.treeGBps(), one.treeGBps(), loads + ", seed " + seed);
    }
  }
}
