package dev.topo.simulator.pair;

import java.util.List;

/**
 * The findings in a matrix of pairs.
 *
 * @param hosts number of hosts
 * @param runs runs that were compared, repeated ones of a pair as one
 * @param missing pairs of these hosts without a result
 * @param levels the rates of healthy runs
 * @param noisePercent what healthy runs deviate by (one standard deviation), from the runs
 *     themselves
 * @param causes the parts at fault, those that explain most first; none if no part is
 * @param unexplained slow runs that no suspect explains, slowest first
 * @param remarks what was left out or is to be known, a sentence each
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
   * @param name what they have in common
   * @param runs how many there are
   */
  public record Level(String name, double gbps, int runs) {}

  /**
   * A slow run that no part explains.
   *
   * @param first the host of its first rank
   * @param second the other host
   * @param nic the ports; empty if not known
   * @param expectedGbps the rate of healthy runs with the same parts
   */
  public record SlowRun(
      String first, String second, String nic, double gbps, double expectedGbps) {}

  public PairReport {
    levels = List.copyOf(levels);
    causes = List.copyOf(causes);
    unexplained = List.copyOf(unexplained);
    remarks = List.copyOf(remarks);
  }

  /** True if nothing is wrong. */
  public boolean isHealthy() {
    return causes.isEmpty() && unexplained.isEmpty();
  }
}
