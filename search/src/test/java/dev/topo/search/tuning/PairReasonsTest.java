package dev.topo.search.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PairReasonsTest {
  /**
   * The reasons are words for rules that are applied elsewhere: both must speak of the same pairs.
   */
  @ParameterizedTest
  @MethodSource("dev.topo.search.rules.NcclProfile#versions")
  void everyPairHasEitherATimeOrAReason(String version) {
    for (int nodes : new int[] {1, 2}) {
      for (String setting :
          List.of("NCCL_P2P_LEVEL=NVL", "NCCL_ALGO=^ring", "NCCL_PROTO=LL,LL128")) {
        NcclSettings settings = NcclSettings.parse(List.of(setting));
        JobFixture job = JobFixture.of(version);
        job.localRanks = Collections.nCopies(nodes, 8);
        CommFacts facts = job.facts();
        Tuner tuner = new Tuner(facts, settings);
        PairReasons reasons =
            new PairReasons(
                facts, settings, "there are no NVLS channels", "there is no network for it");
        for (Collective collective : Collective.values()) {
          CollectiveCall call = CollectiveCall.of(collective, 1L << 20);
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2.21.5|NCCL 2.21.5 has no PAT",
        "2.25.1|PAT is used for one GPU per node (NCCL_PAT_ENABLE=1 forces it) and with Simple only",
        "2.28.9|PAT is used for one GPU per node on sm 60 or newer (NCCL_PAT_ENABLE=1 forces it)"
            + " and with Simple only",
      })
  void saysWhereAVersionHasPat(String version, String reason) {
    CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, 1L << 20);
    assertEquals(
        reason,
        reasons(JobFixture.of(version)).whyNot(call, Algorithm.PAT, Protocol.SIMPLE).orElseThrow());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2.24.3|LL128 is only safe on sm 70, 80, 90",
        "2.26.2|LL128 is only safe on sm 70, 80, 90, 100, 120",
        "2.28.9|LL128 is only safe on sm 70 or newer",
      })
  void saysOnWhichGpusAVersionHasLl128(String version, String reason) {
    JobFixture job = JobFixture.of(version);
    job.minSm = 61;
    job.maxSm = 61;
    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 1L << 20);
    assertEquals(reason, reasons(job).whyNot(call, Algorithm.RING, Protocol.LL128).orElseThrow());
  }

  @Test
  void saysThatNvlsGathersOnOneNodeOnly() {
    JobFixture job = JobFixture.of("2.26.2");
    job.collNet = Optional.of(new CommFacts.CollNet(8, 8, true, true, true));
    CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, 1L << 20);
    assertEquals(
        "NCCL 2.26.2 runs AllGather by NVLS on one node only",
        reasons(job).whyNot(call, Algorithm.NVLS, Protocol.SIMPLE).orElseThrow());
  }

  private static PairReasons reasons(JobFixture job) {
    return new PairReasons(
        job.facts(),
        NcclSettings.DEFAULTS,
        "there are no NVLS channels",
        "there is no network for it");
  }
}
