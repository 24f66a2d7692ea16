package dev.topo.simulator.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.Machine;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.fixture.TestJobs;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The least time of a call on the links of a job, and its words. */
class BoundTextTest {
  private static BoundReport report(Machine machine, int nodes, Operation operation, long bytes) {
    return new BoundReporter(TestJobs.predictor(TestJobs.on(machine, nodes)))
        .report(operation, bytes)
        .orElseThrow();
  }

  private static String text(Machine machine, int nodes) {
    return String.join(
        "\n", BoundText.sentences(report(machine, nodes, Collective.ALL_REDUCE, 1L << 30)));
  }

  private static void assertSays(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> "'" + part + "' is missing in\n" + text);
    }
  }

  @Test
  void saysWhatReducesWhatNcclReachesAndWhatIsNotKnown() {
    assertSays(
        text(TestJobs.shipped("dgx-h100"), 1),
        "less than 2.39 ms for 1 GiB: algbw 450.0 GB/s, busbw 787.5 GB/s, set by the link out of GPU 0.",
        "This cut carries 450.0 GB/s in this direction (raw rate): NVL GPU 0 to NVS 0-0 (450.0).",
        "Switches reduce here",
        "by the raw rates of links: ring 57 %, tree 50 %, nvls 89 %.",
        "by NVLS/Simple: ",
        "over all links of the machine at once the bound would be 2.09 ms.");
    assertSays(
        text(TestJobs.shipped("dgx-a100"), 4),
        "set by the 8 links into each node.",
        "carries 200.0 GB/s",
        "these 4 parts, so that 6 times the data has to enter them");
    Optional<BoundReport> sockets =
        new BoundReporter(TestJobs.predictor(TestJobs.on(TestJobs.measured("h200-x2"), 2)))
            .report(Collective.ALL_REDUCE, 64L << 20);
    assertSays(
        String.join("\n", BoundText.explain(sockets).sentences()),
        "The speed of the interface eth0 is not known");
  }

  @Test
  void aBoundHasItsCut() {
    BoundReport bound = report(TestJobs.shipped("dgx-1v"), 1, PeerOperation.ALLTOALL, 256L << 20);
    assertEquals(75, bound.algbwGBps(), 1e-3);
    assertEquals(150, bound.cutGBps(), 1e-3);
    assertEquals(4, bound.cut().size());
    assertEquals("into GPUs 0-3", bound.side());
    assertTrue(bound.predicted().isEmpty());
  }
}
