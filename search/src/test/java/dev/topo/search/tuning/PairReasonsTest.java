package dev.topo.search.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.cost.CollectiveCall;
import dev.topo.search.cost.CommFacts;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairReasonsTest {
  /**
   * The reasons are words for rules that are applied elsewhere: both must speak of the same pairs.
   */
  @Test
  void everyPairHasEitherATimeOrAReason() {
    for (int nodes : new int[] {1, 2}) {
      for (String setting :
          List.of("NCCL_P2P_LEVEL=NVL", "NCCL_ALGO=^ring", "NCCL_PROTO=LL,LL128")) {
        NcclSettings settings = NcclSettings.parse(List.of(setting));
        JobFixture job = JobFixture.dgxH100();
        job.localRanks = Collections.nCopies(nodes, 8);
        CommFacts facts = job.facts();
        Tuner tuner = new Tuner(facts, settings);
        PairReasons reasons = new PairReasons(facts, settings, "there are no NVLS channels");
        for (Collective collective : Collective.values()) {
          CollectiveCall call = CollectiveCall.of(collective, 1 << 20);
          for (Algorithm algorithm : Algorithm.values()) {
            for (Protocol protocol : Protocol.values()) {
              boolean hasTime =
                  tuner.estimates(call).stream()
                      .anyMatch(e -> e.algorithm() == algorithm && e.protocol() == protocol);
              assertEquals(
                  hasTime,
                  reasons.whyNot(call, algorithm, protocol).isEmpty(),
                  setting + " " + collective + " " + algorithm + "/" + protocol);
            }
          }
        }
      }
    }
  }
}
