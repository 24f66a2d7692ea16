package dev.topo.search.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link.PathType;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.engine.SearchMonitor.StepBudget;
import dev.topo.search.engine.SearchSchedule.ScheduleFacts;
import dev.topo.search.engine.SearchSchedule.ScheduleFacts.TypeRange;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain.SystemBandwidth;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SearchScheduleTest {
  private static final TypeRange PIX_TO_PHB = new TypeRange(PathType.PIX, PathType.PHB);

  private final ChannelEngine engine = engineOfTwoGpus();

  private static ChannelEngine engineOfTwoGpus() {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    return new ChannelEngine(
        DomainFinder.find(machine.build(), NcclSettings.DEFAULTS, false, NcclProfile.DEFAULT)
            .get(0),
        NcclSettings.DEFAULTS);
  }

  private static ScheduleFacts facts(int sm, boolean network, boolean amd, TypeRange intra) {
    return new ScheduleFacts(
        NcclProfile.DEFAULT, 2, sm, network, amd, new SystemBandwidth(24, 24), intra, PIX_TO_PHB);
  }

  private static Constraints initial(Pattern pattern, TypeRange intra) {
    return new Constraints(pattern, 0, 0, 0, intra.nearest(), PathType.PIX, true, 1, 16);
  }

  /** Every attempt of a search that finds nothing. */
  private List<Constraints> allAttempts(ScheduleFacts facts, Constraints initial, int crossNic) {
    SearchSchedule schedule =
        new SearchSchedule(facts, initial, crossNic, facts.bandwidth().totalGBps());
    Solution nothing = engine.emptySolution(initial);
    List<Constraints> attempts = new ArrayList<>();
    StepBudget budget;
    do {
      budget = schedule.budget();
      attempts.add(schedule.current());
      // Found nothing, and tried everything.
      budget.take();
    } while (attempts.size() < 10_000 && isFirstPass(schedule, nothing, budget));
    return attempts;
  }

  /** The second pass would start over from the top; without channels it has no meaning. */
  private static boolean isFirstPass(SearchSchedule schedule, Solution best, StepBudget budget) {
    float before = schedule.current().bwIntra();
    return schedule.advance(best, budget) && schedule.current().bwIntra() <= before;
  }

  @Test
  void beginsWithTheHighestBandwidthThatALinkCarries() {
    Constraints initial = initial(Pattern.RING, PIX_TO_PHB);
    assertEquals(
        20,
        new SearchSchedule(facts(80, false, false, PIX_TO_PHB), initial, 0, 24)
            .current()
            .bwIntra());
    assertEquals(
        24,
        new SearchSchedule(facts(90, false, false, PIX_TO_PHB), initial, 0, 24)
            .current()
            .bwIntra());
    assertEquals(
        12,
        new SearchSchedule(
                facts(80, false, false, PIX_TO_PHB), initial.with(c -> c.channels(2, 16)), 0, 24)
            .current()
            .bwIntra());
  }

  @Test
  void relaxesOneDemandAtATime() {
    List<Constraints> attempts =
        allAttempts(facts(80, false, false, PIX_TO_PHB), initial(Pattern.RING, PIX_TO_PHB), 0);
    Constraints first = initial(Pattern.RING, PIX_TO_PHB).with(c -> c.bandwidth(20, 20));
    assertEquals(first, attempts.get(0));
    assertEquals(first.with(c -> c.sameChannels = false), attempts.get(1));
    assertEquals(first.with(c -> c.types(PathType.PXB, PathType.PIX)), attempts.get(2));
    int lastOfSpeed = 2 * (PathType.PHB.rank() - PathType.PIX.rank()) + 1;
    assertEquals(
        first.with(c -> c.types(PathType.PHB, PathType.PIX)).with(c -> c.sameChannels = false),
        attempts.get(lastOfSpeed));
    assertEquals(first.with(c -> c.bandwidth(18, 18)), attempts.get(lastOfSpeed + 1));
  }

  @Test
  void triesNothingTwiceAndEndsAtTheLowestBandwidth() {
    for (boolean network : new boolean[] {false, true}) {
      for (Pattern pattern : List.of(Pattern.RING, Pattern.BALANCED_TREE)) {
        List<Constraints> attempts =
            allAttempts(
                facts(90, network, false, PIX_TO_PHB),
                initial(pattern, PIX_TO_PHB),
                network ? 2 : 0);
        assertEquals(attempts.size(), new HashSet<>(attempts).size());
        for (int i = 1; i < attempts.size(); i++) {
          assertTrue(attempts.get(i).bwIntra() <= attempts.get(i - 1).bwIntra());
        }
        assertEquals(network ? 0.12f : 3, attempts.get(attempts.size() - 1).bwIntra());
        assertTrue(
            attempts.stream()
                .allMatch(attempt -> attempt.typeIntra().isWithin(PIX_TO_PHB.farthest())));
      }
    }
  }

  @Test
  void balancedTreesBecomeSimpleTreesFromHopperOn() {
    Constraints initial = initial(Pattern.BALANCED_TREE, PIX_TO_PHB);
    assertTrue(
        allAttempts(facts(90, false, false, PIX_TO_PHB), initial, 0).stream()
            .anyMatch(attempt -> attempt.pattern() == Pattern.TREE));
    assertFalse(
        allAttempts(facts(80, false, false, PIX_TO_PHB), initial, 0).stream()
            .anyMatch(attempt -> attempt.pattern() == Pattern.TREE));
  }

  @Test
  void channelsMayChangePortsOnlyWhereTheUserLetsThem() {
    Constraints initial = initial(Pattern.RING, PIX_TO_PHB);
    ScheduleFacts facts = facts(80, true, false, PIX_TO_PHB);
    assertTrue(
        allAttempts(facts, initial, 2).stream().anyMatch(attempt -> attempt.crossNic() == 2));
    assertTrue(
        allAttempts(facts, initial, 0).stream().allMatch(attempt -> attempt.crossNic() == 0));
  }

  @Test
  void whichCrossNicIsTriedForWhichPatternsDependsOnTheVersion() {
    Constraints ring = initial(Pattern.RING, PIX_TO_PHB);
    Constraints plainTree = initial(Pattern.TREE, PIX_TO_PHB);
    assertEquals(Set.of(0, 2), crossNics("2.23.4", ring));
    assertEquals(Set.of(0, 1), crossNics("2.21.5", ring));
    assertEquals(Set.of(0), crossNics("2.23.4", plainTree));
    assertEquals(Set.of(0, 1), crossNics("2.21.5", plainTree));
  }

  private Set<Integer> crossNics(String version, Constraints initial) {
    ScheduleFacts facts =
        new ScheduleFacts(
            NcclProfile.of(version),
            2,
            80,
            true,
            false,
            new SystemBandwidth(24, 24),
            PIX_TO_PHB,
            PIX_TO_PHB);
    return allAttempts(facts, initial, 2).stream()
        .map(Constraints::crossNic)
        .collect(Collectors.toSet());
  }

  @Test
  void pathTypesBeganWithNvlinkAndPixUpTo224() {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    machine.net(cpu, 12.5f);
    TypeRange toPhb = new TypeRange(PathType.PHB, PathType.PHB);
    ScheduleFacts since225 = facts("2.25.1", machine);
    assertEquals(toPhb, since225.typeIntra());
    assertEquals(toPhb, since225.typeInter());
    ScheduleFacts before = facts("2.24.3", machine);
    assertEquals(new TypeRange(PathType.NVL, PathType.SYS), before.typeIntra());
    assertEquals(new TypeRange(PathType.PIX, PathType.SYS), before.typeInter());
  }

  private static ScheduleFacts facts(String version, TestMachine machine) {
    return ScheduleFacts.of(
        DomainFinder.find(machine.build(), NcclSettings.DEFAULTS, true, NcclProfile.of(version))
            .get(0));
  }

  @Test
  void betweenAmdCpusEqualChannelsAreNotGivenUp() {
    TypeRange sys = new TypeRange(PathType.SYS, PathType.SYS);
    Constraints initial = initial(Pattern.RING, sys);
    assertTrue(
        allAttempts(facts(80, false, true, sys), initial, 0).stream()
            .allMatch(Constraints::sameChannels));
    assertFalse(
        allAttempts(facts(80, false, false, sys), initial, 0).stream()
            .allMatch(Constraints::sameChannels));
  }

  @Test
  void equalChannelsHaveTheSmallerBudget() {
    SearchSchedule schedule =
        new SearchSchedule(
            facts(80, false, false, PIX_TO_PHB), initial(Pattern.RING, PIX_TO_PHB), 0, 24);
    Solution nothing = engine.emptySolution(schedule.current());
    StepBudget budget = schedule.budget();
    assertEquals(NcclProfile.DEFAULT.search().stepsSameChannels, budget.left());
    assertTrue(schedule.advance(nothing, budget));
    assertEquals(NcclProfile.DEFAULT.search().stepsDifferentChannels, schedule.budget().left());
  }

  @Test
  void theSecondPassRaisesTheBandwidthOfRings() {
    Constraints initial = initial(Pattern.RING, PIX_TO_PHB);
    SearchSchedule schedule =
        new SearchSchedule(facts(80, false, false, PIX_TO_PHB), initial, 0, 24);
    Constraints found = schedule.current();
    Solution best = engine.emptySolution(initial);
    best.set(found, 1, 4, 0, new int[] {0, 1}, new int[] {0, 0});
    StepBudget perfect = schedule.budget();
    perfect.endPerfect();
    assertTrue(schedule.advance(best, perfect));
    assertEquals(30, schedule.current().bwIntra());
    assertEquals(1, schedule.current().minChannels());
    StepBudget exhausted = new StepBudget(0);
    assertFalse(schedule.advance(best, exhausted));
  }

  @Test
  void fastChannelsAreDoubledAtHalfTheBandwidth() {
    Constraints initial = initial(Pattern.RING, PIX_TO_PHB).with(c -> c.bandwidth(30, 24));
    Solution fast = engine.emptySolution(initial);
    fast.set(initial, 2, 4, 0, new int[] {0, 1, 1, 0}, new int[4]);
    fast.duplicateFastChannels(80);
    assertEquals(4, fast.nChannels());
    assertEquals(15, fast.constraints().bwIntra());
    assertEquals(12, fast.constraints().bwInter());
    Solution slow = engine.emptySolution(initial);
    slow.set(initial.with(c -> c.bandwidth(24, 24)), 2, 4, 0, new int[] {0, 1, 1, 0}, new int[4]);
    slow.duplicateFastChannels(80);
    assertEquals(2, slow.nChannels());
  }

  /** The distinct types of paths to ports that a search without result tries, in order. */
  private List<PathType> typesToPorts(String version, PathType nearest, PathType farthest) {
    TypeRange nvlink = new TypeRange(PathType.NVL, PathType.NVL);
    ScheduleFacts facts =
        new ScheduleFacts(
            NcclProfile.of(version),
            2,
            90,
            true,
            false,
            new SystemBandwidth(24, 24),
            nvlink,
            new TypeRange(nearest, farthest));
    Constraints initial =
        new Constraints(Pattern.RING, 0, 0, 0, PathType.NVL, nearest, true, 1, 16);
    return allAttempts(facts, initial, 0).stream().map(Constraints::typeInter).distinct().toList();
  }

  @Test
  void typesAreRelaxedInTheOrderOfTheVersion() {
    assertEquals(
        List.of(PathType.PXN, PathType.P2C), typesToPorts("2.27.3", PathType.PXN, PathType.P2C));
    assertEquals(
        List.of(PathType.P2C, PathType.PXN), typesToPorts("2.27.5", PathType.P2C, PathType.PXN));
    assertEquals(
        List.of(PathType.PXN, PathType.PHB), typesToPorts("2.26.2", PathType.PXN, PathType.PHB));
  }
}
