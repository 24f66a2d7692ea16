package dev.topo.search.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.engine.ChannelPlan.ChannelLimits;
import dev.topo.search.rules.ConnectRules;
import dev.topo.search.rules.NcclProfile;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChannelPlanTest {
  private static final ConnectRules RULES = NcclProfile.DEFAULT.connect();

  private static ChannelPlan plan(int searched, boolean collNet, boolean fast, String... settings) {
    return ChannelPlan.of(
        searched,
        collNet,
        fast ? 90 : 0,
        ChannelLimits.of(NcclSettings.parse(List.of(settings)), RULES),
        RULES);
  }

  private static List<Integer> searched(ChannelPlan plan) {
    return IntStream.range(0, plan.size()).mapToObj(plan::searched).toList();
  }

  private static List<Boolean> secondTrees(ChannelPlan plan) {
    return IntStream.range(0, plan.size()).mapToObj(plan::hasSecondTree).toList();
  }

  @Test
  void everySearchedChannelCarriesBothTreesOfItsPair() {
    assertEquals(List.of(0, 1, 0, 1), searched(plan(2, false, false)));
    assertEquals(List.of(false, false, true, true), secondTrees(plan(2, false, false)));
  }

  @Test
  void fewChannelsAreDoubledOnFastNodes() {
    assertEquals(List.of(0, 1, 0, 1, 0, 1, 0, 1), searched(plan(2, false, true)));
    assertEquals(
        List.of(false, false, true, true, false, false, true, true),
        secondTrees(plan(2, false, true)));
    assertEquals(14 * 2, plan(7, false, true).size());
    assertEquals(16, plan(8, false, true).size());
  }

  private static int doubled(String version, int searched, int sm) {
    ConnectRules rules = NcclProfile.of(version).connect();
    ChannelLimits limits = ChannelLimits.of(NcclSettings.DEFAULTS, rules);
    return ChannelPlan.of(searched, false, sm, limits, rules).size();
  }

  @Test
  void doublingDependsOnTheVersion() {
    assertEquals(16, doubled("2.28.9", 8, 90));
    assertEquals(32, doubled("2.19.3", 8, 90));
    assertEquals(18, doubled("2.19.3", 9, 90));
    assertEquals(8, doubled("2.28.9", 2, 100));
    assertEquals(4, doubled("2.24.3", 2, 100));
    assertEquals(32, doubled("2.24.3", 20, 90));
  }

  @Test
  void raisingRepeatsChannelsFromTheFirst() {
    assertEquals(List.of(0, 1, 2, 0, 1, 2, 0, 1), searched(plan(3, false, false).raisedTo(8)));
    assertEquals(6, plan(3, false, false).raisedTo(4).size());
  }

  @Test
  void collNetAddsHalf() {
    assertEquals(List.of(0, 1, 0, 1, 0, 1), searched(plan(2, true, false)));
    assertEquals(12, plan(2, true, true).size());
    assertEquals(64, plan(32, true, false).size());
  }

  @Test
  void maximumComesBeforeMinimum() {
    ChannelPlan plan =
        plan(2, false, false, "NCCL_MAX_NCHANNELS=1", "NCCL_MIN_NCHANNELS=3", "NCCL_MIN_CTAS=2");
    assertEquals(List.of(0, 0, 0), searched(plan));
    assertEquals(List.of(false, false, false), secondTrees(plan));
  }

  @Test
  void neverExceedsNcclsLimit() {
    assertEquals(64, plan(40, true, true, "NCCL_MIN_NCHANNELS=1000").size());
  }
}
