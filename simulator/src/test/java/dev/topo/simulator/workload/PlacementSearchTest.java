package dev.topo.simulator.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.nic.SwitchMap;
import dev.topo.model.nic.SwitchMapReader;
import dev.topo.model.operation.Call;
import dev.topo.search.connect.Connection;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.fixture.TestJobs;
import dev.topo.simulator.network.ConcurrentGroups;
import dev.topo.simulator.network.Fabric;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders that are found, against all orders of small jobs and random ones of larger jobs. */
class PlacementSearchTest {
  private static final Machine MACHINE = TestJobs.shipped("gh200");
  private static final Map<Call, Integer> CALLS =
      Map.of(Call.of("all_reduce", "64M"), 2, Call.of("alltoall", "16M"), 1);

  /** Leaves of different sizes and bandwidths below one or two spines. */
  private static SwitchMap fabric(Random random, int hosts, int leaves) {
    List<List<String>> at = new ArrayList<>();
    IntStream.range(0, leaves).forEach(leaf -> at.add(new ArrayList<>()));
    for (int host = 0; host < hosts; host++) {
      at.get(host < leaves ? host : random.nextInt(leaves)).add("n" + host);
    }
    List<String> lines = new ArrayList<>();
    for (int leaf = 0; leaf < leaves; leaf++) {
      lines.add(
          "SwitchName=l%s Nodes=%s UplinkGbps=%s"
              .formatted(leaf, String.join(",", at.get(leaf)), 100 * (1 + random.nextInt(4))));
    }
    boolean hasSpines = leaves > 2 && random.nextBoolean();
    if (hasSpines) {
      lines.add("SwitchName=s0 Switches=l0,l1 UplinkGbps=200");
      lines.add("SwitchName=s1 Switches=l[2-%s] UplinkGbps=300".formatted(leaves - 1));
    }
    lines.add("SwitchName=top Switches=" + (hasSpines ? "s0,s1" : "l[0-%s]".formatted(leaves - 1)));
    return SwitchMapReader.parse("map", lines);
  }

  /** Groups of consecutive nodes, or of every so many-th. */
  private static List<List<Integer>> groups(int nodes, int size, boolean consecutive) {
    int count = nodes / size;
    return IntStream.range(0, count)
        .mapToObj(
            group ->
                IntStream.range(0, size)
                    .mapToObj(i -> consecutive ? group * size + i : group + i * count)
                    .toList())
        .toList();
  }

  private static JobRequest request(List<List<Integer>> groups) {
    JobRequest one =
        JobRequest.of(Job.ofEqual(MACHINE, groups.get(0).size()), NcclProfile.DEFAULT, List.of());
    Connection connection = TestJobs.evaluate(one).connection();
    return new JobRequest(
        one.job(),
        one.profile(),
        List.copyOf(CALLS.keySet()),
        one.selected(),
        one.network(),
        one.fabric(),
        one.actual(),
        Optional.of(
            new ConcurrentGroups(List.of(new ConcurrentGroups.Group(connection, groups)), 0)),
        one.context());
  }

  private static PlacedGroup placed(String name, List<List<Integer>> groups, Fabric fabric) {
    return new PlacedGroup(
        name, List.of(TestJobs.evaluate(request(groups).withFabric(fabric))), groups, CALLS);
  }

  /** Time of a step by an evaluation of its own. */
  private static double price(List<List<List<Integer>>> kinds, Fabric fabric) {
    double sum = 0;
    for (List<List<Integer>> groups : kinds) {
      JobResult result = TestJobs.evaluate(request(groups).withFabric(fabric));
      for (Map.Entry<Call, Integer> call : CALLS.entrySet()) {
        sum +=
            call.getValue() * result.predict(call.getKey()).map(Prediction::timeUs).orElseThrow();
      }
    }
    return sum;
  }

  private static void permute(
      List<String> order,
      List<String> left,
      SwitchMap map,
      Set<List<String>> seen,
      ToDoubleFunction<List<String>> price,
      double[] best) {
    if (left.isEmpty()) {
      if (seen.add(order.stream().map(host -> map.leaf(host, "").orElseThrow()).toList())) {
        best[0] = Math.min(best[0], price.applyAsDouble(order));
      }
      return;
    }
    for (String host : left) {
      List<String> more = new ArrayList<>(order);
      more.add(host);
      List<String> rest = new ArrayList<>(left);
      rest.remove(host);
      permute(more, rest, map, seen, price, best);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void isTheBestOfAllOrdersOfASmallJob(int seed) {
    Random random = new Random(seed);
    int nodes = seed % 4 == 0 ? 8 : seed % 2 == 0 ? 6 : 4;
    SwitchMap map = fabric(random, nodes, 2 + random.nextInt(2));
    List<List<List<Integer>>> kinds =
        List.of(groups(nodes, 2, true), groups(nodes, nodes / 2, false));
    Fabric given = new Fabric(map, map.nodes(), random.nextBoolean());
    PlacementAnswer answer =
        new PlacementSearch(
                given,
                List.of(placed("tp", kinds.get(0), given), placed("dp", kinds.get(1), given)))
            .of(map.nodes(), Integer.MAX_VALUE);
    double[] best = {Double.POSITIVE_INFINITY};
    permute(
        List.of(),
        map.nodes(),
        map,
        new HashSet<>(),
        order -> price(kinds, new Fabric(map, order, given.adaptive())),
        best);
    assertTrue(answer.isExhaustive());
    assertEquals(best[0], answer.best().timeUs(), 1e-9 * best[0]);
    assertTrue(answer.bound().timeUs() <= best[0] * (1 + 1e-9));
    assertTrue(answer.best().timeUs() <= answer.given().timeUs());
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19})
  void isNoWorseThanAThousandRandomOrders(int seed) {
    Random random = new Random(seed);
    int nodes = 12;
    SwitchMap map = fabric(random, nodes + 4, 3 + random.nextInt(2));
    List<String> hosts = new ArrayList<>(map.nodes());
    Collections.shuffle(hosts, random);
    Fabric given = new Fabric(map, hosts.subList(0, nodes), false);
    List<PlacedGroup> kinds =
        List.of(
            placed("tp", groups(nodes, 3, true), given),
            placed("dp", groups(nodes, 4, false), given));
    PlacementAnswer answer = new PlacementSearch(given, kinds).of(map.nodes(), Integer.MAX_VALUE);
    assertTrue(answer.best().timeUs() <= answer.given().timeUs());
    assertTrue(answer.bound().timeUs() <= answer.best().timeUs() * (1 + 1e-9));
    assertEquals(nodes, new HashSet<>(answer.best().hosts()).size());
    assertEquals(
        IntStream.range(0, nodes).mapToObj(host -> "n" + host).toList(),
        answer.orders().get(1).hosts(),
        "by name n2 is before n10");
    for (int i = 0; i < 1000; i++) {
      Collections.shuffle(hosts, random);
      Fabric other = new Fabric(map, hosts.subList(0, nodes), false);
      double us = kinds.stream().mapToDouble(kind -> kind.timeUs(other)).sum();
      assertTrue(answer.best().timeUs() <= us * (1 + 1e-9), answer.best().timeUs() + " " + us);
    }
  }
}
