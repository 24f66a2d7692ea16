package dev.topo.search.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.tuning.JobFixture;
import dev.topo.search.tuning.Tuner;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of equally fast candidates NCCL takes. */
class EqualTimesTest {
  /**
   * With a base latency beside which one element takes no time, trees with LL are as fast as rings.
   */
  @ParameterizedTest
  @CsvSource({"2.30.7, TREE", "2.31.2, RING"})
  void from231TheLastOfTheListWins(String version, Algorithm expected) {
    Map<String, String> entries = new TreeMap<>(NcclProfile.entries(version));
    entries.put("tuning.base-latency.Ring", "1e6 2e6 2e6");
    entries.put("tuning.base-latency.Tree", "1e6 2e6 2e6");
    JobFixture job = JobFixture.dgxH100();
    job.profile = NcclProfile.of(version, entries);
    job.localRanks = List.of(8);
    Tuner tuner = new Tuner(job.facts(), NcclSettings.parse(List.of("NCCL_ALGO=Ring,Tree")));
    CollectiveCall one = CollectiveCall.of(Collective.ALL_REDUCE, 4L);
    assertEquals(expected, tuner.decide(one).choice().orElseThrow().algorithm());
  }
}
