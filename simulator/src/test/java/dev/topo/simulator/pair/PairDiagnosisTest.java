package dev.topo.simulator.pair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.HostRun;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.nic.SwitchMap;
import dev.topo.model.nic.SwitchMapReader;
import dev.topo.simulator.pair.PairReport.Level;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Parts planted in matrices of pairs are found, and no other is accused. */
class PairDiagnosisTest {
  /** More with -Dtest.iters=. */
  private static final int SEEDS = Integer.getInteger("test.iters", 4);

  private static final int LARGE_SEEDS = Math.max(1, SEEDS / 4);

  /** Counts what was planted, found and wrongly accused. */
  private static final class Score {
    int planted;
    int found;
    int accused;
    int clean;
    final Map<String, Integer> wrong = new TreeMap<>();

    double precision() {
      return accused == 0 ? 1 : (double) found / accused;
    }

    double recall() {
      return planted == 0 ? 1 : (double) found / planted;
    }

    void add(PlantedMatrix matrix, long seed) {
      PairReport report =
          PairDiagnosis.of(new PairRuns(matrix.runs(), List.of()), Optional.empty());
      Set<String> causes =
          report.causes().stream()
              .map(PairDiagnosisTest::name)
              .collect(Collectors.toCollection(TreeSet::new));
      planted += matrix.slow.size();
      accused += causes.size();
      clean += causes.isEmpty() ? 1 : 0;
      if (Boolean.getBoolean("test.verbose") && !causes.equals(matrix.slow.keySet())) {
        System.out.println(seed + " " + matrix.noise + " " + matrix.slow + " " + report.causes());
      }
      for (String cause : causes) {
        if (matrix.slow.containsKey(cause)) {
          found++;
        } else {
          wrong.merge(seed + ": " + cause, 1, Integer::sum);
        }
      }
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "precision %.1f %%, recall %.1f %% of %d planted, wrong %s",
          100 * precision(),
          100 * recall(),
          planted,
          wrong.keySet().stream().limit(12).toList());
    }
  }

  private static String name(PairCause cause) {
    boolean isOneOrder =
        cause.kind() == PairCause.Kind.FIRST || cause.kind() == PairCause.Kind.SECOND;
    return (isOneOrder ? cause.kind().id() + " " : "") + String.join("+", cause.names());
  }

  private static Score score(String what, int seeds, LongFunction<PlantedMatrix> planted) {
    Score score = new Score();
    for (long seed = 0; seed < seeds; seed++) {
      score.add(planted.apply(seed), seed);
    }
    Thorough.print("pairs, " + what + ": " + score);
    return score;
  }

  private static int seeds(int hosts) {
    return hosts > 17 ? LARGE_SEEDS : SEEDS;
  }

  private static void requireBoth(Score score) {
    assertTrue(score.precision() >= 0.95 && score.recall() >= 0.95, score.toString());
  }

  private static PlantedMatrix hosts(int hosts, int most, long seed) {
    PlantedMatrix matrix = new PlantedMatrix(hosts, seed);
    Random random = new Random(seed + 1000);
    matrix.noise = 0.02 + 0.03 * random.nextDouble();
    matrix.missing = 0.3 * random.nextDouble();
    matrix.isOrdered = random.nextBoolean();
    int bad = 1 + random.nextInt(most);
    while (matrix.slow.size() < bad) {
      matrix.slow.put(PlantedMatrix.host(random.nextInt(hosts)), 0.05 + 0.45 * random.nextDouble());
    }
    return matrix;
  }

  @Test
  void findsHostsOf17() {
    requireBoth(score("1 to 4 hosts of 17", SEEDS, seed -> hosts(17, 4, seed)));
  }

  @Test
  void findsHostsOf64() {
    requireBoth(score("1 to 8 hosts of 64", LARGE_SEEDS, seed -> hosts(64, 8, seed)));
  }

  @Test
  void findsNicsOf17HostsMeasuredPortByPort() {
    requireBoth(
        score(
            "NICs, hosts and rails of 17 hosts with 4 NICs",
            SEEDS,
            seed -> {
              PlantedMatrix matrix = hosts(17, 2, seed);
              Random random = new Random(seed + 2000);
              matrix.nics = 4;
              if (seed % 3 == 0) {
                matrix.slow.clear();
                matrix.slow.put("mlx5_" + random.nextInt(4), 0.05 + 0.45 * random.nextDouble());
              }
              for (int i = 0; i <= seed % 4; i++) {
                matrix.slow.put(
                    PlantedMatrix.nic(random.nextInt(17), random.nextInt(4)),
                    0.05 + 0.45 * random.nextDouble());
              }
              return matrix;
            }));
  }

  @Test
  void accusesNobodyWhereNothingIsWrong() {
    for (int hosts : new int[] {4, 8, 17, 64}) {
      Score score =
          score(
              "nothing wrong among " + hosts,
              seeds(hosts),
              seed -> {
                PlantedMatrix matrix = hosts(hosts, 1, seed);
                matrix.slow.clear();
                return matrix;
              });
      assertTrue(score.clean >= 0.98 * seeds(hosts), score.toString());
    }
  }

  @Test
  void pairsOfDifferentLeavesMayBeSlower() {
    for (int leaf : new int[] {3, 6, 8, 9, 12, 14}) {
      Score none =
          score(
              "leaves of " + leaf + " of 17",
              SEEDS,
              seed -> {
                PlantedMatrix matrix = hosts(17, 1, seed);
                matrix.slow.clear();
                matrix.leafSize = leaf;
                matrix.crossing = 0.08 + 0.3 * new Random(seed).nextDouble();
                return matrix;
              });
      assertEquals(
          Set.of(),
          none.wrong.keySet().stream()
              .filter(what -> !what.contains("+"))
              .collect(Collectors.toSet()));
    }
  }

  @Test
  void healthyHostsMayDifferAndRunsMayStray() {
    for (int hosts : new int[] {17, 64}) {
      Score none =
          score(
              "healthy hosts that differ by 1.5 %, 3 % strays, of " + hosts,
              seeds(hosts),
              seed -> {
                PlantedMatrix matrix = hosts(hosts, 1, seed);
                matrix.slow.clear();
                matrix.spread = 0.015;
                matrix.strays = 0.03;
                return matrix;
              });
      assertTrue(none.clean >= 0.95 * seeds(hosts), none.toString());
      requireBoth(
          score(
              "hosts among such of " + hosts,
              seeds(hosts),
              seed -> {
                PlantedMatrix matrix = hosts(hosts, 3, seed);
                matrix.slow.replaceAll((host, slow) -> 0.1 + 0.8 * slow);
                matrix.spread = 0.015;
                matrix.strays = 0.03;
                matrix.multiplies = true;
                return matrix;
              }));
    }
  }

  @Test
  void namesTheOrderInWhichAHostIsSlow() {
    requireBoth(
        score(
            "hosts slow as first or second",
            SEEDS,
            seed -> {
              PlantedMatrix matrix = hosts(17, 1, seed);
              matrix.slow.clear();
              matrix.isOrdered = true;
              matrix.slow.put("first " + PlantedMatrix.host((int) (seed % 17)), 0.3);
              return matrix;
            }));
  }

  @Test
  void leavesBeforeLarge() {
    requireBoth(
        score(
            "hosts of 17 on leaves of 6",
            SEEDS,
            seed -> {
              PlantedMatrix matrix = hosts(17, 2, seed);
              matrix.leafSize = 6;
              matrix.crossing = 0.2;
              return matrix;
            }));
    requireBoth(
        score(
            "hosts of 64 on leaves of 16",
            LARGE_SEEDS,
            seed -> {
              PlantedMatrix matrix = hosts(64, 4, seed);
              matrix.leafSize = 16;
              matrix.crossing = 0.2;
              return matrix;
            }));
  }

  @Test
  void manyPorts() {
    requireBoth(
        score(
            "64 hosts with 8 ports",
            1,
            seed -> {
              PlantedMatrix matrix = hosts(64, 3, seed);
              matrix.nics = 8;
              matrix.isOrdered = false;
              matrix.slow.remove("n07");
              matrix.slow.put("mlx5_3 of n07", 0.3);
              return matrix;
            }));
  }

  @Test
  void aMapOfTheSwitchesGivesLevelsAndUplinks() {
    StringBuilder conf = new StringBuilder();
    for (int leaf = 0; leaf < 8; leaf++) {
      conf.append("SwitchName=leaf%d Nodes=n[%02d-%02d]\n".formatted(leaf, 8 * leaf, 8 * leaf + 7));
    }
    conf.append("SwitchName=core Switches=leaf[0-7]\n");
    SwitchMap map = SwitchMapReader.parse("topology.conf", conf.toString().lines().toList());
    PlantedMatrix matrix = new PlantedMatrix(64, 5);
    matrix.leafSize = 8;
    matrix.crossing = 0.25;
    matrix.slow.put("leaf3", 0.4);
    matrix.slow.put("n17", 0.2);
    PairReport report = PairDiagnosis.of(new PairRuns(matrix.runs(), List.of()), Optional.of(map));
    assertEquals(
        List.of("uplink leaf3", "host n17"),
        report.causes().stream().map(PairCause::what).toList(),
        report.toString());
    assertEquals(20, report.causes().get(0).slowerPercent(), 2);
    assertEquals(2, report.levels().size());
    assertEquals(30, report.levels().stream().mapToDouble(Level::gbps).min().orElseThrow(), 1);
    assertTrue(report.causes().stream().allMatch(cause -> cause.confidence() > 0.9));
  }

  @Test
  void withoutAMapTheHostsOfASlowUplinkAreAGroup() {
    PlantedMatrix matrix = new PlantedMatrix(17, 3);
    matrix.leafSize = 13;
    matrix.crossing = 0.3;
    PairReport report = PairDiagnosis.of(new PairRuns(matrix.runs(), List.of()), Optional.empty());
    assertTrue(
        report.causes().stream().allMatch(cause -> cause.kind() == PairCause.Kind.GROUP),
        report.toString());
  }

  @Test
  void aSlowPairIsNotAHost() {
    List<HostRun> runs =
        new PlantedMatrix(8, 1)
            .runs().stream()
                .map(run -> run.source().equals("n02-n05") ? slower(run) : run)
                .toList();
    PairReport report = PairDiagnosis.of(new PairRuns(runs, List.of()), Optional.empty());
    assertEquals(List.of(), report.causes());
    assertEquals("n05", report.unexplained().get(0).second());
    assertEquals(40, report.unexplained().get(0).expectedGbps(), 3);
  }

  private static HostRun slower(HostRun run) {
    HostRun.Rate rate = run.rates().get(0);
    return new HostRun(
        run.source(),
        run.test(),
        run.hosts(),
        run.nics(),
        List.of(new HostRun.Rate(rate.bytes(), rate.gbps() / 2)),
        0);
  }
}
