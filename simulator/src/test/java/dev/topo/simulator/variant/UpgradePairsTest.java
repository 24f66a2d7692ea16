package dev.topo.simulator.variant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SpecException;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.evaluate.JobPart;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How communicators of two releases are paired. */
class UpgradePairsTest {
  private static final Job JOB =
      Job.ofEqual(
          new Machine(
              new TopologyReader()
                  .read(
                      Path.of(System.getProperty("topo.root"), "topologies/dgx-1v.xml"),
                      GpuSelection.ALL,
                      new Diagnostics()),
              NcclSettings.parse(List.of())),
          4);

  private static JobPart part(String file, Integer... colors) {
    List<List<Integer>> places = List.of(colors).stream().map(List::of).toList();
    return new JobPart(List.of(colors), List.of(Path.of(file)), JOB, "", JOB, places);
  }

  private static List<String> of(List<JobPart> before, List<JobPart> after) {
    return Upgrade.pairs(before, after).stream()
        .map(
            pair ->
                "%s %s %s %s"
                    .formatted(
                        pair.get(0).name(),
                        pair.get(1).name(),
                        pair.get(1).label(),
                        pair.get(0).places()))
        .toList();
  }

  @Test
  void communicatorsArePairedByColourWhereOneReleaseTellsMoreApart() {
    List<JobPart> one = List.of(part("a", 0, 1, 2, 3));
    List<JobPart> two = List.of(part("b", 0, 2), part("c", 1, 3));
    assertEquals(List.of("a b 0,2 [[0], [2]]", "a c 1,3 [[1], [3]]"), of(one, two));
    assertEquals(List.of("b a 0,2 [[0], [2]]", "c a 1,3 [[1], [3]]"), of(two, one));
  }

  @Test
  void theOrderOfKindsDoesNotMatter() {
    List<JobPart> before = List.of(part("b", 0, 3), part("c", 1, 2));
    List<JobPart> after = List.of(part("y", 1, 2), part("x", 0, 3));
    assertEquals(List.of("b x 0,3 [[0], [3]]", "c y 1-2 [[1], [2]]"), of(before, after));
  }

  @Test
  void bothHaveTheSameCommunicators() {
    List<JobPart> before = List.of(part("b", 0, 1));
    List<JobPart> after = List.of(part("b", 0));
    assertThrows(SpecException.class, () -> Upgrade.pairs(before, after));
  }
}
