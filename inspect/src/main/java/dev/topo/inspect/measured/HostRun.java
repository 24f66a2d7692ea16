package dev.topo.inspect.measured;

import java.util.List;
import java.util.Objects;

/**
 * Run between named hosts, one cell of a matrix of such runs: output of any program of nccl-tests,
 * including sends and receives, or a row of a table.
 *
 * @param source the file, with the line for a row of a table
 * @param test the measured test, as {@code all_reduce_perf on 16 ranks}; empty if unknown
 * @param hosts distinct hosts in rank order
 * @param nics the network ports that the hosts used: empty if unknown, one name for all hosts, or
 *     one for each
 * @param rates the rates, in the order of the file; empty if the run failed
 * @param wrong number of rows with wrong results, which are not among the rates
 */
public record HostRun(
    String source,
    String test,
    List<String> hosts,
    List<String> nics,
    List<Rate> rates,
    int wrong) {
  /**
   * Measured rate at one size.
   *
   * @param bytes the size; 0 if unknown
   * @param gbps busbw in GB/s if the file states it, otherwise bytes divided by time
   */
  public record Rate(long bytes, double gbps) {
    public Rate {
      if (bytes < 0 || !(gbps > 0) || Double.isInfinite(gbps)) {
        throw new IllegalArgumentException(
            gbps + " GB/s at " + bytes + " B: expected a rate above 0");
      }
    }
  }

  public HostRun {
    Objects.requireNonNull(source);
    Objects.requireNonNull(test);
    hosts = List.copyOf(hosts);
    nics = List.copyOf(nics);
    rates = List.copyOf(rates);
    if (hosts.isEmpty() || nics.size() > 1 && nics.size() != hosts.size()) {
      throw new IllegalArgumentException(
          hosts + " with " + nics + ": expected hosts, and a port each");
    }
  }

  /** Network port of a host, given by index; empty if unknown. */
  public String nic(int host) {
    return nics.isEmpty() ? "" : nics.get(Math.min(host, nics.size() - 1));
  }
}
