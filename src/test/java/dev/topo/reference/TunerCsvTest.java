package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.Tuner.Decision;
import dev.topo.search.tuning.TunerCsv;
import dev.topo.search.tuning.TunerRule;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files for the tuner plugin, read back with the plugin's own rules. */
class TunerCsvTest {
  private static Tuner tuner(String name, int machines, String... settings) {
    Path folder = ReferenceSets.topologies();
    ReferenceCase file = new ReferenceCase(folder, folder.resolve(name + ".xml"));
    return Communicator.of(
            Job.ofEqual(
                new Machine(file.topology(), NcclSettings.parse(List.of(settings))), machines))
        .tuner();
  }

  @Test
  void thePluginReadsBackWhatNcclChooses() {
    int calls = 0;
    for (ReferenceCase machine : ReferenceSets.own()) {
      for (int machines : new int[] {1, 4}) {
        Tuner tuner = tuner(machine.name(), machines);
        PluginConfig config = new PluginConfig(TunerCsv.of(tuner).write());
        for (Collective collective : Collective.values()) {
          for (long size = 1; size <= 1L << 34; size *= 2) {
            check(tuner, config, CollectiveCall.of(collective, size).exact());
            calls++;
          }
        }
      }
    }
    System.out.println("tuner csv own " + calls + "/" + calls + " calls as NCCL chooses");
  }

  private static void check(Tuner tuner, PluginConfig config, CollectiveCall call) {
    Decision.Choice choice = tuner.decide(call).choice().orElseThrow();
    PluginConfig.Entry entry =
        config
            .find(
                call.collective().name(),
                call.sizeBytes(),
                tuner.facts().nNodes(),
                tuner.facts().nRanks())
            .orElseThrow();
    assertEquals(
        choice.algorithm().name() + choice.protocol().name(),
        entry.algorithm() + entry.protocol(),
        call::toString);
    if (entry.channels() != TunerRule.OWN_CHANNELS) {
      assertEquals(choice.channels(), entry.channels(), call::toString);
    }
  }

  @Test
  void aCallOfFewBytesMeetsItsRuleSoon() {
    TunerCsv csv = TunerCsv.of(tuner("dgx-h100", 1));
    long first = csv.rules().stream().filter(rule -> rule.minBytes() == 0).count();
    assertEquals(Collective.values().length, first);
    assertEquals(
        List.of(0L),
        csv.rules().stream().limit(first).map(TunerRule::minBytes).distinct().toList(),
        "sizes at which the first rules begin");
    assertTrue(csv.rules().size() <= 25, () -> csv.rules().size() + " rules");
  }

  @Test
  void aNumberOfChannelsIsStatedWhereItIsOne() {
    Tuner tuner = tuner("dgx-h100", 1);
    for (TunerRule rule : TunerCsv.of(tuner).rules()) {
      int atStart = channels(tuner, rule.collective(), rule.minBytes());
      int atEnd = channels(tuner, rule.collective(), Math.min(rule.maxBytes(), 1L << 40));
      assertEquals(atStart == atEnd ? atStart : TunerRule.OWN_CHANNELS, rule.channels());
    }
  }

  private static int channels(Tuner tuner, Collective collective, long size) {
    return tuner
        .decide(CollectiveCall.of(collective, size).exact())
        .choice()
        .orElseThrow()
        .channels();
  }

  @Test
  void noCallOfTheCommunicatorIsLeftOut() {
    PluginConfig config = new PluginConfig(TunerCsv.of(tuner("dgx-h100", 4)).write());
    for (Collective collective : Collective.values()) {
      assertTrue(config.find(collective.name(), 0, 4, 32).isPresent());
      assertTrue(config.find(collective.name(), Long.MAX_VALUE, 4, 32).isPresent());
      assertTrue(config.find(collective.name(), 1 << 20, 4, 31).isEmpty());
      assertTrue(config.find(collective.name(), 1 << 20, 3, 32).isEmpty());
    }
  }

  @Test
  void callsThatNcclRefusesHaveNoRule() {
    TunerCsv csv = TunerCsv.of(tuner("dgx-h100", 4, "NCCL_ALGO=Tree"));
    assertTrue(csv.rules().stream().allMatch(r -> r.collective() == Collective.ALL_REDUCE));
  }

  @Test
  void aRuleOfTheUserComesFirst() {
    TunerRule window =
        new TunerRule(
            Collective.ALL_GATHER,
            4 << 20,
            8 << 20,
            Algorithm.RING,
            Protocol.LL128,
            16,
            1,
            8,
            TunerRule.ANY,
            TunerRule.ANY);
    TunerCsv csv = TunerCsv.of(tuner("dgx-h100", 1)).withFirst(window);
    assertEquals(
        "allgather,4194304,8388608,ring,ll128,16,1,8,-1,-1", csv.write().lines().toList().get(1));
    PluginConfig config = new PluginConfig(csv.write());
    assertEquals("LL128", config.find("ALL_GATHER", 8 << 20, 1, 8).orElseThrow().protocol());
    assertEquals("LL128", config.find("ALL_GATHER", 4 << 20, 1, 8).orElseThrow().protocol());
    assertEquals(csv.rules().size(), config.entries().size());
  }

  @Test
  void everyNameIsOneThatThePluginKnows() {
    for (Algorithm algorithm : Algorithm.values()) {
      for (Protocol protocol : Protocol.values()) {
        for (Collective collective : Collective.values()) {
          TunerRule rule = new TunerRule(collective, 0, 1, algorithm, protocol, 1, -1, -1, -1, -1);
          PluginConfig.Entry read =
              new PluginConfig(new TunerCsv(List.of(rule)).write()).entries().get(0);
          assertEquals(collective.name(), read.collective());
          assertEquals(algorithm.name(), read.algorithm());
          assertEquals(protocol.name(), read.protocol());
        }
      }
    }
  }

  @Test
  void rejectsWhatThePluginWouldMisunderstand() {
    assertThrows(IllegalArgumentException.class, () -> rule(8, 4, 1, -1));
    assertThrows(IllegalArgumentException.class, () -> rule(0, 4, -1, -1));
    assertThrows(IllegalArgumentException.class, () -> rule(0, 4, 1, 2));
  }

  private static TunerRule rule(long min, long max, int channels, int regBuff) {
    return new TunerRule(
        Collective.REDUCE, min, max, Algorithm.RING, Protocol.LL, channels, 1, 8, -1, regBuff);
  }
}
