package dev.topo.simulator.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.operation.Collective;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BaselineTest {
  private static final String RUN =
      """
      # Collective test starting: all_reduce_perf
      # nThread 1 nGpus 1 minBytes 16777216 maxBytes 16777216 step: 4(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0
      #
      # Using devices
      #  Rank  0 Group  0 Pid   1000 on       host device  0 [0000:0f:00] NVIDIA H200
      #  Rank  1 Group  0 Pid   1001 on       host device  1 [0000:2d:00] NVIDIA H200
      #
      #       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
      #        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
          16777216       4194304     float     sum      -1   100.00  167.77  167.77       0   100.00  167.77  167.77       0
      """;

  private static final String END =
      "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 167.77\n#\n";

  private static MeasuredRun run(String text) {
    return RunReader.read(text, "run.txt", RunHints.NOTHING);
  }

  /** A run that failed may have been slow for the same reason long before it ended. */
  @Test
  void timesOfRunsThatFailedDoNotCount() {
    String twice = RUN.replace("100.00", "200.00").replace("167.77", " 83.89");
    Baseline baseline =
        Baseline.of(
            List.of(
                run(RUN + END),
                run(RUN + END),
                run(twice + "host:1:2 [0] NCCL WARN Cuda failure 'an illegal memory access'\n")));
    Map<Collective, List<Double>> times =
        baseline.times().entrySet().stream()
            .collect(
                Collectors.toMap(
                    call -> (Collective) call.getKey().operation(),
                    call -> call.getValue().stream().map(one -> one.timeUs(false)).toList()));
    assertEquals(Map.of(Collective.ALL_REDUCE, List.of(100.0, 100.0)), times);
  }
}
