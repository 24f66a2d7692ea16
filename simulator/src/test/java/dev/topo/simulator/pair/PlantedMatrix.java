package dev.topo.simulator.pair;

import dev.topo.inspect.measured.HostRun;
import dev.topo.inspect.measured.HostRun.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Matrices of pairs with faults, for tests: healthy rate, noise, missing pairs, slow parts. */
final class PlantedMatrix {
  final Random random;
  final int hosts;
  double noise = 0.03;
  double missing;
  boolean isOrdered;
  int nics = 1;
  int leafSize = 1000;
  double crossing;

  /** What healthy hosts differ by. */
  double spread;

  /** Every so many runs are off by a random factor. */
  double strays;

  boolean multiplies;
  final Map<String, Double> slow = new TreeMap<>();

  PlantedMatrix(int hosts, long seed) {
    this.hosts = hosts;
    this.random = new Random(seed);
  }

  static String host(int i) {
    return String.format("n%02d", i);
  }

  static String nic(int i, int nic) {
    return "mlx5_" + nic + " of " + host(i);
  }

  private double factor(String part) {
    return 1 - slow.getOrDefault(part, 0.0);
  }

  List<HostRun> runs() {
    List<HostRun> runs = new ArrayList<>();
    for (int a = 0; a < hosts; a++) {
      for (int b = isOrdered ? 0 : a + 1; b < hosts; b++) {
        for (int nic = 0; nic < nics; nic++) {
          if (a != b && random.nextDouble() >= missing) {
            runs.add(run(a, b, nic));
          }
        }
      }
    }
    return runs;
  }

  private HostRun run(int a, int b, int nic) {
    double factor = Math.min(factor(host(a)), factor(host(b)));
    if (multiplies) {
      factor = factor(host(a)) * factor(host(b));
    }
    factor *= 1 + spread * new Random(a + 77).nextGaussian();
    factor *= 1 + spread * new Random(b + 77).nextGaussian();
    if (random.nextDouble() < strays) {
      factor *= 0.4 + 0.6 * random.nextDouble();
    }
    factor = Math.min(factor, Math.min(factor("first " + host(a)), factor("second " + host(b))));
    if (nics > 1) {
      factor = Math.min(factor, factor("mlx5_" + nic));
      factor = Math.min(factor, Math.min(factor(nic(a, nic)), factor(nic(b, nic))));
    }
    int one = a / leafSize;
    int other = b / leafSize;
    if (one != other) {
      factor =
          Math.min(factor * (1 - crossing), Math.min(factor("leaf" + one), factor("leaf" + other)));
    }
    double gbps = 40 * factor * (1 + noise * random.nextGaussian());
    return new HostRun(
        host(a) + "-" + host(b),
        "sendrecv_perf on 2 ranks",
        List.of(host(a), host(b)),
        nics > 1 ? List.of("mlx5_" + nic) : List.of(),
        List.of(new Rate(1 << 30, Math.max(0.5, gbps))),
        0);
  }
}
