package dev.topo.inspect.measured;

import java.util.List;
import java.util.Objects;

/**
 * A run between named hosts, as far as a matrix of such runs needs it: any program of nccl-tests,
 * also those that only send and receive, or a row of a table.
 *
 * @param source the file, with the line for a row of a table
 * @param test what was measured, as {@code all_reduce_perf on 16 ranks}; empty if not known
 * @param hosts the hosts in rank order, each once
 * @param nics the network ports that the hosts used: none if not known, one name for all hosts, or
 *     one for each
 * @param rates the rates, in the order of the file; none if the run failed
 * @param wrong rows whose results were wrong; they are not among the rates
 */
public record HostRun(
    String source,
    String test,
    List<String> hosts,
    List<String> nics,
    List<Rate> rates,
    int wrong) {
  /**
   * The rate at a size.
   *
   * @param bytes the size; 0 if not known
   * @param gbps busbw in GB/s where the file has it, else bytes by time
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

  /** The network port of a host of the list; empty if not known. */
  public String nic(int host) {
    return nics.isEmpty() ? "" : nics.get(Math.min(host, nics.size() - 1));
  }
}
