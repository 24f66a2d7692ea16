package dev.topo.simulator.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.fixture.RandomMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The oracles against all orders of the GPUs and all ports, on machines at random. */
class ChannelOracleTest {
  private static final int SEEDS = 60;

  private final List<ChannelSpace> spaces = new ArrayList<>();

  ChannelOracleTest() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Topology topology = RandomMachine.of(seed);
      for (int nodes : new int[] {1, 2}) {
        Domain domain =
            DomainFinder.find(topology, NcclSettings.DEFAULTS, nodes > 1, NcclProfile.DEFAULT)
                .get(0);
        if (domain.topology().gpus().size() > 1
            && (nodes == 1 || domain.topology().indexes(NodeType.NET).length > 0)) {
          NodeLinks links =
              NodeLinks.of(domain, nodes, link -> domain.paths().linkTable().bwGBps(link));
          for (Pattern pattern : List.of(Pattern.RING, Pattern.BALANCED_TREE, Pattern.TREE)) {
            spaces.add(new ChannelSpace(links, pattern));
          }
        }
      }
    }
  }

  private static double[] prices(ChannelSpace space, long seed) {
    Random random = new Random(seed);
    return random.doubles(space.capacityGBps().length, 0.1, 1).toArray();
  }

  private static double cost(ChannelSpace space, PlacedChannel channel, double[] prices) {
    double[] loads = new double[prices.length];
    if (!space.add(channel, loads, 1)) {
      return Double.POSITIVE_INFINITY;
    }
    double cost = 0;
    for (int link = 0; link < loads.length; link++) {
      cost += loads[link] * prices[link];
    }
    return cost;
  }

  /** The least cost between two ports. */
  private static double least(
      ChannelSpace space, List<Integer> begun, int in, int out, double[] prices) {
    if (begun.size() == space.gpus()) {
      return cost(space, new PlacedChannel(begun, in, out), prices);
    }
    double least = Double.POSITIVE_INFINITY;
    for (int gpu = 0; gpu < space.gpus(); gpu++) {
      if (!begun.contains(gpu)) {
        List<Integer> longer = new ArrayList<>(begun);
        longer.add(gpu);
        least = Math.min(least, least(space, longer, in, out, prices));
      }
    }
    return least;
  }

  private static double least(ChannelSpace space, PortRule ports, double[] prices) {
    double least = Double.POSITIVE_INFINITY;
    for (int in = 0; in < space.ports(); in++) {
      for (int out = 0; out < space.ports(); out++) {
        if (in == out || ports == PortRule.ALTERNATING) {
          double there = least(space, List.of(), in, out, prices);
          double back = least(space, List.of(), out, in, prices);
          least = Math.min(least, (there + back) / 2);
        }
      }
    }
    return least;
  }

  @Test
  void exactOrdersAreTheCheapestOfAll() {
    for (int s = 0; s < spaces.size(); s++) {
      ChannelSpace space = spaces.get(s);
      double[] prices = prices(space, s);
      ChannelOracle.Answer answer = new ExactOrders(space, PortRule.SAME).cheapest(prices);
      double expected = least(space, PortRule.SAME, prices);
      assertEquals(expected, answer.cost(), 1e-9, "space " + s);
      assertEquals(expected, cost(space, answer.channels().get(0), prices), 1e-9, "space " + s);
    }
  }

  @Test
  void alternatingRingsGoBackTheOtherWay() {
    for (int s = 0; s < spaces.size(); s++) {
      ChannelSpace space = spaces.get(s);
      if (space.hasLast()) {
        double[] prices = prices(space, s);
        ChannelOracle.Answer answer = new ExactOrders(space, PortRule.ALTERNATING).cheapest(prices);
        PlacedChannel there = answer.channels().get(0);
        PlacedChannel back = answer.channels().get(1);
        assertEquals(there.in(), back.out());
        assertEquals(there.out(), back.in());
        assertEquals(least(space, PortRule.ALTERNATING, prices), answer.cost(), 1e-9);
        assertEquals(
            2 * answer.cost(), cost(space, there, prices) + cost(space, back, prices), 1e-9);
      }
    }
  }

  @Test
  void localOrdersCostWhatTheySayAndAreNeverCheaperThanExactOnes() {
    int best = 0;
    for (int s = 0; s < spaces.size(); s++) {
      ChannelSpace space = spaces.get(s);
      double[] prices = prices(space, s);
      ChannelOracle.Answer local = new LocalOrders(space, PortRule.SAME).cheapest(prices);
      double exact = new ExactOrders(space, PortRule.SAME).cheapest(prices).cost();
      assertEquals(cost(space, local.channels().get(0), prices), local.cost(), 1e-9);
      assertTrue(local.cost() >= exact - 1e-9, "space " + s);
      best += local.cost() <= exact + 1e-9 ? 1 : 0;
    }
    assertTrue(best >= 0.9 * spaces.size(), best + " of " + spaces.size());
  }
}
