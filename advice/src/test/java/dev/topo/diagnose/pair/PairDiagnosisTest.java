package dev.topo.diagnose.pair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
  private static final int SEEDS = Integer.getInteger("test.iters", 25);

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
      PairReport report = PairDiagnosis.of(matrix.runs(), Optional.empty());
      Set<String> causes =
          report.causes().stream()
              .map(cause -> String.join("+", cause.names()))
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

  private static Score score(String what, LongFunction<PlantedMatrix> planted) {
    Score score = new Score();
    long before = System.nanoTime();
    for (long seed = 0; seed < SEEDS; seed++) {
      score.add(planted.apply(seed), seed);
    }
    System.out.printf(Locale.ROOT, "pairs, %s: %s (%d ms)%n", what, score, (System.nanoTime() - before) / 1000000);
    return score;
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
      matrix.slow.put(
          PlantedMatrix.host(random.nextInt(hosts)), 0.05 + 0.45 * random.nextDouble());
    }
    return matrix;
  }

  @Test
  void findsHostsOf17() {
    requireBoth(score("1 to 4 hosts of 17", seed -> hosts(17, 4, seed)));
  }

  @Test
  void findsHostsOf64() {
    requireBoth(score("1 to 8 hosts of 64", seed -> hosts(64, 8, seed)));
  }

  @Test
  void findsNicsOf17HostsMeasuredPortByPort() {
    requireBoth(
        score(
            "NICs, hosts and rails of 17 hosts with 4 NICs",
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
              seed -> {
                PlantedMatrix matrix = hosts(hosts, 1, seed);
                matrix.slow.clear();
                return matrix;
              });
      assertTrue(score.clean >= 0.98 * SEEDS, score.toString());
    }
  }

  @Test
  void pairsOfDifferentLeavesMayBeSlower() {
    for (int leaf : new int[] {3, 6, 8, 9, 12, 14}) {
      Score none =
          score(
              "leaves of " + leaf + " of 17",
              seed -> {
                PlantedMatrix matrix = hosts(17, 1, seed);
                matrix.slow.clear();
                matrix.leafSize = leaf;
                matrix.crossing = 0.08 + 0.3 * new Random(seed).nextDouble();
                return matrix;
              });
      assertEquals(
          Set.of(),
          none.wrong.keySet().stream().filter(what -> !what.contains("+")).collect(Collectors.toSet()));
    }
  }

  @Test
  void healthyHostsMayDifferAndRunsMayStray() {
    for (int hosts : new int[] {17, 64}) {
      Score none =
          score(
              "healthy hosts that differ by 1.5 %, 3 % strays, of " + hosts,
              seed -> {
                PlantedMatrix matrix = hosts(hosts, 1, seed);
                matrix.slow.clear();
                matrix.spread = 0.015;
                matrix.strays = 0.03;
                return matrix;
              });
      assertTrue(none.clean >= 0.95 * SEEDS, none.toString());
      requireBoth(
          score(
              "hosts among such of " + hosts,
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
    Score score =
        score(
            "hosts slow as first or second",
            seed -> {
              PlantedMatrix matrix = hosts(17, 1, seed);
              matrix.slow.clear();
              matrix.isOrdered = true;
              matrix.slow.put("first " + PlantedMatrix.host((int) (seed % 17)), 0.3);
              return matrix;
            });
    assertEquals(SEEDS, score.accused, score.toString());
  }

  @Test
  void leavesBeforeLarge() {
    requireBoth(
        score(
            "hosts of 17 on leaves of 6",
            seed -> {
              PlantedMatrix matrix = hosts(17, 2, seed);
              matrix.leafSize = 6;
              matrix.crossing = 0.2;
              return matrix;
            }));
    requireBoth(
        score(
            "hosts of 64 on leaves of 16",
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
            seed -> {
              PlantedMatrix matrix = hosts(64, 3, seed);
              matrix.nics = 8;
              matrix.isOrdered = false;
              matrix.slow.remove("n07");
              matrix.slow.put("mlx5_3 of n07", 0.3);
              return matrix;
            }));
  }
}
