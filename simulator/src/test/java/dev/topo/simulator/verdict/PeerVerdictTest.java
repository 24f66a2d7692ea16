package dev.topo.simulator.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.job.Machine;
import dev.topo.simulator.fixture.TestJobs;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The output of alltoall_perf as it is, with one row that is twice as slow. */
class PeerVerdictTest {
  private static final String RUN =
      """
      # Collective test starting: alltoall_perf
      # nThread 1 nGpus 1 minBytes 16777216 maxBytes 67108864 step: 4(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0
      #
      # Using devices
      #  Rank  0 Group  0 Pid   1000 on       host device  0 [0000:0f:00] NVIDIA H200
      #  Rank  1 Group  0 Pid   1001 on       host device  1 [0000:2d:00] NVIDIA H200
      #
      #       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
      #        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
          16777216       2097152     float    none      -1    50.10  334.87  167.43       0    48.90  343.09  171.55     N/A
          67108864       8388608     float    none      -1   290.00  231.41  115.70       0   135.70  494.54  247.27     N/A
      # Out of bounds values : 0 OK
      # Avg bus bandwidth    : 175.5
      #
      """;

  private static List<PeerVerdict> verdicts(Machine machine) {
    MeasuredRun run = RunReader.read(RUN, "alltoall.txt", RunHints.NOTHING);
    return PeerVerdict.of(
        run.peers(),
        TestJobs.predictor(
            TestJobs.on(machine).withGpusPerProcess(run.gpusPerProcess().orElseThrow())),
        OptionalDouble.empty());
  }

  @Test
  void measuredSendsAndReceivesAreJudged() {
    assertEquals(
        List.of("PASS", "FAIL: slower than predicted out of place"),
        verdicts(TestJobs.measured("h200-x2")).stream().map(PeerVerdict::verdict).toList());
  }

  /** A machine without NVLink cannot exchange as fast. */
  @Test
  void sendsAndReceivesThatLinksCannotCarryFail() {
    List<PeerVerdict> verdicts = verdicts(TestJobs.shipped("rtx4090-2"));
    assertTrue(
        verdicts.stream()
            .anyMatch(one -> one.reason().contains("the input contradicts itself: the links")),
        verdicts.toString());
  }
}
