package dev.topo.simulator.variant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.operation.Call;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.fixture.EditedMachines;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GainReasonTest {
  /** NCCL lays fewer than 16 channels twice as often, and two slow ports get a ring each. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dgx-h100|4|64M|remove net:mlx5_7|NCCL uses 28 channels instead of 16 by rules of its own: it finds 7 rings on a node instead of 8; every ring and tree that all nodes have is laid twice, with two trees that mirror each other; twice that, for rings above 45 GB/s on several nodes of sm 90 with fewer than 16",
        "dgx-h100|16|256M|remove net:mlx5_7|NCCL uses 28 channels instead of 16 by rules of its own: it finds 7 rings",
        "l40s-8-switched|2|256M|net:*.speed=100000|NCCL uses 4 channels instead of 2 by rules of its own: it finds 2 rings on a node instead of 1; every ring",
      })
  void lessNetworkThatIsFasterHasTheReason(
      String machine, int nodes, String size, String edit, String reason) {
    List<Call> calls = EditedMachines.calls(size, Collective.ALL_GATHER);
    EditedMachines machines = EditedMachines.of(machine, nodes);
    WhatIfOutcome before = machines.before();
    String gain = GainReason.ofGain(before, machines.after(edit), calls).orElseThrow();
    assertTrue(gain.contains(" is faster as " + reason), gain);
    WhatIfOutcome alike = machines.after("net:*.latency=1");
    assertEquals(Optional.empty(), GainReason.ofGain(before, alike, calls));
  }
}
