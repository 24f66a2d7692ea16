package dev.topo.simulator.pair;

import java.util.List;

/**
 * Findings in a matrix of pairs.
 *
 * @param hosts number of hosts
 * @param runs number of compared runs, repeated runs of a pair counted once
 * @param missing number of pairs of these hosts without a result
 * @param levels the rates of healthy runs
 * @param noisePercent standard deviation of healthy runs in percent, from the runs themselves
 * @param causes parts at fault, those that explain most first; empty if there are none
 * @param unexplained slow runs that no part explains, slowest first
 * @param remarks omissions and other remarks, a sentence each
 */
public record PairReport(
    int hosts,
    int runs,
    int missing,
    List<Level> levels,
    double noisePercent,
    List<PairCause> causes,
    List<SlowRun> unexplained,
    List<String> remarks) {
  /**
   * The rate of healthy runs of one kind.
   *
   * @param name what the runs have in common: test, size, distance
   * @param runs number of runs
   */
  public record Level(String name, double gbps, int runs) {}

  /**
   * A slow run that no part explains.
   *
   * @param first the host of its first rank
   * @param second its other host
   * @param nic the ports; empty if unknown
   * @param expectedGbps rate of healthy runs at the same level, less the slowdown of accused parts
   */
  public record SlowRun(
      String first, String second, String nic, double gbps, double expectedGbps) {}

  public PairReport {
    levels = List.copyOf(levels);
    causes = List.copyOf(causes);
    unexplained = List.copyOf(unexplained);
    remarks = List.copyOf(remarks);
  }

  /** True if no fault was found. */
  public boolean isHealthy() {
    return causes.isEmpty() && unexplained.isEmpty();
  }
}
